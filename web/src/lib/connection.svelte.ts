/** The socket of one table: a snapshot, then events; reconnects by version, and loses and doubles nothing. */
import { language } from './language.svelte';
import { skip, tempo, LOOKING, NORMAL } from './motion.svelte';
import type { Action, EventShown, Problem, View } from './types';

type Told =
  | { type: 'snapshot'; version: number; views: View[]; events: EventShown[] }
  | { type: 'event'; version: number; event: EventShown; views: View[] }
  | { type: 'ack'; id: string; version: number }
  | ({ type: 'refused'; id: string; version: number } & Problem)
  | { type: 'presence'; present: boolean[] }
  | { type: 'pong'; version: number };

type Wanted = Partial<Action> & { do: string };

const HEARTBEAT = 15_000;
const PATIENCE = 8_000;
const LONGEST_WAIT = 8_000;
// So many moves are shown one after the other; who is further behind does not wait for older ones.
const MOST_SHOWN = 4;
// What is refused with these keys has happened, or makes no sense any more.
const SETTLED = new Set(['already_done', 'stale']);

export class Connection {
  /** One view for each seat of this guest, or a spectator's. */
  views = $state.raw<View[]>([]);
  events = $state.raw<EventShown[]>([]);
  /** Which seats have a page open, where the server says so. */
  present = $state.raw<boolean[]>([]);
  status = $state<'connecting' | 'open' | 'lost' | 'refused'>('connecting');
  /** Why the last action, or the connection, was refused. */
  problem = $state.raw<Problem | null>(null);
  /** Actions that the server has not answered yet. */
  waiting = $state(0);
  /** Our clock minus the server's, in milliseconds. */
  skew = 0;

  private socket: WebSocket | null = null;
  private outbox = new Map<string, Wanted>();
  private version: number | undefined;
  private queue: { event: EventShown; views: View[] }[] = [];
  private next: ReturnType<typeof setTimeout> | undefined;
  private heard = 0;
  private tries = 0;
  private timers = new Set<ReturnType<typeof setTimeout>>();
  private closed = false;

  constructor(readonly table: string) {
    this.connect();
    this.beat();
    addEventListener('online', this.again);
    document.addEventListener('visibilitychange', this.again);
  }

  close(): void {
    this.closed = true;
    this.timers.forEach(clearTimeout);
    removeEventListener('online', this.again);
    document.removeEventListener('visibilitychange', this.again);
    this.socket?.close();
  }

  /** Send an action; it is sent again after a lost connection, under the same name, so that it happens once. */
  act(action: Wanted): void {
    this.problem = null;
    this.hurry();
    const named = { ...action, id: crypto.randomUUID?.() ?? String(Math.random()).slice(2) };
    this.outbox.set(named.id, named);
    this.waiting = this.outbox.size;
    this.send(named);
  }

  /** A new language: refusals come in it from now on. */
  reopen(): void {
    this.socket?.close();
  }

  private again = (): void => {
    if (this.status === 'lost' && document.visibilityState === 'visible') this.connect();
  };

  private later(what: () => void, after: number): ReturnType<typeof setTimeout> {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      what();
    }, after);
    this.timers.add(timer);
    return timer;
  }

  private connect(): void {
    if (this.closed || (this.socket && this.socket.readyState < WebSocket.CLOSING)) return;
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const since = this.version === undefined ? '' : `&since=${this.version}`;
    const address = `${scheme}://${location.host}/api/tables/${this.table}/socket?language=${language()}${since}`;
    const socket = new WebSocket(address);
    this.socket = socket;
    socket.onmessage = (message) => this.hear(JSON.parse(String(message.data)) as Told);
    socket.onclose = () => this.lost(socket);
  }

  private lost(socket: WebSocket): void {
    if (socket !== this.socket || this.closed || this.status === 'refused') return;
    this.status = 'lost';
    this.later(() => this.connect(), Math.min(300 * 2 ** this.tries++, LONGEST_WAIT));
  }

  private send(action: Wanted): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(action));
  }

  /** Heartbeats find out about a connection that died without saying so. */
  private beat(): void {
    this.later(() => {
      if (this.socket?.readyState === WebSocket.OPEN) {
        const asked = Date.now();
        this.send({ do: 'ping' });
        this.later(() => {
          if (this.heard < asked) this.socket?.close();
        }, PATIENCE);
      }
      this.beat();
    }, HEARTBEAT);
  }

  private hear(told: Told): void {
    this.heard = Date.now();
    if (told.type === 'snapshot') this.begin(told);
    else if (told.type === 'event') this.tell(told);
    else if (told.type === 'presence') this.present = told.present;
    else if (told.type === 'ack') this.settle(told.id);
    else if (told.type === 'refused') this.refuse(told);
  }

  private begin(told: Told & { type: 'snapshot' }): void {
    const known = this.version ?? 0;
    const unshown = this.queue.map(({ event }) => event);
    this.events = [...this.events, ...unshown, ...told.events.filter((event) => event.version > known)];
    this.version = told.version;
    this.queue = [];
    this.views = told.views;
    this.status = 'open';
    this.tries = 0;
    for (const event of told.events) if (event.id) this.settle(event.id);
    this.outbox.forEach((action) => this.send(action));
  }

  private tell(told: Told & { type: 'event' }): void {
    if (told.version <= (this.version ?? 0)) return;
    this.version = told.version;
    this.skew = Date.now() - told.event.at;
    this.queue.push({ event: told.event, views: told.views });
    if (this.next === undefined) this.showNext();
  }

  /** Events are shown one after the other: a move stays long enough to be seen. */
  private showNext(): void {
    this.next = undefined;
    const next = this.queue.shift();
    if (!next) return;
    this.events = [...this.events, next.event];
    if (next.views.length) this.views = next.views;
    const wait = this.queue.length < MOST_SHOWN ? this.lasts(next.event) : 0;
    if (wait) this.next = this.later(() => this.showNext(), wait);
    else this.showNext();
  }

  /** How long an event is shown before the next one: one's own move is known already. */
  private lasts({ type, seat, events, shown }: EventShown): number {
    if (type !== 'move' || events?.[0]?.endsWith(' keep')) return 0;
    const own = this.views.some((view) => view.seat === seat);
    return (shown ? LOOKING : NORMAL) * tempo() * (own ? 0.7 : 1);
  }

  /** Nobody wants to watch any longer: what is true is shown. */
  hurry(): void {
    skip();
    if (this.next === undefined) return;
    clearTimeout(this.next);
    this.timers.delete(this.next);
    const { queue } = this;
    this.queue = [];
    this.next = undefined;
    this.events = [...this.events, ...queue.map(({ event }) => event)];
    const views = queue.findLast((one) => one.views.length)?.views;
    if (views) this.views = views;
    skip();
  }

  private settle(id: string): void {
    this.outbox.delete(id);
    this.waiting = this.outbox.size;
  }

  private refuse(told: Problem & { id: string }): void {
    const known = this.outbox.has(told.id);
    this.settle(told.id);
    if (known && SETTLED.has(told.key)) return;
    this.problem = told;
    if (!told.id && this.version === undefined) this.status = 'refused';
  }
}
