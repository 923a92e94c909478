/** Which moves stay marked on the table. */
import type { EventShown } from '../lib/types';

/** The moves of this round that count: what was taken back is gone. */
export function movesOf(events: EventShown[]): EventShown[] {
  const moves: EventShown[] = [];
  for (const event of events) {
    if (event.deal?.length) moves.length = 0;
    else if (event.type === 'move') moves.push(event);
    else if (event.type === 'undo') moves.pop();
  }
  return moves;
}

/** The opponents' moves since the player's last turn, or that turn until someone replies. Spectators see the
 *  last turn. */
export function recentMoves(events: EventShown[], seat: number | null): EventShown[] {
  const moves = movesOf(events);
  const last = moves.at(-1);
  const isOwn = (event: EventShown): boolean => event.seat === seat;
  const inTrace = (event: EventShown): boolean =>
    last !== undefined && (seat === null ? event.seat === last.seat : isOwn(event) === isOwn(last));
  const start = moves.findLastIndex((event) => !inTrace(event)) + 1;
  return moves.slice(start);
}

/** What a move was, in the notation: the player, the word, and what follows. */
export function parseMove(event: EventShown): { player: number; word: string; rest: string[] } {
  const [player = '', word = '', ...rest] = (event.events?.[0] ?? '').split(' ');
  return { player: Number(player), word, rest };
}

/** What the moves that stay marked brought a player. */
export function recentGains(trace: EventShown[], player: number): number[] {
  const gains: number[] = [];
  for (const event of trace)
    if (parseMove(event).player === player)
      event.gained?.forEach((n, at) => (gains[at] = (gains[at] ?? 0) + n));
  return gains;
}
