/** The record of a game, read and checked against the rules, as `sixfold check` does. */
import type { Bots, OptionValue, State } from '../../rules';
import { shareBeaten, POINTS } from './evaluator';

const FORMAT = 'sixfold/1';

export interface GameRecord {
  format: string;
  game: string;
  players: number;
  options: Record<string, OptionValue>;
  names?: string[] | null;
  events: string[];
  legal?: number[] | null;
  result: { places: number[]; values: number[][] } | null;
}

/** What is wrong with a record: a key of a sentence, and for an event of it the reason and the clause. */
export interface Fault {
  key: 'record_bad' | 'record_event' | 'record_result' | 'record_legal';
  words: Record<string, string>;
  why?: { key: string; words: Record<string, string>; clause: string };
}

export class RecordError extends Error {
  constructor(readonly fault: Fault) {
    const { why, words } = fault;
    super(
      [fault.key, ...Object.values(words), why && `${why.key} (${why.clause})`].filter(Boolean).join(': '),
    );
  }
}

const badRecord = (what: string): RecordError => new RecordError({ key: 'record_bad', words: { what } });

/** One event: its player's view before it, all players' views after it, and the move if it is a decision. */
export interface Task {
  number: number;
  event: string;
  player: number;
  move: number | null;
  /** How many moves there were. */
  choices: number;
  before: State;
  after: State[];
}

export interface ReplayedRecord {
  record: GameRecord;
  tasks: Task[];
  /** All players' views before the first event. */
  opening: State[];
  /** The final result in points; null if the record ends before the game does. */
  result: number[] | null;
}

/** A record's head, before anything is known of its game. */
export function headOf(record: unknown): GameRecord {
  if (typeof record !== 'object' || record === null || Array.isArray(record)) throw badRecord('format');
  const head = record as GameRecord;
  for (const key of ['format', 'game', 'players', 'options', 'events', 'result'])
    if (!(key in head)) throw badRecord(key);
  const { format, game, players, options, events, names } = head;
  if (format !== FORMAT) throw badRecord('format');
  if (typeof game !== 'string' || !/^[a-z_]+$/.test(game)) throw badRecord('game');
  if (!Number.isInteger(players)) throw badRecord('players');
  if (typeof options !== 'object' || options === null || Array.isArray(options)) throw badRecord('options');
  if (!Array.isArray(events) || events.some((event) => typeof event !== 'string')) throw badRecord('events');
  if (names != null && !(Array.isArray(names) && names.every((name) => typeof name === 'string')))
    throw badRecord('names');
  if (names != null && names.length !== players) throw badRecord('names');
  return head;
}

/** Replay a record and check its result and counts of legal moves. */
export function replayRecord(rules: Bots, record: GameRecord): ReplayedRecord {
  const { about } = rules;
  const { players, options, events } = record;
  if (record.game !== about.game) throw badRecord('game');
  if (!about.players.includes(players)) throw badRecord('players');
  const optionNames = Object.keys(about.options);
  if (
    optionNames.some((name) => !(name in options)) ||
    Object.keys(options).some((name) => !optionNames.includes(name))
  )
    throw badRecord('options');
  if (optionNames.some((name) => !about.options[name]!.includes(options[name]!))) throw badRecord('options');
  let state = rules.start(players, options);
  const allViews = (): State[] => Array.from({ length: players }, (_, seat) => rules.hide(state, seat));
  const opening = allViews();
  let before = opening;
  const tasks = events.map((event, at): Task => {
    const outcome = applyEvent(rules, state, event, at + 1);
    state = outcome.state;
    const { player, move, choices } = outcome;
    const after = allViews();
    const task = { number: at + 1, event, player, move, choices, before: before[player]!, after };
    before = after;
    return task;
  });
  const values = rules.over(state) ? rules.values(state) : null;
  compareResult(rules, record, state, values);
  compareLegal(record, tasks);
  return { record, tasks, opening, result: values && shareBeaten(values).map((share) => POINTS * share) };
}

interface EventOutcome {
  state: State;
  player: number;
  move: number | null;
  choices: number;
}

/** The state after an event; refuses one that cannot happen here. */
export function applyEvent(rules: Bots, state: State, event: string, number: number): EventOutcome {
  const { about } = rules;
  const refusal = (key: string, clause: string, words: Record<string, string> = {}): RecordError =>
    new RecordError({
      key: 'record_event',
      words: { n: String(number), event },
      why: { key, words, clause },
    });
  if (rules.over(state)) throw refusal('over', about.clauses.end);
  const [head, ...rest] = event.split(' ');
  const turn = rules.turn(state);
  const pending = rules.pendingChance(state);
  const expected = pending && {
    word: pending.occasion.word,
    player: String(pending.player),
    number: String(pending.number),
  };
  if (about.occasions.some(({ word }) => word === head)) {
    if (!pending) throw refusal('no_chance', 'record', { player: String(turn) });
    if (head !== expected!.word || rest[0] !== expected!.player)
      throw refusal('chance_first', pending.occasion.clause, expected!);
    const items = rest.slice(1);
    if (items.length !== pending.number)
      throw refusal('wrong_number', pending.occasion.clause, { ...expected!, given: String(items.length) });
    const unknownItem = items.find((item) => !about.items.includes(item));
    if (unknownItem !== undefined) throw refusal('no_item', 'record', { item: unknownItem });
    const numbers = items.map((item) => about.items.indexOf(item));
    const canonical = rules.event(pending, numbers);
    if (canonical !== event) throw refusal('item_order', 'record', { example: canonical });
    let after = state;
    while (numbers.length) {
      // Where a pool is filled again, its rest comes before what is new, wherever it stands in the event.
      const pool = rules.pool(after);
      const at = numbers.findIndex((item) => pool[item]);
      if (at < 0) throw refusal('not_there', pending.occasion.clause, { item: about.items[numbers[0]!]! });
      after = rules.receive(after, numbers.splice(at, 1)[0]!);
    }
    return { state: after, player: pending.player, move: null, choices: 0 };
  }
  if (pending) throw refusal('chance_first', pending.occasion.clause, expected!);
  if (!/^\d$/.test(head!)) throw refusal('not_a_move', 'record', { example: `${turn} ${about.example}` });
  if (head !== String(turn)) throw refusal('not_your_turn', 'record', { player: String(turn) });
  const move = rules.notation.number(rest.join(' '));
  if (move === null) throw refusal('not_a_move', 'record', { example: `${turn} ${about.example}` });
  const why = rules.refusal(state, move);
  if (why) throw refusal(why.key, why.clause, why.words);
  const choices = rules.legal(state).length;
  return { state: rules.act(state, move), player: turn!, move, choices };
}

function compareResult(rules: Bots, record: GameRecord, state: State, values: number[][] | null): void {
  const { end, places } = rules.about.clauses;
  const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
  const stated = record.result;
  const isCorrect =
    values === null
      ? stated === null
      : stated && same(stated.values, values) && same(stated.places, rules.places(state));
  if (isCorrect) return;
  const clause = values && stated && same(stated.values, values) ? places : end;
  throw new RecordError({ key: 'record_result', words: { clause } });
}

function compareLegal({ legal }: GameRecord, tasks: Task[]): void {
  if (legal == null) return;
  const decisions = tasks.filter(({ move }) => move !== null);
  const wrongIndex = decisions.findIndex(({ choices }, at) => legal[at] !== choices);
  if (wrongIndex < 0 && legal.length === decisions.length) return;
  const { number } = decisions[wrongIndex] ?? { number: tasks.length };
  throw new RecordError({ key: 'record_legal', words: { n: String(number) } });
}
