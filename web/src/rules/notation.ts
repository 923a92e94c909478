/** Moves as text, from the compact tables of a manifest. */
import type { Block } from './manifest';

const blockLength = (block: Block): number =>
  Array.isArray(block) ? block.length : block.inner * block.outer;

function blockText(block: Exclude<Block, unknown[]>, number: number): string | null {
  if (block.not.some(([first, count]) => number >= first && number < first + count)) return null;
  const outer = Math.floor(number / block.inner);
  const inner = number % block.inner;
  return block.words
    .map((word) =>
      typeof word === 'string' ? word : 'outer' in word ? word.outer[outer] : word.inner[inner],
    )
    .join(' ');
}

export class Notation {
  #blocks: Block[];
  #numbers: Map<string, number> | undefined;

  constructor(blocks: Block[]) {
    this.#blocks = blocks;
  }

  /** A move's only text; null for a number that no move has. */
  text(move: number): string | null {
    let number = move;
    for (const block of this.#blocks) {
      const length = blockLength(block);
      if (number < length) return Array.isArray(block) ? (block[number] ?? null) : blockText(block, number);
      number -= length;
    }
    return null;
  }

  /** The move that a text means; null where it means none. */
  number(text: string): number | null {
    this.#numbers ??= this.#buildIndex();
    return this.#numbers.get(text) ?? null;
  }

  #buildIndex(): Map<string, number> {
    const numbers = new Map<string, number>();
    const total = this.#blocks.reduce((sum, block) => sum + blockLength(block), 0);
    for (let move = 0; move < total; move++) {
      const text = this.text(move);
      if (text !== null) numbers.set(text, move);
    }
    return numbers;
  }
}
