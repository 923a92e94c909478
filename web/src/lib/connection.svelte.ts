/** The socket of one table: a snapshot, then events; reconnects by version, and loses and doubles nothing. */
import { newId } from './ids';
import { language } from './language.svelte';
import { afterPaint } from './painting';
import { beside } from './places';
import { complete, isLight, knownRules, rulesOf } from './rules';
import { SETTLED, Showing, type Wanted } from './showing.svelte';
import type { EventShown, Problem, View } from './types';

type Told =
  | { type: 'snapshot'; version: number; views: View[]; events: EventShown[] }
  | { type: 'event'; version: number; event: EventShown; views: View[] }
  | { type: 'ack'; id: string; version: number }
  | ({ type: 'refused'; id: string; version: number } & Problem)
  | { type: 'presence'; present: boolean[] }
  | { type: 'pong'; version: number };

const HEARTBEAT = 15_000;
const PATIENCE = 8_000;
const LONGEST_WAIT = 8_000;

export class Connection extends Showing {
  private socket: WebSocket | null = null;
  private outbox = new Map<string, Wanted>();
  private heard = 0;
  private tries = 0;
  private closed = false;
  /** What the rules say about a position is worked out here, unless they cannot be loaded. */
  private light = true;
  /** What was heard while the rules are loading. */
  private held: Told[] | null = null;

  constructor(table: string) {
    super(table);
    this.connect();
    this.beat();
    addEventListener('online', this.again);
    document.addEventListener('visibilitychange', this.again);
  }

  override close(): void {
    super.close();
    this.closed = true;
    removeEventListener('online', this.again);
    document.removeEventListener('visibilitychange', this.again);
    this.socket?.close();
  }

  /** Send an action; it is sent again after a lost connection, under the same name, so that it happens once. */
  act(action: Wanted): void {
    this.problem = null;
    this.hurry();
    const named = { ...action, id: newId() };
    this.outbox.set(named.id, named);
    this.waiting = this.outbox.size;
    this.send(named);
    const { version } = this;
    afterPaint(() => {
      if (this.status === 'open' && this.version === version && this.outbox.has(named.id))
        this.foresee(named);
    });
  }

  reopen(): void {
    this.socket?.close();
  }

  private again = (): void => {
    if (this.status === 'lost' && document.visibilityState === 'visible') this.connect();
  };

  private connect(): void {
    if (this.closed || (this.socket && this.socket.readyState < WebSocket.CLOSING)) return;
    const asked = new URLSearchParams({ language: language() });
    if (this.version !== undefined) asked.set('since', String(this.version));
    if (this.light) asked.set('view', 'light');
    const address = beside(`api/tables/${this.table}/socket?${asked}`);
    address.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
    const socket = new WebSocket(address);
    this.socket = socket;
    this.held = null;
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
    const views = 'views' in told ? told.views : [];
    const game = views[0]?.setup.game;
    const loading = this.light && game !== undefined && !knownRules(game) ? rulesOf(game) : null;
    if (this.held) this.held.push(told);
    else if (loading && views.some(isLight)) this.hold(told, loading);
    else this.take(told);
    loading?.catch((error: unknown) => console.info('no rules in this page', error));
  }

  /** Light views wait until the rules are here; where they cannot be had, the server is asked for full ones. */
  private hold(told: Told, loading: Promise<unknown>): void {
    const held = [told];
    this.held = held;
    loading.then(
      () => {
        if (this.held !== held) return;
        this.held = null;
        held.forEach((one) => this.take(one));
      },
      () => {
        this.light = false;
        this.socket?.close();
      },
    );
  }

  private take(told: Told): void {
    if (told.type === 'snapshot') this.snapshot(told);
    else if (told.type === 'event') this.tell(told.version, told.event, completed(told.views));
    else if (told.type === 'presence') this.present = told.present;
    else if (told.type === 'ack') this.settle(told.id);
    else if (told.type === 'refused') this.refuse(told);
  }

  private snapshot(told: Told & { type: 'snapshot' }): void {
    this.begin(told.version, completed(told.views), told.events);
    this.tries = 0;
    for (const event of told.events) if (event.id) this.settle(event.id);
    this.outbox.forEach((action) => this.send(action));
  }

  private settle(id: string): void {
    this.outbox.delete(id);
    this.waiting = this.outbox.size;
  }

  private refuse(told: Problem & { id: string }): void {
    const known = this.outbox.has(told.id);
    this.settle(told.id);
    this.retract(told.id);
    if (known && SETTLED.has(told.key)) return;
    this.problem = told;
    if (!told.id && this.version === undefined) this.status = 'refused';
  }
}

const completed = (views: View[]): View[] =>
  views.map((view) => (isLight(view) ? complete(knownRules(view.setup.game)!, view) : view));
