/** The events of a game: one function that checks and applies an event, and one walk through a record. */
import type { State } from './memory';
import type { GameName, Refusal, Rules } from './rules';

/** The player of a decision; null for chance. */
export const deciderOf = (line: string): number | null => (/^\d( |$)/.test(line) ? Number(line[0]) : null);

/** The move of a decision, without its player. */
export const moveOf = (line: string): string => line.slice(line.indexOf(' ') + 1);

/** What cannot happen: a sentence's key, the words that fill it, and the clause. */
export class RefusalError extends Error implements Refusal {
  constructor(
    readonly key: string,
    readonly words: Record<string, string>,
    readonly clause: string,
  ) {
    super(key);
  }
}

/** What is wrong with a record: a key of a sentence, and for an event of it the reason and the clause. */
export interface Fault {
  key: 'record_bad' | 'record_event' | 'record_result' | 'record_legal';
  words: Record<string, string>;
  why?: Refusal;
}

export class RecordError extends Error {
  constructor(readonly fault: Fault) {
    const { why, words } = fault;
    super(
      [fault.key, ...Object.values(words), why && `${why.key} (${why.clause})`].filter(Boolean).join(': '),
    );
  }
}

/** An event that happened: its player, the move if it is a decision, and the states around it. */
export interface AppliedEvent {
  event: string;
  player: number;
  move: number | null;
  before: State;
  state: State;
}

/** Apply an event, or refuse one that cannot happen here. */
export function applyEvent(rules: Rules<GameName>, before: State, event: string): AppliedEvent {
  const { about } = rules;
  if (rules.over(before)) throw new RefusalError('over', {}, about.clauses.end);
  const [head, ...rest] = event.split(' ');
  const turn = rules.turn(before);
  const pending = rules.pendingChance(before);
  const expected = pending && {
    word: pending.occasion.word,
    player: String(pending.player),
    number: String(pending.number),
  };
  if (about.occasions.some(({ word }) => word === head)) {
    if (!pending) throw new RefusalError('no_chance', { player: String(turn) }, 'record');
    const { clause } = pending.occasion;
    if (head !== expected!.word || rest[0] !== expected!.player)
      throw new RefusalError('chance_first', expected!, clause);
    const items = rest.slice(1);
    if (items.length !== pending.number)
      throw new RefusalError('wrong_number', { ...expected!, given: String(items.length) }, clause);
    const unknownItem = items.find((item) => !about.items.includes(item));
    if (unknownItem !== undefined) throw new RefusalError('no_item', { item: unknownItem }, 'record');
    const numbers = items.map((item) => about.items.indexOf(item));
    const canonical = rules.event(pending, numbers);
    if (canonical !== event) throw new RefusalError('item_order', { example: canonical }, 'record');
    let state = before;
    while (numbers.length) {
      // Where a pool is filled again, its rest comes before what is new, wherever it stands in the event.
      const pool = rules.pool(state);
      const at = numbers.findIndex((item) => pool[item]);
      if (at < 0) throw new RefusalError('not_there', { item: about.items[numbers[0]!]! }, clause);
      state = rules.receive(state, numbers.splice(at, 1)[0]!);
    }
    return { event, player: pending.player, move: null, before, state };
  }
  if (pending) throw new RefusalError('chance_first', expected!, pending.occasion.clause);
  const player = deciderOf(event);
  const move = player === null ? null : rules.notation.number(rest.join(' '));
  if (player !== null && player !== turn)
    throw new RefusalError('not_your_turn', { player: String(turn) }, 'record');
  if (player === null || move === null)
    throw new RefusalError('not_a_move', { example: `${turn} ${about.example}` }, 'record');
  const why = rules.refusal(before, move);
  if (why) throw new RefusalError(why.key, why.words, why.clause);
  return { event, player, move, before, state: rules.act(before, move) };
}

/** The events of a record one after the other; the error of one that cannot happen says which. */
export function* walk(rules: Rules<GameName>, start: State, events: string[]): Generator<AppliedEvent> {
  let state = start;
  for (const [at, event] of events.entries()) {
    let applied: AppliedEvent;
    try {
      applied = applyEvent(rules, state, String(event));
    } catch (error) {
      if (!(error instanceof RefusalError)) throw error;
      const { key, words, clause } = error;
      throw new RecordError({
        key: 'record_event',
        words: { n: String(at + 1), event: String(event) },
        why: { key, words, clause },
      });
    }
    yield applied;
    ({ state } = applied);
  }
}

export function stateAfter(rules: Rules<GameName>, start: State, events: string[]): State {
  let after = start;
  for (const { state } of walk(rules, start, events)) after = state;
  return after;
}

/** A decision with the chance after it, or the chance before the first decision. */
export interface RecordStep {
  events: string[];
  player: number | null;
  /** What the events added to the player's values. */
  gained: number[];
  state: State;
}

export function stepsOf(rules: Rules<GameName>, start: State, events: string[]): RecordStep[] {
  const steps: (RecordStep & { before: State })[] = [];
  for (const { event, before, state } of walk(rules, start, events)) {
    const player = deciderOf(event);
    const last = steps.at(-1);
    if (player !== null || !last) steps.push({ events: [event], player, gained: [], before, state });
    else Object.assign(last, { events: [...last.events, event], state });
  }
  return steps.map(({ before, ...step }) => ({
    ...step,
    gained: gainedBy(rules, step.player, before, step.state),
  }));
}

/** What a player's values gained between two states; nothing for chance. */
export function gainedBy(
  rules: Rules<GameName>,
  player: number | null,
  before: State,
  after: State,
): number[] {
  if (player === null) return rules.about.values.map(() => 0);
  const previous = rules.values(before)[player]!;
  return rules.values(after)[player]!.map((value, at) => value - previous[at]!);
}
