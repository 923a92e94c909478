/** Setting up a local table. */
import { newId } from '../lib/ids';
import { say } from '../lib/language.svelte';
import { PERSONAS, PORTRAITS } from '../lib/portraits';
import { rulesOf } from '../lib/rules';
import { myName, myPortrait } from '../lib/settings.svelte';
import type { GameName, NewSeat, NewTable, SeatShown, Seated } from '../lib/types';
import { NotSo } from './deciding';
import { FORMAT, type From, type Make } from './events';
import { commitment, roundKey } from './shuffle';
import { append } from './storage';

const LONGEST_NAME = 24;
const SEAT: SeatShown = {
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

const any = <One>(from: readonly One[]): One =>
  from[crypto.getRandomValues(new Uint32Array(1))[0]! % from.length]!;

function seated(seats: NewSeat[]): SeatShown[] {
  const made: SeatShown[] = [];
  const taken = (name: string): boolean =>
    made.some((seat) => seat.name.toLowerCase() === name.toLowerCase());
  const face = (): string => any(PORTRAITS.filter((one) => !made.some((seat) => seat.portrait === one)));
  for (const { kind, level, name, portrait } of seats) {
    if (kind === 'bot') {
      const persona = any(PERSONAS.filter((one) => !taken(one)));
      const called = persona.charAt(0).toUpperCase() + persona.slice(1);
      made.push({ ...SEAT, kind, level: level!, name: called, portrait: persona.toLowerCase() });
      continue;
    }
    const clean = (name ?? (myName() || say('guest'))).trim().replace(/\s+/gu, ' ');
    if (!clean || clean.length > LONGEST_NAME) throw new NotSo('bad_name', { most: String(LONGEST_NAME) });
    let called = clean;
    for (let number = 2; taken(called); number++)
      called = `${clean.slice(0, LONGEST_NAME - 2).trimEnd()} ${number}`;
    const own = name == null ? myPortrait() : '';
    made.push({ ...SEAT, kind: 'person', name: called, portrait: portrait || own || face() });
  }
  return made;
}

/** Keep a new table; it is begun like any other, with `start`. */
export async function makeLocal(table: Partial<NewTable> & { game: GameName }, from?: From): Promise<Seated> {
  const { game, players = table.seats!.length } = table;
  const { about } = await rulesOf(game);
  const secret = crypto.getRandomValues(new Uint8Array(32));
  const seats = seated(table.seats!);
  if (!about.players.includes(players) || seats.length !== players)
    throw new NotSo('seats_wrong', { players: about.players.join(', ') });
  const make: Make = {
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
  await append({ id, game, secret, at: make.at }, 0, [make]);
  const people = seats.flatMap(({ kind }, seat) => (kind === 'person' ? [seat] : []));
  return { id, version: 1, seats: people };
}
