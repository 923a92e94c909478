/** The table of this device against the server's: the same random actions must have the same events, views and
 *  refusals. `tests/local_tables.py` drives the server's table. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ActionRequest } from '../table/presentation.svelte';
import type { EventShown, GameName, SeatShown, ViewMessage } from '../lib/types';
import { load, RefusalError, type Bots, type Chance, type Description, type OptionValue } from '../rules';
import { decide, tick } from './actions';
import type { Event, MakeEvent, Setup } from './events';
import { commitment, roundKey } from './shuffle';
import { Table, type Step } from './table';
import { eventFor, messageFor } from './views';

const folder = new URL('../../public/rules/', import.meta.url);
const python = process.env.PYTHON ?? resolve('../.venv/bin/python');
const TABLES_PER_GAME = 6;
const SECONDS = 60;
const NAMES = ['Anne', 'Carl', 'Eva', 'Dirk'];
const CLOCKS: Setup['clock'][] = ['none', 'move', 'game'];
const ACTIONS = ['start', 'move', 'undo', 'take_back', 'resign', 'ready', 'back', 'react'];

/** What one seat is shown after an event. */
interface Shown {
  view: ViewMessage;
  event: Omit<EventShown, 'id'>;
}
interface Outcome {
  /** An action, or null where only time passes. */
  action: ActionRequest | null;
  at: number;
  bot: number | null;
  refusal: { key: string; words: Record<string, string>; clause: string } | null;
  events: Event[];
  /** By event, then by seat. */
  shown: Record<string, Shown>[];
}
interface PlayedTable {
  name: string;
  secret: string;
  make: Event;
  outcomes: Outcome[];
  records: object[];
}

/** Plays one table by chance, with everything that may happen on the way, until a second rematch begins. */
class RandomPlay {
  readonly played: PlayedTable;
  private readonly table: Table;
  private readonly chance: Chance;
  private readonly secret: Uint8Array;
  private at = 1000;

  constructor(
    private readonly rules: Bots,
    seed: number,
  ) {
    this.chance = rules.chance(seed);
    this.secret = new Uint8Array(32).fill(seed);
    const make = this.make(seed);
    this.table = new Table(rules, [make]);
    const secret = Buffer.from(this.secret).toString('hex');
    this.played = { name: `${rules.about.game}, seed ${seed}`, secret, make, outcomes: [], records: [] };
  }

  private below = (limit: number): number => this.rules.below(this.chance, limit);
  private pick = <Item>(items: readonly Item[]): Item => items[this.below(items.length)]!;

  private make(seed: number): MakeEvent {
    const { about } = this.rules;
    const players = about.players[seed % about.players.length]!;
    const state = { left: false, relieved: false, resigned: false, ready: false, time_left: 0 };
    const seats = NAMES.slice(0, players).map((name, number): SeatShown =>
      number && this.below(2)
        ? { kind: 'bot', name, level: 'level1', portrait: 'mira', ...state }
        : { kind: 'person', name, level: '', portrait: 'fox', ...state },
    );
    const options = Object.entries(about.options).map(([name, values]) => [name, this.pick(values)] as const);
    const clock = CLOCKS[seed % CLOCKS.length]!;
    return {
      type: 'make',
      at: this.at,
      format: 2,
      rules: about.version,
      setup: {
        game: about.game as GameName,
        players,
        options: Object.fromEntries(options) as Record<string, OptionValue>,
        rounds: Object.keys(about.rounds).length ? 1 + this.below(2) : 1,
        clock,
        seconds: clock === 'none' ? 0 : SECONDS,
        takeover: null,
        first: null,
        deputy: 'random',
        hints: null,
      },
      seats,
      commitment: commitment(roundKey(this.secret, 0)),
    };
  }

  run(): PlayedTable {
    const { table } = this;
    for (let rematches = 0; rematches < 2;) {
      if (this.below(8) === 0) this.act(this.nonsense());
      if (table.stage === 'playing') this.playOn();
      else if (table.stage === 'open') this.act({ do: 'start' });
      else {
        if (table.stage === 'over') rematches++;
        for (const seat of table.people) this.act({ do: 'ready', seat });
      }
    }
    this.played.records = table.records;
    return this.played;
  }

  /** An action that is likely to be refused. */
  private nonsense(): ActionRequest {
    const texts = [...this.rules.about.choices, 'nonsense', ...this.legal().slice(0, 2)];
    const anyMove = this.rules.notation.text(this.below(2000)) ?? '';
    return {
      do: this.pick(ACTIONS.filter((action) => action !== 'resign' || this.table.stage !== 'playing')),
      seat: this.pick([...this.table.people, null, 9]),
      move: this.pick([...texts, anyMove]),
      then: this.pick([null, 'nonsense', ...this.rules.about.choices]),
      reaction: this.pick(['wow', 'nonsense']),
    };
  }

