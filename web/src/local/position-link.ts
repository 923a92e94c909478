/** Positions in links: a record up to some event, or a seat's position. They open like a replay and can be
 *  played on from any of its steps. */
import { makeTable, act } from '../lib/api';
import { say } from '../lib/language.svelte';
import { pack, unpack } from '../lib/link-codec';
import { rulesOf } from '../lib/rules';
import { absoluteUrl } from '../lib/router.svelte';
import { isGame } from '../games';
import type { NewSeat, Position, Replay } from '../lib/types';
import {
  decodePosition,
  encodePosition,
  RecordError,
  stateAfter,
  type Bots,
  type EncodedPosition,
  type State,
} from '../rules';
import type { RoundRecord } from './events';
import { encodeState } from './values';
import { replaySteps } from './views';

const FORMAT = 'sixfold/1';
type LinkedRecord = Pick<RoundRecord, 'format' | 'game' | 'players' | 'options' | 'events'> & {
  names?: string[];
};

const linkFor = async (value: unknown): Promise<string> => absoluteUrl(`/#position=${await pack(value)}`);

/** A link to a step of a replay. */
export function linkTo({ game, names, steps }: Replay, at: number): Promise<string> {
  const events = steps.slice(0, at + 1).flatMap((step) => step.events);
  const { options, players } = steps[0]!.position;
  if (!events.length) return linkFor(steps[at]!.position);
  return linkFor({ format: FORMAT, game, players, options, names, events } satisfies LinkedRecord);
}

/** A link to what a seat is shown. */
export const linkToPosition = (position: Position): Promise<string> => linkFor(position);

/** Decode a link to a replay; the error says where an invalid record breaks a rule. */
export async function fromLink(text: string): Promise<Replay> {
  let value: unknown;
  try {
    value = await unpack(text);
  } catch {
    throw new Error(say('position_bad'));
  }
  const { game } = (value ?? {}) as { game?: unknown };
  if (typeof game !== 'string' || !isGame(game)) throw new Error(say('position_bad'));
  const rules = await rulesOf(game);
  const steps =
    'events' in (value as object)
      ? stepsOfRecord(rules, value as LinkedRecord)
      : stepsOfPosition(rules, value as Position);
  const { names } = value as LinkedRecord;
  const { players } = steps[0]!.position;
  const givenNames = Array.isArray(names) && names.length === players ? names.map(String) : null;
  return {
    game,
    round: 1,
    rounds: 1,
    names: givenNames ?? Array.from({ length: players }, (_, at) => say('seat_number', { n: at + 1 })),
    bots: Array.from({ length: players }, () => null),
    resigned: [],
    places: null,
    steps,
    commitment: '',
    key: '',
  };
}

function stepsOfRecord(rules: Bots, record: LinkedRecord): Replay['steps'] {
  const { format, players, options, events } = record;
  if (format !== FORMAT || !Array.isArray(events) || !events.length) throw new Error(say('position_bad'));
  const start = startState(rules, players, options);
  try {
    return replaySteps(rules, start, events);
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    const { n, event } = error.fault.words;
    throw new Error(say('position_event', { n: n!, event: event! }));
  }
}

function startState(rules: Bots, players: number, options: LinkedRecord['options']): State {
  try {
    return rules.start(players, options);
  } catch {
    throw new Error(say('position_bad'));
  }
}

/** A valid position survives decoding and encoding unchanged. */
function stepsOfPosition(rules: Bots, position: Position): Replay['steps'] {
  try {
    const state = decodePosition(rules, position as EncodedPosition);
    const encoded = encodePosition<EncodedPosition>(rules, state, position.seen_by);
    const ordered = (value: object): string => JSON.stringify(Object.entries(value).toSorted());
    if (ordered(encoded) !== ordered(position)) throw new Error();
    return [
      {
        events: [],
        player: null,
        gained: rules.about.values.map(() => 0),
        position,
        reach: rules.reach(state),
      },
    ];
  } catch {
    throw new Error(say('position_bad'));
  }
}

/** Create a local table that continues from a step; hidden items are resampled. */
export async function playOn({ game, steps }: Replay, at: number, seats: NewSeat[]): Promise<string> {
  const rules = await rulesOf(game);
  const { position } = steps[at]!;
  const { options, players, seen_by } = position;
  const lines = steps.slice(0, at + 1).flatMap((step) => step.events);
  const [seed] = crypto.getRandomValues(new BigUint64Array(1));
  const state = lines.length
    ? stateAfter(rules, rules.start(players, options), lines)
    : rules.guess(decodePosition(rules, position as EncodedPosition), seen_by, rules.chance(seed!));
  const from = { state: encodeState(state), lines: lines.length ? lines : null };
  const created = await makeTable({ game, players, options, rounds: 1, first: 0, seats }, from);
  await act(created.id, { do: 'start' });
  return created.id;
}
