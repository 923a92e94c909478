/** A local table that is being played: actions become events one after the other, each is kept before it happens, bots
 *  think and clocks run. Several tabs may have it open: whoever keeps an event first was first. */
import { rulesOf } from '../lib/rules';
import { keep, kept } from '../lib/settings.svelte';
import type { Wanted } from '../lib/showing.svelte';
import { decide, due, NotSo, tick } from './deciding';
import type { Event } from './events';
import { append, Conflict, readTable, type Kept } from './storage';
import { Table } from './table';
import { prepare, think } from './thinking';

const BEAT = 1000;
const PATIENCE = 3000;

type Listener = (table: Table, more: boolean) => void;

const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel('sixfold-tables') : null;
channel?.addEventListener('message', ({ data }: MessageEvent<string>) => {
  void opened.get(data)?.then((live) => live.refresh());
});

const opened = new Map<string, Promise<Live>>();

/** The one object of a table in this page. */
export function live(id: string): Promise<Live> {
  let found = opened.get(id);
  if (!found) {
    found = Live.open(id);
    opened.set(id, found);
    found.catch(() => opened.delete(id));
  }
  return found;
}

export function forgetLive(): void {
  opened.clear();
}

export class Live {
  private listeners = new Set<Listener>();
  private line: Promise<unknown> = Promise.resolve();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private beat: ReturnType<typeof setInterval> | undefined;
  /** Hears when a simpler bot plays for one of a level, because that cannot be loaded. */
  onSimpler: (level: string) => void = () => {};
  /** The version at which a bot is thinking. */
  private thinking = -1;

  private constructor(
    private kept: Kept,
    readonly table: Table,
  ) {}

  static async open(id: string): Promise<Live> {
    const found = await readTable(id);
    if (!found) throw new NotSo('no_table');
    return new Live(found.kept, new Table(await rulesOf(found.kept.game), found.events));
  }

  /** Hear of every event: while somebody listens, bots play and clocks run. */
  listen(listener: Listener): () => void {
    if (!this.listeners.size) this.beat = setInterval(() => this.runClock(), BEAT);
    this.listeners.add(listener);
    void this.credit().then(() => this.goOn());
    const { setup, seats } = this.table;
    const levels = new Set(seats.map(({ level }) => level).filter(Boolean));
    for (const level of levels) prepare(setup.game, setup.players, level).catch(console.info);
    return () => {
      this.listeners.delete(listener);
      if (this.listeners.size) return;
      clearTimeout(this.timer);
      clearInterval(this.beat);
    };
  }

  /** Remember that somebody is there while a clock runs: it stands still as soon as nobody is. */
  private runClock(): void {
    keep(this.clockName, due(this.table) === null ? null : String(Date.now()));
  }

  private get clockName(): string {
    return `clock.${this.kept.id}`;
  }

  /** The time during which no page was open, given back to the seat whose clock ran. */
  private async credit(): Promise<void> {
    const seen = Number(kept(this.clockName));
    const at = Date.now();
    if (!seen || due(this.table) === null || at - seen < 3 * BEAT) return;
    await this.change(({ turn, turnBegan }) =>
      turn === null ? [] : [{ type: 'pause', at, seat: turn, milliseconds: at - Math.max(seen, turnBegan) }],
    );
  }

  /** Do something; returns the version that it led to. */
  act(action: Wanted): Promise<number> {
    const { secret } = this.kept;
    return this.change((table) => decide({ table, secret, action, at: Date.now() }));
  }

  /** What happened in another tab. */
  refresh(): Promise<unknown> {
    return this.inLine(() => this.catchUp());
  }

  private inLine<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    const done = this.line.then(work);
    this.line = done.catch(() => undefined);
    return done;
  }

  private change(decided: (table: Table) => Event[]): Promise<number> {
    return this.inLine(async () => {
      for (;;) {
        const events = decided(this.table);
        try {
          await this.keep(events);
          return this.table.version;
        } catch (error) {
          if (!(error instanceof Conflict)) throw error;
          await this.catchUp();
        }
      }
    });
  }

  /** Kept, then true, then told. */
  private async keep(events: Event[]): Promise<void> {
    if (!events.length) return;
    const kept = { ...this.kept, at: events[0]!.at };
    await append(kept, this.table.version, events);
    this.kept = kept;
    this.happen(events);
    channel?.postMessage(kept.id);
  }

  private async catchUp(): Promise<void> {
    const found = await readTable(this.kept.id);
    if (found) this.happen(found.events.slice(this.table.version));
  }

  private happen(events: Event[]): void {
    events.forEach((event, at) => {
      this.table.apply(event);
      this.listeners.forEach((listener) => listener(this.table, at < events.length - 1));
    });
    this.goOn();
  }

  /** Whatever happens by itself: a bot thinks, or a clock runs out. */
  private goOn(): void {
    clearTimeout(this.timer);
    if (!this.listeners.size) return;
    if (this.table.botToMove) void this.letBotThink();
    const when = due(this.table);
    if (when === null) return;
    const { secret } = this.kept;
    this.timer = setTimeout(
      () => void this.change((table) => tick(table, Date.now(), secret)).then(() => this.goOn()),
      Math.max(50, when - Date.now()),
    );
  }

  private async letBotThink(): Promise<void> {
    const { table } = this;
    const { version, rules, setup } = table;
    const { seat, level } = table.botToMove!;
    if (this.thinking === version) return;
    this.thinking = version;
    try {
      const player = table.playerOf(seat);
      const view = rules.hide(table.game!.state, player);
      const { move, simpler } = await think(setup.game, { view, player, players: setup.players, level });
      if (simpler) this.onSimpler(level);
      const { secret } = this.kept;
      const action = { do: 'move', move };
      // What happened meanwhile may have changed everything; then the bot thinks again.
      await this.change((now) =>
        now.version === version ? decide({ table: now, secret, action, at: Date.now(), bot: seat }) : [],
      );
    } catch (error) {
      // Without its worker or its rules a bot cannot think; perhaps it can a little later.
      console.info('a bot could not think', error);
      await new Promise((resolve) => setTimeout(resolve, PATIENCE));
    }
    if (this.thinking === version) this.thinking = -1;
    this.goOn();
  }
}
