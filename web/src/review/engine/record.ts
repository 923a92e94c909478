/** The record of a game, read and checked against the rules, as `sixfold check` does. */
import { RecordError, walk, type Bots, type OptionValue, type State } from '../../rules';
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
  const tasks: Task[] = [];
  for (const { event, player, move, before, state: next } of walk(rules, state, events)) {
    const known = (tasks.at(-1)?.after ?? opening)[player]!;
    const choices = move === null ? 0 : rules.legal(before).length;
    state = next;
    tasks.push({ number: tasks.length + 1, event, player, move, choices, before: known, after: allViews() });
  }
  const values = rules.over(state) ? rules.values(state) : null;
  compareResult(rules, record, state, values);
  compareLegal(record, tasks);
  const result = values && shareBeaten(rules.places(state)).map((share) => POINTS * share);
  return { record, tasks, opening, result };
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
