/** The socket of one table: a snapshot, then events; reconnects by version, and loses and doubles nothing. */
import { newId } from '../lib/ids';
import { language } from '../lib/language.svelte';
import { afterPaint } from '../lib/after-paint';
import { assetUrl } from '../lib/urls';
import { canComplete, isLight, viewOf } from '../lib/decision';
import { knownRules, rulesOf } from '../lib/rules';
import { ALREADY_HANDLED, Presentation, type ActionRequest } from './presentation.svelte';
import type { EventShown, Problem, ViewMessage } from '../lib/types';

type ServerMessage =
  | { type: 'snapshot'; version: number; views: ViewMessage[]; events: EventShown[] }
  | { type: 'event'; version: number; event: EventShown; views: ViewMessage[] }
  | { type: 'ack'; id: string; version: number }
  | ({ type: 'refused'; id: string; version: number } & Problem)
  | { type: 'presence'; present: boolean[] }
  | { type: 'pong'; version: number };

const HEARTBEAT_INTERVAL = 15_000;
const PONG_TIMEOUT = 8_000;
const MAX_BACKOFF = 8_000;

export class Connection extends Presentation {
  private socket: WebSocket | null = null;
  private outbox = new Map<string, ActionRequest>();
  private lastHeard = 0;
  private attempts = 0;
  private closed = false;
  /** Whether to ask for light views, which the page completes itself; false if the rules cannot be loaded. */
  private wantsLightViews = true;
  /** Messages received while the rules are loading. */
  private pendingMessages: ServerMessage[] | null = null;

  constructor(table: string) {
    super(table);
    this.connect();
    this.scheduleHeartbeat();
    addEventListener('online', this.reconnect);
    document.addEventListener('visibilitychange', this.reconnect);
  }

  override close(): void {
    super.close();
    this.closed = true;
    removeEventListener('online', this.reconnect);
    document.removeEventListener('visibilitychange', this.reconnect);
    this.socket?.close();
  }

  /** Send an action; it is resent with the same id after a reconnect, so that it is applied once. */
  act(action: ActionRequest): void {
    this.problem = null;
    this.hurry();
    const request = { ...action, id: newId() };
    this.outbox.set(request.id, request);
    this.waiting = this.outbox.size;
    this.send(request);
    const { version } = this;
    afterPaint(() => {
      if (this.status === 'open' && this.version === version && this.outbox.has(request.id))
        this.predict(request);
    });
  }

  reopen(): void {
    this.socket?.close();
  }

  private reconnect = (): void => {
    if (this.status === 'lost' && document.visibilityState === 'visible') this.connect();
  };

  private connect(): void {
    if (this.closed || (this.socket && this.socket.readyState < WebSocket.CLOSING)) return;
    const params = new URLSearchParams({ language: language() });
    if (this.version !== undefined) params.set('since', String(this.version));
    if (this.wantsLightViews) params.set('view', 'state');
    const address = assetUrl(`api/tables/${this.table}/socket?${params}`);
    address.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
    const socket = new WebSocket(address);
    this.socket = socket;
    this.pendingMessages = null;
    socket.onmessage = (event) => this.onMessage(JSON.parse(String(event.data)) as ServerMessage);
    socket.onclose = () => this.onClose(socket);
  }

  private onClose(socket: WebSocket): void {
    if (socket !== this.socket || this.closed || this.status === 'refused') return;
    this.status = 'lost';
    this.schedule(() => this.connect(), Math.min(300 * 2 ** this.attempts++, MAX_BACKOFF));
  }

  private send(action: ActionRequest): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(action));
  }

  /** Heartbeats detect a connection that died silently. */
  private scheduleHeartbeat(): void {
    this.schedule(() => {
      if (this.socket?.readyState === WebSocket.OPEN) {
        const sentAt = Date.now();
        this.send({ do: 'ping' });
        this.schedule(() => {
          if (this.lastHeard < sentAt) this.socket?.close();
        }, PONG_TIMEOUT);
      }
      this.scheduleHeartbeat();
    }, HEARTBEAT_INTERVAL);
  }

  private onMessage(message: ServerMessage): void {
    this.lastHeard = Date.now();
    const views = 'views' in message ? message.views : [];
    const game = views[0]?.setup.game;
    const loadingRules =
      this.wantsLightViews && game !== undefined && !knownRules(game) ? rulesOf(game) : null;
    if (this.pendingMessages) this.pendingMessages.push(message);
    else if (loadingRules && views.some(isLight)) this.deferUntilLoaded(message, loadingRules);
    else this.handle(message);
    loadingRules?.catch((error: unknown) => console.info('no rules in this page', error));
  }

  /** Hold light views back until the rules are loaded; if they cannot be loaded, reconnect for full views. */
  private deferUntilLoaded(message: ServerMessage, loadingRules: Promise<unknown>): void {
    const pending = [message];
    this.pendingMessages = pending;
    loadingRules.then(
      () => {
        if (this.pendingMessages !== pending) return;
        this.pendingMessages = null;
        pending.forEach((heldMessage) => this.handle(heldMessage));
      },
      () => this.requestFullViews(),
    );
  }

  private requestFullViews(): void {
    this.wantsLightViews = false;
    this.socket?.close();
  }

  private handle(message: ServerMessage): void {
    const views = 'views' in message ? message.views : [];
    if (views.some((view) => isLight(view) && !canComplete(knownRules(view.setup.game)!, view)))
      this.requestFullViews();
    else if (message.type === 'snapshot') this.onSnapshot(message);
    else if (message.type === 'event')
      this.enqueue(
        message.version,
        message.event,
        message.views.map((view) => viewOf(view)),
      );
    else if (message.type === 'presence') this.present = message.present;
    else if (message.type === 'ack') this.acknowledge(message.id);
    else if (message.type === 'refused') this.onRefused(message);
  }

  private onSnapshot(message: ServerMessage & { type: 'snapshot' }): void {
    this.reset(
      message.version,
      message.views.map((view) => viewOf(view)),
      message.events,
    );
    this.attempts = 0;
    for (const event of message.events) if (event.id) this.acknowledge(event.id);
    this.outbox.forEach((action) => this.send(action));
  }

  private acknowledge(id: string): void {
    this.outbox.delete(id);
    this.waiting = this.outbox.size;
  }

  private onRefused(message: Problem & { id: string }): void {
    const wasPending = this.outbox.has(message.id);
    this.acknowledge(message.id);
    this.retract(message.id);
    if (wasPending && ALREADY_HANDLED.has(message.key)) return;
    this.problem = message;
    if (!message.id && this.version === undefined) this.status = 'refused';
  }
}
