/** The shareable image of a review, rendered as SVG: the players, the chances over time and the decisive moment. */
import { LETTERS, SHAPES } from '../lib/symbols';

export interface ShareImage {
  title: string;
  /** Everybody, and what they came to. */
  players: { name: string; result: string; even: string }[];
  /** The chances of the side that is taken, from the beginning on. */
  line: number[];
  /** The chances of the others where there are several. */
  others: number[][];
  caption: string;
  /** The decisive moment: the number of its event, and its text. */
  moment: { at: number; title: string; text: string } | null;
}

export const [WIDTH, HEIGHT] = [1200, 630];
const [LEFT, RIGHT, TOP, BOTTOM] = [110, 1150, 232, 440];
const COLOURS = { R: '#ff6157', G: '#43cf7c', B: '#52b1ff', O: '#ff9838', Y: '#ffe03d', P: '#c48bff' };
const FONT = `font-family="'Bricolage Grotesque', system-ui, 'Segoe UI', Roboto, sans-serif"`;

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Wrap a text into lines of at most `maxLength` characters; the last one ends in an ellipsis if text was cut. */
export function wrapText(text: string, maxLength: number, rows: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const extended = `${lines.at(-1)} ${word}`.trim();
    if (extended.length <= maxLength || !lines.at(-1)) lines[lines.length - 1] = extended;
    else lines.push(word);
  }
  if (lines.length <= rows) return lines;
  return [...lines.slice(0, rows - 1), `${lines[rows - 1]!.slice(0, maxLength - 1)}…`];
}

const text = (x: number, y: number, size: number, words: string, more = ''): string =>
  `<text x="${x}" y="${y}" font-size="${size}" ${FONT} ${more}>${escapeXml(words)}</text>`;

export function renderShareImage({ title, players, line, others, caption, moment }: ShareImage): string {
  const x = (at: number, count: number): number => LEFT + (at / Math.max(1, count - 1)) * (RIGHT - LEFT);
  const y = (chance: number): number => BOTTOM - (chance / 100) * (BOTTOM - TOP);
  const path = (values: number[]): string =>
    values
      .map((value, at) => `${at ? 'L' : 'M'}${x(at, values.length).toFixed(1)} ${y(value).toFixed(1)}`)
      .join('');
  const symbols = LETTERS.map(
    (letter, at) =>
      `<g transform="translate(${76 + at * 46} 74) scale(1.7)"><circle r="12.500" fill="#231f36"/><path d="${SHAPES[letter]}" fill="${COLOURS[letter]}" fill-rule="evenodd" transform="scale(0.85)"/></g>`,
  );
  const grid = [0, 50, 100].map(
    (chance) =>
      `<path d="M${LEFT} ${y(chance)}H${RIGHT}" stroke="#dccfb6" stroke-width="2"/>${text(LEFT - 14, y(chance) + 8, 22, String(chance), 'text-anchor="end" fill="#4d4757"')}`,
  );
  const seats = players.flatMap(({ name, result, even }, at) => {
    const left = 60 + (at * 1090) / players.length;
    const [shortened] = wrapText(`${name}: ${result}`, Math.floor(62 / players.length), 1);
    return [
      text(left, 158, 30, shortened!, 'font-weight="700" fill="#231d30"'),
      text(left, 190, 20, even, 'fill="#4d4757"'),
    ];
  });
  const momentParts = moment
    ? [
        `<path d="M${x(moment.at, line.length)} ${TOP - 8}V${BOTTOM}" stroke="#231d30" stroke-width="3" stroke-dasharray="7 6"/>`,
        `<circle cx="${x(moment.at, line.length)}" cy="${y(line[moment.at] ?? 50)}" r="12" fill="#f4b03a" stroke="#231d30" stroke-width="4"/>`,
        text(60, 512, 28, moment.title, 'font-weight="700" fill="#231d30"'),
        ...wrapText(moment.text, 88, 2).map((words, at) =>
          text(60, 550 + at * 34, 25, words, 'fill="#231d30"'),
        ),
      ]
    : [];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeXml(title)}">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#c9d6cb"/><rect x="24" y="24" width="${WIDTH - 48}" height="${HEIGHT - 48}" rx="26" fill="#fffaf0"/>`,
    ...symbols,
    text(360, 74, 40, title, 'font-weight="800" fill="#231d30"'),
    text(360, 106, 20, caption, 'fill="#4d4757"'),
    ...seats,
    ...grid,
    ...others.map(
      (values) =>
        `<path d="${path(values)}" fill="none" stroke="#7f735d" stroke-width="2.500" stroke-dasharray="9 6"/>`,
    ),
    `<path d="${path(line)}" fill="none" stroke="#0d5a54" stroke-width="6" stroke-linejoin="round"/>`,
    ...momentParts,
    '</svg>',
  ].join('\n');
}

/** The same as PNG. */
export async function asPng(svg: string): Promise<Blob> {
  const image = new Image(WIDTH, HEIGHT);
  // The server allows pictures as data:, not as blob:.
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = new OffscreenCanvas(WIDTH, HEIGHT);
  canvas.getContext('2d')!.drawImage(image, 0, 0);
  return canvas.convertToBlob({ type: 'image/png' });
}
