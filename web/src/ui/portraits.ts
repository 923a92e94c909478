/** Drawn faces: twelve for bots, twelve animals for people. Shapes on a ground of 64 by 64, the light from the top left. */

export const PERSONAS = [
  'mira', 'otto', 'juno', 'bruno', 'wanda', 'felix', 'ida', 'nils', 'rosa', 'theo', 'lena', 'emil',
] as const; // prettier-ignore
export const PORTRAITS = [
  'fox', 'owl', 'cat', 'bear', 'hare', 'frog', 'heron', 'badger', 'hedgehog', 'otter', 'moth', 'snail',
] as const; // prettier-ignore
export type Persona = (typeof PERSONAS)[number];
export type Animal = (typeof PORTRAITS)[number];

export interface Stroke {
  d: string;
  fill: string;
  stroke: string;
  width: number;
  /** Drawn a second time on the other side. */
  both: boolean;
}
export interface Drawing {
  ground: string;
  strokes: Stroke[];
}

const INK = '#2a2333';
const shape = (fill: string, d: string): Stroke => ({ d, fill, stroke: 'none', width: 0, both: false });
const line = (stroke: string, d: string, width = 1.6): Stroke => ({
  d,
  fill: 'none',
  stroke,
  width,
  both: false,
});
const oval = (fill: string, x: number, y: number, rx: number, ry = rx): Stroke =>
  shape(fill, `M${x - rx} ${y}a${rx} ${ry} 0 1 0 ${2 * rx} 0a${rx} ${ry} 0 1 0 ${-2 * rx} 0Z`);
const ring = (stroke: string, x: number, y: number, r: number, width = 1.4): Stroke => ({
  ...oval('none', x, y, r),
  stroke,
  width,
});
const both = (one: Stroke): Stroke => ({ ...one, both: true });

const eyes = (x = 26.5, y = 31, r = 1.9): Stroke[] => [
  both(oval(INK, x, y, r, r * 1.15)),
  both(oval('#fff', x + r * 0.35, y - r * 0.45, r * 0.34)),
];
const laughing = both(line(INK, 'M23.8 31.6q2.7-3.2 5.4 0', 1.8));

interface Face {
  ground: string;
  skin: string;
  shade: string;
  shirt: string;
  hair: string;
  /** Hair behind the head, and over it. */
  behind?: Stroke[];
  over: Stroke[];
  eyes?: Stroke[];
  mouth?: Stroke;
  /** Beards, glasses and what else lies on a face. */
  worn?: Stroke[];
}
const SMILE = line('#7d2f35', 'M27 39.5q5 4.5 10 0', 1.8);
const GRIN = shape('#fff', 'M26 38.5h12q-1 6-6 6t-6-6Z');

const face = (who: Face): Drawing => ({
  ground: who.ground,
  strokes: [
    ...(who.behind ?? []),
    shape(who.shirt, 'M6 66c0-13 11-17.5 26-17.5S58 53 58 66Z'),
    shape(who.shade, 'M26 40h12v9q-6 5-12 0Z'),
    both(oval(who.shade, 18.6, 31.5, 3, 3.8)),
    shape(who.skin, 'M19 26c0-9 6-14 13-14s13 5 13 14c0 11-5 20-13 20S19 37 19 26Z'),
    both(oval('#e0605a55', 23.5, 37, 3, 2.2)),
    ...(who.eyes ?? eyes()),
    both(line(who.hair, 'M23.5 26.2q2.8-2 5.5-.7', 1.6)),
    line(who.shade, 'M32 31.5q-1.8 4 .6 4.3', 1.6),
    ...(who.worn ?? []),
    who.mouth ?? SMILE,
    ...who.over,
  ],
});

const glasses = (stroke: string): Stroke[] => [
  both(ring(stroke, 26, 31, 4.6)),
  line(stroke, 'M30.6 30.5q1.4-1 2.8 0', 1.4),
];

