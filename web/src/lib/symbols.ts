/** The six symbols: their letters, their shapes (never colour alone) and the geometry of what carries them. */

export const LETTERS = ['R', 'G', 'B', 'O', 'Y', 'P'] as const;
export type Letter = (typeof LETTERS)[number];

/** A closed path through points on two circles, by turns; used for all stars. */
function star(points: number, outer: number, inner: number): string {
  const corners = Array.from({ length: 2 * points }, (_, at) => {
    const angle = (Math.PI * at) / points - Math.PI / 2;
    const radius = at % 2 ? inner : outer;
    return `${(radius * Math.cos(angle)).toFixed(2)} ${(radius * Math.sin(angle)).toFixed(2)}`;
  });
  return `M${corners.join('L')}Z`;
}

function polygon(corners: number, radius: number, turn = 0): string {
  const points = Array.from({ length: corners }, (_, at) => {
    const angle = (2 * Math.PI * at) / corners + turn;
    return `${(radius * Math.cos(angle)).toFixed(2)} ${(radius * Math.sin(angle)).toFixed(2)}`;
  });
  return `M${points.join('L')}Z`;
}

const circle = (radius: number): string =>
  `M${-radius} 0a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0Z`;

/** A disc in the middle, and rays around it. */
function sun(): string {
  const rays = Array.from({ length: 12 }, (_, at) => {
    const angle = (Math.PI * at) / 6;
    const corner = (radius: number, turn: number): string =>
      `${(radius * Math.cos(angle + turn)).toFixed(2)} ${(radius * Math.sin(angle + turn)).toFixed(2)}`;
    return `M${corner(6.2, -0.17)}L${corner(10, -0.07)}L${corner(10, 0.07)}L${corner(6.2, 0.17)}Z`;
  });
  return circle(4.7) + rays.join('');
}

/** Each shape fits a circle of radius 10 around the origin. */
export const SHAPES: Record<Letter, string> = {
  R: star(12, 10, 6.4),
  G: circle(8.6),
  B: star(6, 10, 4.6),
  O: polygon(6, 9.6),
  Y: sun(),
  P: `${circle(9.2)}${circle(4.9)}`,
};

/** A hexagon with a corner at the top, of the given radius. */
export const hexagon = (radius: number): string => polygon(6, radius, Math.PI / 6);

export const isLetter = (text: string): text is Letter => (LETTERS as readonly string[]).includes(text);
export const indexOf = (letter: Letter): number => LETTERS.indexOf(letter);
/** The two halves of a tile or card, or nothing where it lies face down. */
export function halves(item: string): [Letter, Letter] | null {
  const [first, second] = [item[0] ?? '', item[1] ?? ''];
  return isLetter(first) && isLetter(second) ? [first, second] : null;
}
