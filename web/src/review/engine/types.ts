/** What a review says: the server's shapes by their own names. Chances, costs and luck are in points: hundredths of the
 *  winning chance, or, with more than two players, of the share of the others one finishes ahead of. */
import type { components } from '../../lib/schema';

type Shapes = components['schemas'];

export type MarkName = 'slip' | 'mistake' | 'blunder';
export type Candidate = Shapes['Candidate'];
export type Decision = Omit<Shapes['Decision'], 'mark'> & { mark: MarkName | null };
export type Draw = Shapes['Draw'];
export type Step = Decision | Draw;
export type Account = Omit<Shapes['Account'], 'marks'> & { marks: Record<MarkName, number> };
export type Review = Omit<Shapes['Review'], 'options' | 'steps' | 'accounts'> & {
  options: Record<string, unknown>;
  steps: Step[];
  accounts: Account[];
};

/** How far a review has come: the steps judged so far, in the order of the events as far as they are known. */
export interface Progress {
  done: number;
  total: number;
  step: Step;
  chances: number[];
}