const FACES: Record<Persona, () => Drawing> = {
  mira: () =>
    face({
      ground: '#8fd0c4', skin: '#d59a6c', shade: '#b87c50', shirt: '#f3bd3c', hair: '#3a2430',
      behind: [shape('#3a2430', 'M14 48V27C14 14 22 8 32 8s18 6 18 19v21q-18 6-36 0Z')],
      over: [shape('#4b2f3c', 'M17 32c0-14 6-21 15-21s15 7 15 21c-1-5-3-8-5-9-7 2-15 1-20-1-3 2-4 5-5 10Z')],
    }), // prettier-ignore
  otto: () =>
    face({
      ground: '#e9c46a', skin: '#f2cba5', shade: '#d9a67b', shirt: '#3d5a80', hair: '#9b9aa3',
      over: [both(shape('#b8b7bf', 'M17.5 30c-2-6 0-11 3.5-13-1 4-1 7-1.5 13Z'))],
      worn: [
        ...glasses('#4a4458'),
        shape('#b8b7bf', 'M32 37c3-2 8-1 10 3-4 2-8 1-10-1-2 2-6 3-10 1 2-4 7-5 10-3Z'),
        shape('#d1495b', 'M32 51l-7-3.5v7ZM32 51l7-3.5v7Z'),
      ],
      mouth: line('#7d2f35', 'M29 42.5q3 2 6 0', 1.6),
    }), // prettier-ignore
  juno: () =>
    face({
      ground: '#c9b6ee', skin: '#8d5a3c', shade: '#6f432b', shirt: '#ee6c4d', hair: '#21182a',
      behind: [
        oval('#2b2034', 32, 24, 21, 19), both(oval('#2b2034', 14, 30, 8)), both(oval('#2b2034', 20, 12, 9)),
      ],
      over: [shape('#2b2034', 'M19 25c1-8 6-13 13-13s12 5 13 13c-3-5-7-7-13-7s-10 2-13 7Z')],
      worn: [both(oval('#f6bd60', 17.6, 39.5, 2))],
      mouth: GRIN,
    }), // prettier-ignore
  bruno: () =>
    face({
      ground: '#9ec1e8', skin: '#eab58c', shade: '#cf9467', shirt: '#6a4c93', hair: '#54341f',
      over: [
        shape('#c8553d', 'M17 25C16 12 23 6 32 6s16 6 15 19q-15-5-30 0Z'),
        shape('#e07a5f', 'M16 20.5q16-5.5 32 0v6q-16-5.5-32 0Z'),
        oval('#f2e9dc', 32, 5.5, 3.5),
      ],
      worn: [
        shape('#6b442a', 'M18.6 30c1 4 3 5 6 5.5 4-2 11-2 15 0 3-.5 5-1.5 6-5.5 1 12-4 19-13.4 19S17.6 42 18.6 30Z'),
      ],
      mouth: line('#f7d9c4', 'M27.5 40.5q4.5 3 9 0', 2),
    }), // prettier-ignore
  wanda: () =>
    face({
      ground: '#f4a6a0', skin: '#f6d3b8', shade: '#dcae8c', shirt: '#2f6f6b', hair: '#8d8a96',
      behind: [oval('#cfccd6', 32, 8, 8), oval('#cfccd6', 32, 26, 16.5, 17)],
      over: [shape('#dedbe3', 'M17 31c-1-13 5-20 15-20s16 7 15 20c-2-7-6-11-9-13-7 5-15 5-21 13Z')],
      eyes: [laughing],
      worn: [...glasses('#a23e48'), shape('#e9c46a', 'M20 50q12 7 24 0l2 5q-14 8-28 0Z')],
    }), // prettier-ignore
  felix: () =>
    face({
      ground: '#a8d8a0', skin: '#fbd7bd', shade: '#e5ad88', shirt: '#4361a8', hair: '#b4491d',
      over: [
        shape('#d9632a', 'M16 29C13 17 20 9 27 10c2-4 6-4 7-2 3-3 8-1 8 2 6 1 9 9 6 19-2-6-3-8-6-10-3 2-6 1-7-1-2 3-6 3-8 1-4 2-9 3-11 10Z'),
      ],
      worn: [both(oval('#c97b4a', 23.5, 35.5, 0.8)), both(oval('#c97b4a', 26.5, 37, 0.8)), both(oval('#c97b4a', 21.5, 33.6, 0.7))],
      mouth: GRIN,
    }), // prettier-ignore
  ida: () =>
    face({
      ground: '#7fb7d9', skin: '#fbdcc2', shade: '#e3b391', shirt: '#e4572e', hair: '#b98a2e',
      behind: [both(shape('#e7b84b', 'M20 34c-7 1-9 7-5 10-4 3-4 8 0 10-2 3-1 6 2 6s5-4 3-7c3-3 3-7 0-10 3-2 3-6 0-9Z')), both(oval('#d1495b', 15.5, 57, 2.6, 1.8))],
      over: [shape('#efc75e', 'M17.5 33C15 18 22 10 32 10s17 8 14.5 23c-2-9-6-13-14.5-18-8.5 5-12.5 9-14.5 18Z')],
      mouth: line('#7d2f35', 'M27.5 40q4.5 4 9-.5', 1.8),
    }), // prettier-ignore
  nils: () =>
    face({
      ground: '#f0d9a8', skin: '#f0c39b', shade: '#d69d70', shirt: '#588157', hair: '#a8853f',
      behind: [shape('#c9a455', 'M16 46V26c0-11 6-17 16-17s16 6 16 17v20q-4 4-8 1V30H24v17q-4 3-8-1Z')],
      over: [
        shape('#d9b669', 'M18 27c0-11 5-17 14-17s14 6 14 17c-1-3-3-6-5-7-5 1-11 1-16-2-3 2-6 5-7 9Z'),
        line('#bc4749', 'M17.5 21.5q14.5 4.5 29 0', 3),
      ],
      worn: [shape('#b98d4b88', 'M20 36c2 4 5 3 7 2 3-1.5 7-1.5 10 0 2 1 5 2 7-2-1 8-6 11-12 11s-11-3-12-11Z')],
      mouth: line('#7d2f35', 'M28 41q4 2.5 8 0', 1.8),
    }), // prettier-ignore
  rosa: () =>
    face({
      ground: '#f6c28b', skin: '#e5ad82', shade: '#c98b5e', shirt: '#5e548e', hair: '#6d1f2c',
      behind: [shape('#7d2735', 'M15 26C14 13 22 7 32 7s18 6 17 19c4 4 4 10 1 14 3 5 0 12-5 12H19c-5 0-8-7-5-12-3-4-3-10 1-14Z')],
      over: [
        shape('#93303f', 'M17 31c-1-13 5-20 15-20s16 7 15 20c-1-6-4-10-8-12-6 4-16 3-22 12Z'),
        oval('#ffd166', 45, 17, 2.2), ...[0, 1, 2, 3, 4].map((at) => oval('#fff3e2', 45 + 3.8 * Math.cos(at * 1.257), 17 + 3.8 * Math.sin(at * 1.257), 2.3)),
        oval('#ffb703', 45, 17, 2.2),
      ],
      eyes: [laughing],
    }), // prettier-ignore
  theo: () =>
    face({
      ground: '#e29578', skin: '#74462e', shade: '#57321f', shirt: '#e9edc9', hair: '#17121c',
      over: [shape('#1f1826', 'M18.5 25C17 14 23 9.5 32 9.5S47 14 45.5 25c-1-5-3-7-5-8-5-1.5-12-1.5-17 0-2 1-4 3-5 8Z')],
      worn: [
        both({ ...shape('none', 'M21.5 27.5h8.5v6.5h-8.5Z'), stroke: '#f4f1de', width: 1.5 }),
        line('#f4f1de', 'M30 29.5h4', 1.5),
        shape('#1f1826', 'M27 44.5q5-2.5 10 0-1 4-5 4t-5-4Z'),
      ],
      mouth: line('#fbeee0', 'M27.5 40q4.5 3 9 0', 1.8),
    }), // prettier-ignore
  lena: () =>
    face({
      ground: '#b8c0ff', skin: '#f3cfae', shade: '#dba983', shirt: '#2a9d8f', hair: '#241d33',
      behind: [shape('#332844', 'M40 8c10-6 19 3 15 14-2 7 1 10 4 12-7 3-14-1-14-9Z'), oval('#332844', 32, 25, 15.5, 16)],
      over: [
        shape('#3d3151', 'M17 30c-1-12 5-19.5 15-19.5S48 18 47 30c-3-8-8-12-15-13-7 1-12 5-15 13Z'),
        oval('#f28482', 42, 11.5, 3),
      ],
      worn: [both(oval('#ffd166', 17.8, 37.5, 1.5))],
    }), // prettier-ignore
  emil: () =>
    face({
      ground: '#95d5b2', skin: '#fce0cb', shade: '#e7b99a', shirt: '#f77f00', hair: '#7a5230',
      over: [shape('#8c6239', 'M15.5 30C13 16 21 8.5 32 8.5S51 16 48.5 30q-2 1.5-3.5 0-1-4-1.5-5-11.5 3-23 0Q20 27 19 30q-1.5 1.5-3.5 0Z'), shape('#7d2f35', 'M31 38.5h2.4v2.4H31Z')],
      mouth: GRIN,
      eyes: eyes(26.5, 31.5, 2.3),
    }), // prettier-ignore
};

