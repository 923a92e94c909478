/** The record of a game, read and checked against the rules, as `sixfold check` does. */
import { rankedAscending } from '../local/values';
import type { Bots, OptionValue, State } from '../rules';
import { byPlace, POINTS } from './judging';

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

const bad = (what: string): RecordError => new RecordError({ key: 'record_bad', words: { what } });

/** One event: what its player saw before it, what everybody saw after it, and for a decision the move. */
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

export interface Told {
  record: GameRecord;
  tasks: Task[];
  /** What everybody saw before the first event. */
  opening: State[];
  /** What everybody has in the end, in points; null where the record ends before the game. */
  result: number[] | null;
}

/** A record's head, before anything is known of its game. */
export function headOf(record: unknown): GameRecord {
  if (typeof record !== 'object' || record === null || Array.isArray(record)) throw bad('format');
  const found = record as GameRecord;
  for (const key of ['format', 'game', 'players', 'options', 'events', 'result'])
    if (!(key in found)) throw bad(key);
  const { format, game, players, options, events, names } = found;
  if (format !== FORMAT) throw bad('format');
  if (typeof game !== 'string' || !/^[a-z_]+$/.test(game)) throw bad('game');
  if (!Number.isInteger(players)) throw bad('players');
  if (typeof options !== 'object' || options === null || Array.isArray(options)) throw bad('options');
  if (!Array.isArray(events) || events.some((event) => typeof event !== 'string')) throw bad('events');
  if (names != null && !(Array.isArray(names) && names.every((name) => typeof name === 'string')))
    throw bad('names');
  if (names != null && names.length !== players) throw bad('names');
  return found;
}

/** Replay a record and compare what it says about itself. */
export function told(rules: Bots, record: GameRecord): Told {
  const { about } = rules;
  const { players, options, events } = record;
  if (record.game !== about.game) throw bad('game');
  if (!about.players.includes(players)) throw bad('players');
  const named = Object.keys(about.options);
  if (named.some((name) => !(name in options)) || Object.keys(options).some((name) => !named.includes(name)))
    throw bad('options');
  if (named.some((name) => !about.options[name]!.includes(options[name]!))) throw bad('options');
  let state = rules.start(players, options);
  const seen = (): State[] => Array.from({ length: players }, (_, seat) => rules.hide(state, seat));
  const opening = seen();
  let before = opening;
  const tasks = events.map((event, at): Task => {
    const happened = step(rules, state, event, at + 1);
    state = happened.state;
    const { player, move, choices } = happened;
    const after = seen();
    const task = { number: at + 1, event, player, move, choices, before: before[player]!, after };
    before = after;
    return task;
  });
  const values = rules.over(state) ? rules.values(state) : null;
  compareResult(rules, record, values);
  compareLegal(record, tasks);
  return { record, tasks, opening, result: values && byPlace(values).map((share) => POINTS * share) };
}

interface Happened {
  state: State;
  player: number;
  move: number | null;
  choices: number;
}

/** The state after an event; refuses one that cannot happen here. */
function step(rules: Bots, state: State, event: string, number: number): Happened {
  const { about } = rules;
  const refuse = (key: string, clause: string, words: Record<string, string> = {}): RecordError =>
    new RecordError({
      key: 'record_event',
      words: { n: String(number), event },
      why: { key, words, clause },
    });
  if (rules.over(state)) throw refuse('over', about.clauses.end);
  const [head, ...rest] = event.split(' ');
  const turn = rules.turn(state);
  const owed = rules.owed(state);
  const first = owed && {
    word: owed.occasion.word,
    player: String(owed.player),
    number: String(owed.number),
  };
  if (about.occasions.some(({ word }) => word === head)) {
    if (!owed) throw refuse('no_chance', 'record', { player: String(turn) });
    if (head !== first!.word || rest[0] !== first!.player)
      throw refuse('chance_first', owed.occasion.clause, first!);
    const items = rest.slice(1);
    if (items.length !== owed.number)
      throw refuse('wrong_number', owed.occasion.clause, { ...first!, given: String(items.length) });
    const strange = items.find((item) => !about.items.includes(item));
    if (strange !== undefined) throw refuse('no_item', 'record', { item: strange });
    const numbers = items.map((item) => about.items.indexOf(item));
    const ordered = rules.event(owed, numbers);
    if (ordered !== event) throw refuse('item_order', 'record', { example: ordered });
    let after = state;
    while (numbers.length) {
      // Where a pool is filled again, its rest comes before what is new, wherever it stands in the event.
      const pool = rules.pool(after);
      const at = numbers.findIndex((item) => pool[item]);
      if (at < 0) throw refuse('not_there', owed.occasion.clause, { item: about.items[numbers[0]!]! });
      after = rules.receive(after, numbers.splice(at, 1)[0]!);
    }
    return { state: after, player: owed.player, move: null, choices: 0 };
  }
  if (owed) throw refuse('chance_first', owed.occasion.clause, first!);
  if (!/^\d$/.test(head!)) throw refuse('not_a_move', 'record', { example: `${turn} ${about.example}` });
  if (head !== String(turn)) throw refuse('not_your_turn', 'record', { player: String(turn) });
  const move = rules.spelling.number(rest.join(' '));
  if (move === null) throw refuse('not_a_move', 'record', { example: `${turn} ${about.example}` });
  const why = rules.refusal(state, move);
  if (why) throw refuse(why.key, why.clause, why.words);
  const choices = rules.legal(state).length;
  return { state: rules.act(state, move), player: turn!, move, choices };
}

function compareResult(rules: Bots, record: GameRecord, values: number[][] | null): void {
  const { end, places } = rules.about.clauses;
  const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
  const said = record.result;
  const fits =
    values === null
      ? said === null
      : said && same(said.values, values) && same(said.places, rankedAscending(values));
  if (fits) return;
  const clause = values && said && same(said.values, values) ? places : end;
  throw new RecordError({ key: 'record_result', words: { clause } });
}

function compareLegal({ legal }: GameRecord, tasks: Task[]): void {
  if (legal == null) return;
  const decisions = tasks.filter(({ move }) => move !== null);
  const wrong = decisions.findIndex(({ choices }, at) => legal[at] !== choices);
  if (wrong < 0 && legal.length === decisions.length) return;
  const { number } = decisions[wrong] ?? { number: tasks.length };
  throw new RecordError({ key: 'record_legal', words: { n: String(number) } });
}
