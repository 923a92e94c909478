/** The odds of every choice where chances are known without thinking: not only of the best dozen. */
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