const whiskers = (stroke: string, y: number): Stroke[] => [
  both(line(stroke, `M22 ${y}L8 ${y - 3}`, 1)),
  both(line(stroke, `M22 ${y + 3}L9 ${y + 5}`, 1)),
];
const nose = (fill: string, y: number, size = 3.2): Stroke =>
  shape(
    fill,
    `M${32 - size} ${y}h${2 * size}q-.5 ${size * 1.1}-${size} ${size * 1.2}t-${size}-${size * 1.2}Z`,
  );
const muzzle = (y: number): Stroke => line(INK, `M32 ${y}v3q-1 4-5 3M32 ${y + 3}q1 4 5 3`, 1.4);

const ANIMALS: Record<Animal, () => Drawing> = {
  fox: () => ({
    ground: '#a7d3a6',
    strokes: [
      both(shape('#c9521b', 'M12 30C9 20 10 11 13 8c6 3 12 8 15 13Z')),
      both(shape('#3b2630', 'M14 22c-1-6-.5-9 .5-11 4 2 7 5 9 8Z')),
      shape('#e8762d', 'M32 57C20 52 9 42 10 31c4-9 13-12 22-12s18 3 22 12c1 11-10 21-22 26Z'),
      both(shape('#fff4e6', 'M10.5 35c3-3 12 1 15 7 1 5 3 9 6.5 15C20 52 10.5 43 10.5 35Z')),
      ...eyes(23, 34, 2.2),
      nose(INK, 48, 3.6),
    ],
  }),
  owl: () => ({
    ground: '#8896c8',
    strokes: [
      both(shape('#6b4a35', 'M12 12q8 1 13 6l-11 9Z')),
      oval('#7d583f', 32, 37, 22, 25),
      shape('#a97f5c', 'M18 50q14-9 28 0v16H18Z'),
      both(line('#7d583f', 'M24 55q2 3 4 0m0 6q2 3 4 0', 1.8)),
      both(oval('#f4dfc0', 22.5, 31, 10.5)),
      both(oval('#f6b73c', 23, 31, 6)),
      ...eyes(23, 31, 3.4),
      shape('#f08a24', 'M28.5 36h7L32 44Z'),
    ],
  }),
  cat: () => ({
    ground: '#f3c7b3',
    strokes: [
      both(shape('#6f7688', 'M12 32C9 20 10 11 12 8c6 2 11 6 14 11Z')),
      both(shape('#f0a3a3', 'M14.5 21q-1-6 0-8.5 4 2 6.5 5Z')),
      oval('#868da0', 32, 36, 22, 20),
      line('#5c6273', 'M32 17v7M26 18l1.5 6M38 18l-1.5 6', 2.6),
      both(line('#5c6273', 'M10 34l6 1M10.5 40l6-.5', 2.2)),
      both(oval('#dff0a0', 23, 34, 4.6)),
      both(oval(INK, 23, 34, 1.7, 4)),
      oval('#f4f1ec', 32, 45, 8.5, 6.5),
      nose('#d9707a', 40),
      muzzle(43.5),
      ...whiskers('#f4f1ec', 44),
    ],
  }),
  bear: () => ({
    ground: '#f2d388',
    strokes: [
      both(oval('#6d4530', 14, 17, 8)),
      both(oval('#b97d58', 14.5, 18, 4.2)),
      oval('#825339', 32, 36, 23, 22),
      oval('#d9b08c', 32, 45, 11, 9),
      ...eyes(22.5, 32, 2.4),
      nose(INK, 39, 4.5),
      muzzle(44),
    ],
  }),
  hare: () => ({
    ground: '#b7dcf0',
    strokes: [
      both(shape('#b3947a', 'M19 30C11 18 13 2 19 2s9 14 8 26Z')),
      both(shape('#f1c3b4', 'M20 26c-5-9-4-20-1-20s5 11 4.5 19Z')),
      oval('#c4a88f', 32, 42, 18, 18),
      both(oval('#f7ece0', 26, 49, 7, 6)),
      ...eyes(22.5, 38, 2.6),
      nose('#a85751', 43),
      shape('#fff', 'M28.8 51h6.4v5.5h-6.4Z'),
      line('#c9b8a6', 'M32 51v5.5', 0.9),
      muzzle(46),
    ],
  }),
  frog: () => ({
    ground: '#f0b8c4',
    strokes: [
      both(oval('#5c9a3c', 18, 20, 9.5)),
      oval('#6fb24a', 32, 39, 25, 20),
      both(oval('#fff7d6', 18, 19, 6.5)),
      ...eyes(18.5, 19.5, 3),
      shape('#d9ecae', 'M12 46q20 14 40 0-4 15-20 15T12 46Z'),
      line('#2f5a22', 'M10 42q22 14 44 0', 2),
      both(oval('#e8776a66', 14, 38, 4, 3)),
      both(oval('#2f5a22', 29.5, 34, 0.9)),
    ],
  }),
  heron: () => ({
    ground: '#f5d6a1',
    strokes: [
      shape('#7c93ad', 'M14 66c-1-14 4-20 10-25 5-4 6-8 3-12l12-6c6 7 5 16-1 21-6 6-6 14-5 22Z'),
      oval('#e9eef4', 32, 22, 13, 11),
      shape('#2c3a52', 'M20 17C10 14 5 17 2 22c8 0 15 2 22 2 9-1 14-5 16-9-6-5-15-4-20 2Z'),
      shape('#f0a030', 'M41 20l22 7-22 4q-4-6 0-11Z'),
      line('#c77a14', 'M42 26l19 1', 1.2),
      oval('#ffd75e', 36, 21.5, 3.2), oval(INK, 36.6, 21.5, 1.6),
      line('#5d7390', 'M22 50q3-7 9-12M20 60q1-8 4-13', 1.6),
    ],
  }), // prettier-ignore
  badger: () => ({
    ground: '#c3d898',
    strokes: [
      both(oval('#3a3742', 14, 21, 6.5)),
      both(oval('#f2efe8', 14, 20, 3)),
      shape('#f2efe8', 'M32 60C18 58 9 46 10 34c1-11 10-18 22-18s21 7 22 18c1 12-8 24-22 26Z'),
      both(shape('#34313c', 'M15 27c3-6 7-9 11-9 1 6-1 20-2 27-1 5-2 7-4 8-5-6-9-16-5-26Z')),
      both(oval('#fff', 22, 35, 1.1)),
      both(oval('#0f0d14', 22, 36, 2.2)),
      both(oval('#fff', 22.7, 35.2, 0.8)),
      nose(INK, 48, 4.2),
      muzzle(53),
    ],
  }),
  hedgehog: () => ({
    ground: '#e9b47e',
    strokes: [
      shape(
        '#4b372f',
        'M32 4l5 6 7-4 2 8 8-1-1 8 8 3-5 6 5 6-7 4 2 8-8 1v8l-8-2-8 4-8-4-8 2v-8l-8-1 2-8-7-4 5-6-5-6 8-3-1-8 8 1 2-8 7 4Z',
      ),
      shape('#6d5245', 'M32 12l4 5 6-2 1 6 6 1-1 6 4 4-5 18H17l-5-18 4-4-1-6 6-1 1-6 6 2Z'),
      shape('#f0d3ae', 'M32 27c-9-8-18 0-17 11 1 12 8 19 17 19s16-7 17-19c1-11-8-19-17-11Z'),
      ...eyes(24, 39, 2.3),
      both(oval('#e8776a55', 20, 46, 3.5, 2.5)),
      nose(INK, 44, 4),
      muzzle(48.5),
    ],
  }),
  otter: () => ({
    ground: '#7fc7c4',
    strokes: [
      both(oval('#5d4234', 12, 26, 4.5)),
      shape('#75543f', 'M32 12c15 0 23 10 23 24S45 60 32 60 9 50 9 36s8-24 23-24Z'),
      shape('#d8bd9e', 'M12 44c2-8 11-7 20-7s18-1 20 7c-2 11-11 16-20 16s-18-5-20-16Z'),
      both(oval('#ecdcc6', 26.5, 45, 7, 6)),
      ...eyes(22, 32, 2.4),
      nose(INK, 37, 4.8),
      muzzle(42),
      ...whiskers('#5d4234', 46),
    ],
  }),
  moth: () => ({
    ground: '#5b5680',
    strokes: [
      both(shape('#d9b48a', 'M30 34C20 14 6 12 3 18c-2 8 4 20 24 22Z')),
      both(shape('#c0906a', 'M29 38C14 38 8 46 12 54c5 6 15 0 19-12Z')),
      both(oval('#7a4a5c', 14, 24, 4.6)),
      both(oval('#f5e3c3', 14, 24, 2.2)),
      both(oval('#7a4a5c', 18, 47, 2.8)),
      both(line('#f5e3c3', 'M29 22q-3-10-11-13m5.5 1.5l-2 4m5 .5l-3 3', 1.5)),
      oval('#f5e3c3', 32, 44, 5.5, 14),
      line('#c9a983', 'M27.5 44q4.5 2 9 0M28 50q4 2 8 0', 1.6),
      oval('#fff4df', 32, 27, 8.5, 8),
      ...eyes(28.3, 26.5, 2.2),
      line('#7d2f35', 'M29.5 30.5q2.5 2 5 0', 1.3),
    ],
  }),
  snail: () => ({
    ground: '#bfe0b0',
    strokes: [
      shape('#e8c79a', 'M10 56c5 0 6-8 6-17 0-6 12-6 12 1 0 7 2 8 7 8h20c4 0 6 4 5 8q-25 4-50 0Z'),
      line('#e8c79a', 'M18 37l-4-13M25 36l2-13', 2.8),
      oval('#fff', 14, 21.5, 4), oval('#fff', 27.5, 21.5, 4),
      oval(INK, 15, 21.5, 1.9), oval(INK, 28.5, 21.5, 1.9),
      line('#7d2f35', 'M17.5 44q3.5 3.5 7 0', 1.5),
      oval('#b3564f', 42, 38, 16),
      ring('#d98a6a', 42, 38, 11.5, 3),
      line('#f3cfa3', 'M42 47a9 9 0 1 1 8-12 6.7 6.7 0 1 1-11.5 6.5 4.5 4.5 0 1 1 7-3.6', 2.8),
      oval('#e8776a66', 17, 41, 2.2, 1.7),
    ],
  }), // prettier-ignore
};

const DRAWN: Record<string, () => Drawing> = { ...FACES, ...ANIMALS };
const known = new Map<string, Drawing>();

/** The SVG of a portrait; undefined if there is none. */
export function portraitSvg(portrait: string): Drawing | undefined {
  if (!known.has(portrait) && Object.hasOwn(DRAWN, portrait)) known.set(portrait, DRAWN[portrait]!());
  return known.get(portrait);
}
