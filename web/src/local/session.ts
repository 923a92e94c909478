/** A running local table: actions become events one at a time, each is stored before it is applied, bots
 *  think and clocks run. Several tabs may have it open; the first one to store an event wins. */
import { rulesOf } from '../lib/rules';
import { writeSetting, readSetting } from '../lib/settings.svelte';
import type { ActionRequest } from '../table/presentation.svelte';
import { decide, due, ActionRefused, tick } from './actions';
import { append, Conflict, readTable, type StoredTable } from './storage';
import { Table, type Step } from './table';
import { preload, chooseTurn } from './bot-client';

const HEARTBEAT_INTERVAL = 1000;
const BOT_RETRY_DELAY = 3000;

type Listener = (table: Table) => void;

const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel('sixfold-tables') : null;
channel?.addEventListener('message', ({ data }: MessageEvent<string>) => {
  void sessions.get(data)?.then((openSession) => openSession.refresh());
});

const sessions = new Map<string, Promise<TableSession>>();

/** The one object of a table in this page. */
export function openSession(id: string): Promise<TableSession> {
  let session = sessions.get(id);
  if (!session) {
    session = TableSession.open(id);
    sessions.set(id, session);
    session.catch(() => sessions.delete(id));
  }
  return session;
}

export function forgetSessions(): void {
  sessions.clear();
}

export class TableSession {
  private listeners = new Set<Listener>();
  private queueTail: Promise<unknown> = Promise.resolve();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private heartbeat: ReturnType<typeof setInterval> | undefined;
  /** Called when a simpler bot stands in for a level whose data cannot be loaded. */
  onSimpler: (level: string) => void = () => {};
  /** The version at which a bot is thinking. */
  private thinkingVersion = -1;

  private constructor(
    private stored: StoredTable,
    readonly table: Table,
  ) {}

  static async open(id: string): Promise<TableSession> {
    const stored = await readTable(id);
    if (!stored) throw new ActionRefused('no_table');
    return new TableSession(stored.table, new Table(await rulesOf(stored.table.game), stored.events));
  }

  /** Subscribe to events; bots play and clocks run while there is a listener. */
  listen(listener: Listener): () => void {
    if (!this.listeners.size) this.heartbeat = setInterval(() => this.markPresence(), HEARTBEAT_INTERVAL);
    this.listeners.add(listener);
    void this.creditPause().then(() => this.continuePlay());
    const { setup, seats } = this.table;
    const levels = new Set(seats.map(({ level }) => level).filter(Boolean));
    for (const level of levels) preload(setup.game, setup.players, level).catch(console.info);
    return () => {
      this.listeners.delete(listener);
      if (this.listeners.size) return;
      clearTimeout(this.timer);
      clearInterval(this.heartbeat);
    };
  }

  /** Record the page's presence while a clock runs, so that time without an open page can be credited. */
  private markPresence(): void {
    writeSetting(this.clockKey, due(this.table) === null ? null : String(Date.now()));
  }

  private get clockKey(): string {
    return `clock.${this.stored.id}`;
  }

  /** The time during which no page was open, given back to the seat whose clock ran. */
  private async creditPause(): Promise<void> {
    const lastSeen = Number(readSetting(this.clockKey));
    const at = Date.now();
    if (!lastSeen || due(this.table) === null || at - lastSeen < 3 * HEARTBEAT_INTERVAL) return;
    await this.change(({ turn, turnBegan }) =>
      turn === null
        ? []
        : [{ event: { type: 'pause', at, seat: turn, milliseconds: at - Math.max(lastSeen, turnBegan) } }],
    );
  }

  /** Do something; returns the version that it led to. */
  act(action: ActionRequest): Promise<number> {
    const { secret } = this.stored;
    return this.change((table) => decide({ table, secret, action, at: Date.now() }));
  }

  /** What happened in another tab. */
  refresh(): Promise<unknown> {
    return this.enqueue(() => this.catchUp());
  }

  private enqueue<Answer>(task: () => Promise<Answer>): Promise<Answer> {
    const result = this.queueTail.then(task);
    this.queueTail = result.catch(() => undefined);
    return result;
  }

  private change(decideSteps: (table: Table) => Step[]): Promise<number> {
    return this.enqueue(async () => {
      for (;;) {
        const steps = decideSteps(this.table);
        try {
          await this.persist(steps);
          return this.table.version;
        } catch (error) {
          if (!(error instanceof Conflict)) throw error;
          await this.catchUp();
        }
      }
    });
  }

  /** Store the events, apply them, then notify the other tabs. */
  private async persist(steps: Step[]): Promise<void> {
    if (!steps.length) return;
    const stored = { ...this.stored, at: steps[0]!.event.at };
    await append(
      stored,
      this.table.version,
      steps.map(({ event }) => event),
    );
    this.stored = stored;
    this.applyAll(steps);
    channel?.postMessage(stored.id);
  }

  private async catchUp(): Promise<void> {
    const current = await readTable(this.stored.id);
    if (current) this.applyAll(current.events.slice(this.table.version).map((event) => ({ event })));
  }

  private applyAll(steps: Step[]): void {
    for (const step of steps) {
      this.table.apply(step);
      this.listeners.forEach((listener) => listener(this.table));
    }
    this.continuePlay();
  }

  /** Start what happens without a player: a bot's move or a clock's expiry. */
  private continuePlay(): void {
    clearTimeout(this.timer);
    if (!this.listeners.size) return;
    if (this.table.botToMove) void this.playBotTurn();
    const dueAt = due(this.table);
    if (dueAt === null) return;
    const { secret } = this.stored;
    this.timer = setTimeout(
      () => void this.change((table) => tick(table, Date.now(), secret)).then(() => this.continuePlay()),
      Math.max(50, dueAt - Date.now()),
    );
  }

  private async playBotTurn(): Promise<void> {
    const { table } = this;
    const { version, rules, setup } = table;
    const { seat, level } = table.botToMove!;
    if (this.thinkingVersion === version) return;
    this.thinkingVersion = version;
    try {
      const player = table.playerOf(seat);
      const view = rules.hide(table.game!.state, player);
      const { game, players } = setup;
      const { move, then, simpler } = await chooseTurn({ game, view, player, players, level });
      if (simpler) this.onSimpler(level);
      const { secret } = this.stored;
      const action = { do: 'move', move, then };
      // What happened meanwhile may have changed everything; then the bot thinks again.
      await this.change((current) =>
        current.version === version
          ? decide({ table: current, secret, action, at: Date.now(), bot: seat })
          : [],
      );
    } catch (error) {
      // Without its worker or its rules a bot cannot think; perhaps it can a little later.
      console.info('a bot could not think', error);
      await new Promise((resolve) => setTimeout(resolve, BOT_RETRY_DELAY));
    }
    if (this.thinkingVersion === version) this.thinkingVersion = -1;
    this.continuePlay();
  }
}
