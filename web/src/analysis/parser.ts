/** Parses pasted text, a link, a record or a view, into a line of variations. */
import { unpack } from '../lib/link-codec';
import { rulesOf } from '../lib/rules';
import { isGame } from '../games';
import type { GameName, Position } from '../lib/types';
import { sentence } from '../local/sentences';
import { RecordError, type Bots, type Fault, type State } from '../rules';
import { HIDDEN, validateState, InvalidPosition } from './validation';
import { nodeOfEvents, root, type Node } from './tree';

const FORMAT = 'sixfold/1';

export interface ParsedInput {
  game: GameName;
  rules: Bots;
  node: Node;
  names: string[] | null;
}

interface PastedValue {
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
async function parseText(text: string): Promise<unknown> {
  const link = /position=([\w-]+)/.exec(text)?.[1];
  try {
    if (link !== undefined) return await unpack(link);
  } catch {
    throw new InvalidPosition('analysis_link');
  }
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    try {
      return JSON.parse(text.trim().split('\n')[0]!) as unknown;
    } catch {
      throw new InvalidPosition('analysis_json', { why: error instanceof Error ? error.message : '' });
    }
  }
}

/** A table's answer has views, and a view has a position. */
function unwrap(value: unknown): PastedValue {
  if (!value || typeof value !== 'object') throw new InvalidPosition('analysis_what');
  const record = value as PastedValue;
  if (Array.isArray(record.views)) return unwrap(record.views[0]);
  return record.position && typeof record.position === 'object' ? unwrap(record.position) : record;
}

export async function parseInput(text: string): Promise<ParsedInput> {
  if (!text.trim()) throw new InvalidPosition('analysis_what');
  const value = unwrap(await parseText(text));
  const { game } = value;
  if (typeof game !== 'string' || !isGame(game))
    throw new InvalidPosition('analysis_game', { game: String(game ?? '') });
  const rules = await rulesOf(game);
  if ('events' in value)
    return { game, rules, node: await nodeOfRecord(rules, value), names: namesOf(value) };
  return { game, rules, node: nodeOfPosition(rules, value as unknown as Position), names: null };
}

function namesOf({ names, players }: PastedValue): string[] | null {
  return Array.isArray(names) && names.length === players ? names.map(String) : null;
}

/** The root node of a position, known to its seat, or to all if nothing is hidden. */
export function nodeOfPosition(rules: Bots, position: Position): Node {
  const state = validateState(rules, position);
  return root(state, JSON.stringify(position).includes(HIDDEN) ? position.seen_by : null);
}

async function nodeOfRecord(rules: Bots, { format, players, options, events }: PastedValue): Promise<Node> {
  if (format !== FORMAT) throw new InvalidPosition('analysis_format', { format: String(format ?? '') });
  if (!Array.isArray(events) || !events.length)
    throw new InvalidPosition('analysis_part', { what: 'events' });
  let initial: State;
  try {
    initial = rules.start(Number(players), (options ?? {}) as Record<string, boolean>);
  } catch {
    throw new InvalidPosition('analysis_players', { n: JSON.stringify({ players, options }) });
  }
  try {
    return nodeOfEvents(rules, initial, events as string[]);
  } catch (error) {
    throw error instanceof RecordError ? await faultError(error.fault) : error;
  }
}

/** The fault of an event as an error with its clause. */
async function faultError({ key, words, why }: Fault): Promise<InvalidPosition> {
  if (!why) return new InvalidPosition(key, words);
  return new InvalidPosition(key, { ...words, why: await sentence(why.key, why.words), clause: why.clause });
}
