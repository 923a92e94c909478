/** What a page presents of a local or remote table: a queue of views and events, each shown long enough to be
 *  seen. The player's own move is shown optimistically, before the table has answered. */
import { measureBeforeChange, skip, tempo, LOOKING, NORMAL } from '../lib/motion.svelte';
import { gameOf } from '../games';
import { moveOf } from '../rules';
import { gameAt, predictMove } from '../lib/decision';
import { knownRules } from '../lib/rules';
import type { Action, EventShown, Problem, View } from '../lib/types';

// Refusals with these keys mean that the action already happened or is obsolete.
export const ALREADY_HANDLED = new Set(['already_done', 'stale']);

export type ActionRequest = Partial<Action> & { do: string };
interface QueuedEvent {
  event: EventShown;
  views: View[];
}
interface Prediction {
  action: ActionRequest;
  views: View[];
  events: EventShown[];
}

// With more moves than this in the queue, the older ones are shown without a pause.
const MAX_QUEUED = 4;

export abstract class Presentation {
  /** One view for each seat of this guest, or a spectator's. */
  views = $state.raw<View[]>([]);
  events = $state.raw<EventShown[]>([]);
  /** Which seats are connected, if the table reports it. */
  present = $state.raw<boolean[]>([]);
  status = $state<'connecting' | 'open' | 'lost' | 'refused'>('connecting');
  /** Why the last action, or the connection, was refused. */
  problem = $state.raw<Problem | null>(null);
  /** The level that a simpler bot stands in for, until the notice is dismissed. */
  simpler = $state<string | null>(null);
  /** Actions that have not been answered yet. */
  waiting = $state(0);
  /** Our clock minus the table's, in milliseconds. */
  skew = 0;

  protected version: number | undefined;
  private queue: QueuedEvent[] = [];
  private nextTimer: ReturnType<typeof setTimeout> | undefined;
  private timers = new Set<ReturnType<typeof setTimeout>>();
  /** What was shown before the player's own move, while that is unanswered. */
  private prediction: Prediction | null = null;

  constructor(readonly table: string) {}

  close(): void {
    this.timers.forEach(clearTimeout);
  }

  abstract act(action: ActionRequest): void;

  /** A new language: refusals come in it from now on. */
  abstract reopen(): void;

  protected schedule(callback: () => void, delay: number): ReturnType<typeof setTimeout> {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      callback();
    }, delay);
    this.timers.add(timer);
    return timer;
  }

  /** Replace everything with a snapshot; `events` are those since the last known version. */
  protected reset(version: number, views: View[], events: EventShown[]): void {
    measureBeforeChange();
    this.retract();
    const lastVersion = this.version ?? 0;
    const queuedEvents = this.queue.map(({ event }) => event);
    this.events = [...this.events, ...queuedEvents, ...events.filter((event) => event.version > lastVersion)];
    this.version = version;
    this.queue = [];
    this.views = views;
    this.status = 'open';
  }

  /** Queue an event for presentation. */
  protected enqueue(version: number, event: EventShown, views: View[]): void {
    if (version <= (this.version ?? 0)) return;
    this.version = version;
    this.skew = Date.now() - event.at;
    this.queue.push({ event, views });
    if (this.nextTimer === undefined) this.showNext();
  }

  /** Show the next queued event and wait long enough for it to be seen. */
  private showNext(): void {
    this.nextTimer = undefined;
    const queued = this.queue.shift();
    if (!queued) return;
    this.show(queued);
    const duration = this.queue.length < MAX_QUEUED ? this.displayTime(queued.event) : 0;
    if (duration) this.nextTimer = this.schedule(() => this.showNext(), duration);
    else this.showNext();
  }

  private show({ event, views }: QueuedEvent): void {
    const { prediction, views: predictedViews } = this;
    measureBeforeChange();
    this.retract();
    this.events = [...this.events, event];
    if (views.length) this.views = views;
    if (!prediction) return;
    const isAnswer = event.type === 'move' && event.seat === prediction.action.seat;
    if (!isAnswer) this.predict(prediction.action);
    else if (!views.length) this.views = predictedViews;
  }

  /** How long an event is shown before the next one; less for the player's own move. */
  private displayTime({ type, seat, events, shown }: EventShown): number {
    if (type !== 'move' || this.declines(events?.[0])) return 0;
    const isOwn = this.views.some((view) => view.seat === seat);
    return (shown ? LOOKING : NORMAL) * tempo() * (isOwn ? 0.7 : 1);
  }

  private declines(line = ''): boolean {
    const game = gameOf(this.views[0]?.setup.game ?? '');
    return moveOf(line) === game?.declines;
  }

  /** Skip to the current state. */
  hurry(): void {
    skip();
    if (this.nextTimer === undefined) return;
    clearTimeout(this.nextTimer);
    this.timers.delete(this.nextTimer);
    this.nextTimer = undefined;
    for (const queued of this.queue.splice(0)) this.show(queued);
    skip();
  }

  /** Show the deterministic effect of the player's own move. */
  protected predict(action: ActionRequest): void {
    const view = this.views.find((candidate) => candidate.seat === action.seat);
    const rules = view && knownRules(view.setup.game);
    if (this.prediction || !rules || !view.decision || view.seat === null || view.turn !== view.seat) return;
    if (action.do !== 'move' || !action.move) return;
    const version = (this.version ?? view.version) + 1;
    const predicted = predictMove(rules, view.decision, action.move, version, view.seat);
    if (!predicted) return;
    const { decision, event } = predicted;
    const table = {
      ...view,
      turn: decision.playing ? view.order![decision.position.turn]! : null,
      bonus: Boolean(event.bonus),
      undo: false,
      undo_why: null,
      last: event,
    };
    const next = { ...table, decision: { ...decision, ...gameAt(table) } };
    measureBeforeChange();
    this.prediction = { action, views: this.views, events: this.events };
    this.views = this.views.map((candidate) => (candidate === view ? next : candidate));
    this.events = [...this.events, event];
  }

  /** Roll the optimistic update back. */
  protected retract(id?: string): void {
    if (!this.prediction || (id !== undefined && this.prediction.action.id !== id)) return;
    this.views = this.prediction.views;
    this.events = this.prediction.events;
    this.prediction = null;
  }
}
