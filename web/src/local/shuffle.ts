/** A shuffle that can be checked: chance from a key, committed to before the deal and shown after the round. The same as
 *  on a server, see docs/protocol.md. */
import { deciderOf, type Bots, type State } from '../rules';
import { hex, hmac, sha256 } from './sha256';

const WORD_RANGE = 1n << 64n;

/** The key of a round, counted from 0. It is revealed after the round and says nothing about other rounds' keys. */
export const roundKey = (secret: Uint8Array, round: number): Uint8Array => hmac(secret, `round ${round}`);
export const commitment = (key: Uint8Array): string => hex(sha256(key));

/** A number from 0 to limit - 1, each exactly as likely. */
function uniformBelow(key: Uint8Array, label: string, number: number, limit: number): number {
  const range = BigInt(limit);
  for (let attempt = 0; ; attempt++) {
    const value = new DataView(hmac(key, `${label} ${number} ${attempt}`).buffer).getBigUint64(0);
    if (value < WORD_RANGE - (WORD_RANGE % range)) return Number(value % range);
  }
}

export const startSeat = (key: Uint8Array, seats: number): number => uniformBelow(key, 'start', 0, seats);

/** Resolve pending chance events from the key, after `drawnBefore` items of this round. */
export function resolveChance(
  rules: Bots,
  state: State,
  key: Uint8Array,
  drawnBefore: number,
): { state: State; lines: string[] } {
  const lines: string[] = [];
  for (let pending = rules.pendingChance(state); pending !== null; pending = rules.pendingChance(state)) {
    const items: number[] = [];
    while (items.length < pending.number) {
      const pool = rules.pool(state);
      const total = pool.reduce((sum, number) => sum + number, 0);
      let remaining = uniformBelow(key, 'draw', drawnBefore++, total);
      const item = pool.findIndex((number) => (remaining -= number) < 0);
      state = rules.receive(state, item);
      items.push(item);
    }
    lines.push(rules.event(pending, items));
  }
  return { state, lines };
}

/** How many items chance has supplied in these events. */
export const itemsDrawn = (lines: string[]): number =>
  lines.reduce((sum, line) => sum + (deciderOf(line) === null ? line.split(' ').length - 2 : 0), 0);