  private legal(): string[] {
    const { game } = this.table;
    return game ? this.rules.legal(game.state).map((move) => this.rules.notation.text(move)!) : [];
  }

  /** One random action, usually a move. */
  private playOn(): void {
    const { table } = this;
    const bot = table.botToMove;
    const seat = table.turn ?? table.people[0]!;
    const awaySeat = table.people.find((person) => table.seats[person]!.relieved);
    const roll = this.below(40);
    if (awaySeat !== undefined && (roll < 8 || table.deserted))
      return this.act({ do: 'back', seat: awaySeat });
    if (!bot) {
      if (roll < 6 && table.undoable(seat)) return this.act({ do: 'undo', seat });
      if (roll === 6 && table.lastOwnDecision(seat) >= 0) return this.act({ do: 'take_back', seat });
      if (roll === 7) return this.act({ do: 'react', seat, reaction: 'wow' });
      if (roll === 8 && this.below(12) === 0) return this.act({ do: 'resign', seat });
      if (roll === 9 && table.setup.clock !== 'none') return this.wait(SECONDS * 1000);
    }
    const then = this.below(3) ? null : this.pick([null, ...this.rules.about.choices]);
    this.act({ do: 'move', seat, move: this.pick(this.legal()), then }, bot?.seat);
  }

  private act(action: ActionRequest, bot?: number): void {
    const at = (this.at += 500);
    this.record(action, bot, () => decide({ table: this.table, secret: this.secret, action, at, bot }));
  }

  private wait(milliseconds: number): void {
    const at = (this.at += milliseconds);
    this.record(null, undefined, () => tick(this.table, at, this.secret));
  }

  private record(action: ActionRequest | null, bot: number | undefined, steps: () => Step[]): void {
    const outcome: Outcome = {
      action,
      at: this.at,
      bot: bot ?? null,
      refusal: null,
      events: [],
      shown: [],
    };
    this.played.outcomes.push(outcome);
    try {
      for (const step of steps()) {
        this.table.apply(step);
        outcome.events.push(step.event);
        outcome.shown.push(Object.fromEntries(this.table.people.map((seat) => [seat, this.shownTo(seat)])));
      }
    } catch (error) {
      if (!(error instanceof RefusalError)) throw error;
      outcome.refusal = { key: error.key, words: error.words, clause: error.clause };
    }
  }

  private shownTo(seat: number): Shown {
    return { view: messageFor(this.table, seat), event: eventFor(this.table, this.table.version, seat) };
  }
}

function differences(played: PlayedTable[]): unknown {
  const { stdout, stderr } = spawnSync(python, ['-m', 'tests.local_tables'], {
    cwd: '..',
    input: JSON.stringify(played),
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

// `make pages` builds the modules.
const modules = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.wasm')) : [];

describe.skipIf(!modules.length)('a table on this device', () => {
  const types = new Set<string>();
  const refusals = new Set<string>();

  test.each(modules)(
    'is the same as one on a server: %s',
    async (module) => {
      const read = (name: string): Buffer => readFileSync(new URL(name, folder));
      const about = JSON.parse(read(module.replace('.wasm', '.json')).toString()) as Description;
      const rules = await load(read(module), about);
      const played = Array.from({ length: TABLES_PER_GAME }, (_, at) => new RandomPlay(rules, at + 1).run());
      for (const { events, refusal } of played.flatMap(({ outcomes }) => outcomes)) {
        events.forEach(({ type }) => types.add(type));
        if (refusal) refusals.add(refusal.key);
      }
      expect(differences(played)).toEqual([]);
    },
    300_000,
  );

  test('the comparison has seen what can happen', () => {
    expect([...types].toSorted()).toEqual(
      ['back', 'draw', 'keep', 'move', 'react', 'ready', 'resign', 'start', 'take_back', 'takeover', 'time']
        .concat('undo')
        .toSorted(),
    );
    expect([...refusals]).toEqual(
      expect.arrayContaining(['no_reaction', 'not_a_move', 'not_away', 'not_your_seat', 'other_turn']),
    );
    expect([...refusals]).toEqual(
      expect.arrayContaining(['stage_over', 'stage_playing', 'undo_nothing', 'undo_revealed']),
    );
  });
});
