/** What somebody pastes: a link, a record, or a view. Whatever it is, it becomes a line of variations to look at. */
import { unpacked } from '../lib/packing';
import { rulesOf } from '../lib/rules';
import { isGame, type GameName, type Position } from '../lib/types';
import { sentence } from '../local/sentences';
import { RecordError, step, type Fault } from '../review/record';
import type { Bots, State } from '../rules';
import { HIDDEN, stateIn, Wrong } from './checking';
import { ofEvents, root, type Node } from './tree';

const FORMAT = 'sixfold/1';

export interface Found {
  game: GameName;
  rules: Bots;
  node: Node;
  names: string[] | null;
}

interface Told {
  format?: unknown;
  game?: unknown;
  players?: unknown;
  options?: unknown;
  events?: unknown;
  names?: unknown;
  position?: unknown;
  views?: unknown;
}

/** The value in a text: behind `position=` in a link, or JSON; of several lines the first one counts. */
async function valueIn(text: string): Promise<unknown> {
  const link = /position=([\w-]+)/.exec(text)?.[1];
  try {
    if (link !== undefined) return await unpacked(link);
  } catch {
    throw new Wrong('analysis_link');
  }
  try {
    return JSON.parse(text) as unknown;
  } catch (whole) {
    try {
      return JSON.parse(text.trim().split('\n')[0]!) as unknown;
    } catch {
      throw new Wrong('analysis_json', { why: whole instanceof Error ? whole.message : '' });
    }
  }
}

/** A table's answer has views, and a view has a position. */
function within(value: unknown): Told {
  if (!value || typeof value !== 'object') throw new Wrong('analysis_what');
  const told = value as Told;
  if (Array.isArray(told.views)) return within(told.views[0]);
  return told.position && typeof told.position === 'object' ? within(told.position) : told;
}

export async function readFrom(text: string): Promise<Found> {
  if (!text.trim()) throw new Wrong('analysis_what');
  const told = within(await valueIn(text));
  const { game } = told;
  if (typeof game !== 'string' || !isGame(game))
    throw new Wrong('analysis_game', { game: String(game ?? '') });
  const rules = await rulesOf(game);
  if ('events' in told) return { game, rules, node: await ofRecord(rules, told), names: namesIn(told) };
  return { game, rules, node: ofPosition(rules, told as unknown as Position), names: null };
}

function namesIn({ names, players }: Told): string[] | null {
  return Array.isArray(names) && names.length === players ? names.map(String) : null;
}

/** A position as its seat knows it; where nothing is hidden, everybody knows it. */
export function ofPosition(rules: Bots, position: Position): Node {
  const state = stateIn(rules, position);
  return root(state, JSON.stringify(position).includes(HIDDEN) ? position.seen_by : null);
}

async function ofRecord(rules: Bots, { format, players, options, events }: Told): Promise<Node> {
  if (format !== FORMAT) throw new Wrong('analysis_format', { format: String(format ?? '') });
  if (!Array.isArray(events) || !events.length) throw new Wrong('analysis_part', { what: 'events' });
  let begin: State;
  try {
    begin = rules.start(Number(players), (options ?? {}) as Record<string, boolean>);
  } catch {
    throw new Wrong('analysis_players', { n: JSON.stringify({ players, options }) });
  }
  let state = begin;
  for (const [at, line] of events.entries()) {
    try {
      ({ state } = step(rules, state, String(line), at + 1));
    } catch (error) {
      throw error instanceof RecordError ? await inWords(error.fault) : error;
    }
  }
  return ofEvents(rules, begin, events as string[]);
}

/** What is wrong with an event, and the clause, as the reader is told. */
async function inWords({ key, words, why }: Fault): Promise<Wrong> {
  if (!why) return new Wrong(key, words);
  return new Wrong(key, { ...words, why: await sentence(why.key, why.words), clause: why.clause });
}
