/** What a review says, as the server's `Review` and `sixfold review --json` do. Chances, costs and luck are in points:
 *  hundredths of the winning chance, or, with more than two players, of the share of the others one finishes ahead of. */
export type MarkName = 'slip' | 'mistake' | 'blunder';

export interface Candidate {
  move: string;
  chance: number;
  /** The standard error of how far it is behind the best. */
  error: number;
}

export interface Decision {
  kind: 'decision';
  /** Of the event, from 1. */
  number: number;
  player: number;
  move: string;
  /** The same as the move where nothing better is known. */
  best: string;
  forced: boolean;
  chance: number;
  best_chance: number;
  cost: number;
  error: number;
  mark: MarkName | null;
  /** Where all was decided: how many steps of the lowest symbol's margin were lost. */
  margin: number | null;
  /** The best first. */
  candidates: Candidate[];
}

export interface Draw {
  kind: 'draw';
  number: number;
  player: number;
  event: string;
  chance: number;
  average: number;
  luck: number;
  error: number;
}

export type Step = Decision | Draw;

/** result - begin = luck - lost + others_lost + gap. */
export interface Account {
  player: number;
  begin: number;
  result: number | null;
  luck: number;
  luck_error: number;
  lost: number;
  others_lost: number;
  gap: number | null;
  /** The result as it would have been with even luck. */
  even: number;
  decisions: number;
  mean_cost: number;
  marks: Record<MarkName, number>;
}

export interface Review {
  game: string;
  players: number;
  options: Record<string, unknown>;
  names: string[] | null;
  judged_by: string;
  iterations: number;
  seed: number;
  begin: number[];
  /** Everybody's chance after each event. */
  curve: number[][];
  /** One for each event. */
  steps: Step[];
  accounts: Account[];
}

/** How far a review has come: the steps judged so far, in the order of the events as far as they are known. */
export interface Progress {
  done: number;
  total: number;
  step: Step;
  chances: number[];
}
