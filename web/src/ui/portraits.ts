/** The faces in portraits.svg: twelve for bots, twelve animals for people. */
export const PERSONAS = [
  'mira', 'otto', 'juno', 'bruno', 'wanda', 'felix', 'ida', 'nils', 'rosa', 'theo', 'lena', 'emil',
] as const; // prettier-ignore
export const PORTRAITS = [
  'fox', 'owl', 'cat', 'bear', 'hare', 'frog', 'heron', 'badger', 'hedgehog', 'otter', 'moth', 'snail',
] as const; // prettier-ignore

export const hasPortrait = (name: string): boolean =>
  ([...PERSONAS, ...PORTRAITS] as string[]).includes(name);
