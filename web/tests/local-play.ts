/** Plays local tables without a page, for comparing them with those of a server. */
import { readFileSync } from 'node:fs';
import { decide, tick } from '../src/local/actions';
import type { Event, Setup } from '../src/local/events';
import { commitment, roundKey } from '../src/local/shuffle';
import { Table } from '../src/local/table';
import { eventFor, viewFor } from '../src/local/views';
import type { ActionRequest } from '../src/table/presentation.svelte';
import type { EventShown, GameName, SeatShown, View } from '../src/lib/types';
import { load, type Bots, type Chance, type Description } from '../src/rules';

const folder = new URL('../public/rules/', import.meta.url);
const read = (name: string): Buffer => readFileSync(new URL(name, folder));
export const rulesOf = (game: GameName): Promise<Bots> =>
  load(read(`${game}.wasm`), JSON.parse(read(`${game}.json`).toString()) as Description);

export interface Kind {
  game: GameName;
  /** A person's name, or a bot's level. */
  seats: string[];
  options?: Record<string, boolean>;
  rounds?: number;
  clock?: Setup['clock'];
  seed: number;
}

interface PlayedTable {
  name: string;
  events: Event[];
  told: Record<string, { view: View; event: Omit<EventShown, 'id'> }>[];
  records: object[];
}

const SECONDS = 60;

function makeEvent(
  rules: Bots,
  { game, seats, options, rounds, clock = 'none' }: Kind,
  secret: Uint8Array,
): Event {
  const players = seats.length;
  const seatViews = seats.map((who): SeatShown => {
    const bot = who.startsWith('level');
    const state = { left: false, relieved: false, resigned: false, ready: false, time_left: 0 };
    return bot
      ? { kind: 'bot', name: `Bot ${who}`, level: who, portrait: 'mira', ...state }
      : { kind: 'person', name: who, level: '', portrait: 'fox', ...state };
  });
  return {
    type: 'make',
    at: 1000,
    format: 2,
    rules: rules.about.version,
    setup: {
      game,
      players,
      options: { ...rules.about.defaults, ...options },
      rounds: rounds ?? 1,
      clock,
      seconds: clock === 'none' ? 0 : SECONDS,
      takeover: null,
      first: null,
      deputy: 'random',
      hints: null,
    },
    seats: seatViews,
    commitment: commitment(roundKey(secret, 0)),
  };
}

/** Play a match by chance, with everything that may happen on the way, and a rematch begun. */
export async function playedByChance(kind: Kind): Promise<PlayedTable> {
  const rules = await rulesOf(kind.game);
  const chance: Chance = rules.chance(kind.seed);
  const secret = new Uint8Array(32).fill(kind.seed);
  const table = new Table(rules);
  const result: PlayedTable = { name: JSON.stringify(kind), events: [], told: [], records: [] };
  let at = 1000;
  const applyAll = (events: Event[]): void =>
    events.forEach((event) => {
      table.apply(event);
      result.events.push(event);
      const seatsHeard = table.people.map((seat) => {
        const { id, ...rest } = eventFor(table, table.version, seat);
        void id;
        return [seat, { view: viewFor(table, seat), event: rest }] as const;
      });
      result.told.push(Object.fromEntries(seatsHeard));
    });
  const act = (action: ActionRequest, bot?: number): void => {
    at += 500;
    applyAll(decide({ table, secret, action, at, bot }));
  };
  applyAll([makeEvent(rules, kind, secret)]);
  act({ do: 'start' });
  for (let rematches = 0; rematches < 2;) {
    if (table.stage !== 'playing') {
      if (table.stage === 'over') rematches++;
      const readySeats = table.people.filter(
        (seat) => table.stage === 'over' || !table.seats[seat]!.resigned,
      );
      for (const seat of readySeats) act({ do: 'ready', seat });
      continue;
    }
    step(table, rules, chance, act, (elapsed) => applyAll(tick(table, (at += elapsed), secret)));
  }
  result.records = table.records;
  return result;
}

/** One random action, usually a move. */
function step(
  table: Table,
  rules: Bots,
  chance: Chance,
  act: (action: ActionRequest, bot?: number) => void,
  wait: (milliseconds: number) => void,
): void {
  const bot = table.botToMove;
  const seat = table.turn ?? table.people[0]!;
  const awaySeat = table.people.find((seat) => table.seats[seat]!.relieved);
  const roll = rules.below(chance, 40);
  if (awaySeat !== undefined && (roll < 8 || table.deserted)) return act({ do: 'back', seat: awaySeat });
  if (!bot) {
    if (roll < 6 && table.undoable(seat)) return act({ do: 'undo', seat });
    if (roll === 6 && table.lastOwnDecision(seat) >= 0) return act({ do: 'take_back', seat });
    if (roll === 7) return act({ do: 'react', seat, reaction: 'wow' });
    if (roll === 8 && rules.below(chance, 12) === 0) return act({ do: 'resign', seat });
    if (roll === 9 && table.setup.clock !== 'none') return wait(SECONDS * 1000);
  }
  const moves = rules.legal(table.game!.state);
  const move = rules.notation.text(moves[rules.below(chance, moves.length)]!)!;
  act({ do: 'move', seat, move }, bot?.seat);
}
