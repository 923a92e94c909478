/** Setting up a local table. */
import { newId } from '../lib/ids';
import { say } from '../lib/language.svelte';
import { PERSONAS, PORTRAITS } from '../ui/portraits';
import { rulesOf } from '../lib/rules';
import { myName, myPortrait } from '../lib/settings.svelte';
import type { GameName, NewSeat, NewTable, SeatShown, Seated } from '../lib/types';
import { ActionRefused } from './actions';
import { FORMAT, type From, type MakeEvent } from './events';
import { commitment, roundKey } from './shuffle';
import { append } from './storage';

const MAX_NAME_LENGTH = 24;
const EMPTY_SEAT: SeatShown = {
  kind: 'open',
  name: '',
  level: '',
  portrait: '',
  left: false,
  relieved: false,
  resigned: false,
  ready: false,
  time_left: 0,
};

const pickRandom = <T>(options: readonly T[]): T =>
  options[crypto.getRandomValues(new Uint32Array(1))[0]! % options.length]!;

function assignSeats(seats: NewSeat[]): SeatShown[] {
  const assigned: SeatShown[] = [];
  const isTaken = (name: string): boolean =>
    assigned.some((seat) => seat.name.toLowerCase() === name.toLowerCase());
  const freePortrait = (): string =>
    pickRandom(PORTRAITS.filter((candidate) => !assigned.some((seat) => seat.portrait === candidate)));
  for (const { kind, level, name, portrait } of seats) {
    if (kind === 'bot') {
      const persona = pickRandom(PERSONAS.filter((candidate) => !isTaken(candidate)));
      const displayName = persona.charAt(0).toUpperCase() + persona.slice(1);
      assigned.push({
        ...EMPTY_SEAT,
        kind,
        level: level!,
        name: displayName,
        portrait: persona.toLowerCase(),
      });
      continue;
    }
    const trimmed = (name ?? (myName() || say('guest'))).trim().replace(/\s+/gu, ' ');
    if (!trimmed || trimmed.length > MAX_NAME_LENGTH)
      throw new ActionRefused('bad_name', { most: String(MAX_NAME_LENGTH) });
    let displayName = trimmed;
    for (let number = 2; isTaken(displayName); number++)
      displayName = `${trimmed.slice(0, MAX_NAME_LENGTH - 2).trimEnd()} ${number}`;
    const ownPortrait = name == null ? myPortrait() : '';
    assigned.push({
      ...EMPTY_SEAT,
      kind: 'person',
      name: displayName,
      portrait: portrait || ownPortrait || freePortrait(),
    });
  }
  return assigned;
}

/** Keep a new table; it is begun like any other, with `start`. */
export async function createLocalTable(
  table: Partial<NewTable> & { game: GameName },
  from?: From,
): Promise<Seated> {
  const { game, players = table.seats!.length } = table;
  const { about } = await rulesOf(game);
  const secret = crypto.getRandomValues(new Uint8Array(32));
  const seats = assignSeats(table.seats!);
  if (!about.players.includes(players) || seats.length !== players)
    throw new ActionRefused('seats_wrong', { players: about.players.join(', ') });
  const makeEvent: MakeEvent = {
    type: 'make',
    at: Date.now(),
    format: FORMAT,
    rules: about.version,
    setup: {
      game,
      players,
      options: { ...about.defaults, ...table.options },
      rounds: table.rounds ?? about.rounds[players] ?? 1,
      clock: table.clock ?? 'none',
      seconds: table.seconds ?? 0,
      takeover: null,
      first: table.first ?? null,
      deputy: 'level3',
      hints: table.hints ?? null,
      ...(from && { from }),
    },
    seats,
    commitment: commitment(roundKey(secret, 0)),
  };
  const id = `local-${newId()}`;
  await append({ id, game, secret, at: makeEvent.at }, 0, [makeEvent]);
  const people = seats.flatMap(({ kind }, seat) => (kind === 'person' ? [seat] : []));
  return { id, version: 1, seats: people };
}
