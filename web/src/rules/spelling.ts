/** Moves as text, from the short table of a description. */
import type { Block } from './description';

const lengthOf = (block: Block): number => (Array.isArray(block) ? block.length : block.inner * block.outer);

function wordsOf(block: Exclude<Block, unknown[]>, number: number): string | null {
  if (block.not.some(([first, many]) => number >= first && number < first + many)) return null;
  const outer = Math.floor(number / block.inner);
  const inner = number % block.inner;
  return block.words
    .map((word) =>
      typeof word === 'string' ? word : 'outer' in word ? word.outer[outer] : word.inner[inner],
    )
    .join(' ');
}

export class Spelling {
  #blocks: Block[];
  #numbers: Map<string, number> | undefined;

  constructor(blocks: Block[]) {
    this.#blocks = blocks;
  }

  /** A move's only text; null for a number that no move has. */
  text(move: number): string | null {
    let number = move;
    for (const block of this.#blocks) {
      const length = lengthOf(block);
      if (number < length) return Array.isArray(block) ? (block[number] ?? null) : wordsOf(block, number);
      number -= length;
    }
    return null;
  }

  /** The move that a text means; null where it means none. */
  number(text: string): number | null {
    this.#numbers ??= this.#all();
    return this.#numbers.get(text) ?? null;
  }

  #all(): Map<string, number> {
    const found = new Map<string, number>();
    const many = this.#blocks.reduce((sum, block) => sum + lengthOf(block), 0);
    for (let move = 0; move < many; move++) {
      const text = this.text(move);
      if (text !== null) found.set(text, move);
    }
    return found;
  }
}
