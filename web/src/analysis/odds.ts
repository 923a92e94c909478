/** The odds of every choice where chances are known without thinking: not only of the best dozen. They are exact where
 *  the server has the values. */
import { hasServer, odds } from '../lib/api';
import type { Odds, Position } from '../lib/types';
import type { Candidate } from '../review/types';
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
  const known = new Set(candidates.map(({ move }) => after(rules.spelling.number(move)!).join()));
  const found = [...candidates];
  for (const move of rules.legal(view)) {
    const then = after(move);
    if (known.has(then.join())) continue;
    known.add(then.join());
    const chance = (await chances(then))[seat]!;
    found.push({ move: rules.spelling.text(move)!, chance, error: 0 });
  }
  return found.sort((one, other) => other.chance - one.chance);
}

// A server that has no values for some options is not asked again.
const without = new Set<string>();
/** What was asked of late: moves and chances of a position come by the same answer, and so does going back to one. */
const answers = new Map<string, Promise<Odds | null>>();
const KEPT = 100;

/** What the server knows for certain of a position; null where there is no server, or nothing that it knows. */
export function exactOdds(shown: Position): Promise<Odds | null> {
  // Whoever looks: where anything is known for certain, everything lies open.
  const position = { ...shown, seen_by: null };
  const kind = JSON.stringify([position.game, position.players, position.options]);
  const text = JSON.stringify(position);
  if (without.has(kind)) return Promise.resolve(null);
  const answer = answers.get(text) ?? asked(position, kind, text);
  answers.set(text, answer);
  if (answers.size > KEPT) answers.delete(answers.keys().next().value!);
  return answer;
}

async function asked(position: Position, kind: string, text: string): Promise<Odds | null> {
  try {
    const found = (await hasServer()) ? await odds(position) : null;
    if (!found) without.add(kind);
    return found;
  } catch {
    answers.delete(text);
    return null; // what the page knows itself is there anyhow
  }
}
