/** The odds of every choice where chances are known without thinking: not only of the best dozen. They are exact where
 *  the server has the values. */
import { hasServer, odds } from '../lib/api';
import type { Odds, Position } from '../lib/types';
import type { Candidate } from '../review/engine/types';
import type { Bots, State } from '../rules';

/** Candidates with the chance of each other move that comes to something else, the best first. */
export async function everyChoice(
  rules: Bots,
  view: State,
  seat: number,
  candidates: Candidate[],
  chances: (view: State) => Promise<number[]>,
): Promise<Candidate[]> {
  const after = (move: number): State => rules.act(view, move);
  const seenStates = new Set(candidates.map(({ move }) => after(rules.notation.number(move)!).join()));
  const choices = [...candidates];
  for (const move of rules.legal(view)) {
    const nextState = after(move);
    if (seenStates.has(nextState.join())) continue;
    seenStates.add(nextState.join());
    const chance = (await chances(nextState))[seat]!;
    choices.push({ move: rules.notation.text(move)!, chance, error: 0 });
  }
  return choices.sort((a, b) => b.chance - a.chance);
}

// Variants for which the server has no values; they are not requested again.
const unsupported = new Set<string>();
/** Recent answers: the moves and chances of a position share one request, and revisiting it needs none. */
const cache = new Map<string, Promise<Odds | null>>();
const MAX_CACHED = 100;

/** The server's exact odds of a position; null without a server or without exact values. */
export function exactOdds(shownPosition: Position): Promise<Odds | null> {
  // Exact values exist only for open positions, so the viewer does not matter.
  const position = { ...shownPosition, seen_by: null };
  const kind = JSON.stringify([position.game, position.players, position.options]);
  const text = JSON.stringify(position);
  if (unsupported.has(kind)) return Promise.resolve(null);
  const request = cache.get(text) ?? requestOdds(position, kind, text);
  cache.set(text, request);
  if (cache.size > MAX_CACHED) cache.delete(cache.keys().next().value!);
  return request;
}

async function requestOdds(position: Position, kind: string, text: string): Promise<Odds | null> {
  try {
    const result = (await hasServer()) ? await odds(position) : null;
    if (!result) unsupported.add(kind);
    return result;
  } catch {
    cache.delete(text);
    return null; // what the page knows itself is there anyhow
  }
}
