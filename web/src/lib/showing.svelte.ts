/** What a page shows of a table, wherever the table is: views and events, one after the other, each long enough to be
 *  seen. One's own move is shown before the table has answered. */
import { glance, skip, tempo, LOOKING, NORMAL } from './motion.svelte';
import { foreseen, knownRules } from './rules';
import type { Action, EventShown, Problem, View } from './types';

// What is refused with these keys has happened, or makes no sense any more.
export const SETTLED = new Set(['already_done', 'stale']);

export type Wanted = Partial<Action> & { do: string };
interface Shown {
  event: EventShown;
  views: View[];
}
interface Ahead {
  action: Wanted;
  views: View[];
  events: EventShown[];
}

// So many moves are shown one after the other; who is further behind does not wait for older ones.
const MOST_SHOWN = 4;

export abstract class Showing {
  /** One view for each seat of this guest, or a spectator's. */
  views = $state.raw<View[]>([]);
  events = $state.raw<EventShown[]>([]);
  /** Which seats have a page open, where the table says so. */
  present = $state.raw<boolean[]>([]);
  status = $state<'connecting' | 'open' | 'lost' | 'refused'>('connecting');
  /** Why the last action, or the connection, was refused. */
  problem = $state.raw<Problem | null>(null);
  /** The level for which a simpler bot plays, until somebody has read that. */
  simpler = $state<string | null>(null);
  /** Actions that have not been answered yet. */
  waiting = $state(0);
  /** Our clock minus the table's, in milliseconds. */
  skew = 0;

  protected version: number | undefined;
  private queue: Shown[] = [];
  private next: ReturnType<typeof setTimeout> | undefined;
  private timers = new Set<ReturnType<typeof setTimeout>>();
  /** What was shown before one's own move, which nobody has answered yet. */
  private ahead: Ahead | null = null;

  constructor(readonly table: string) {}

  close(): void {
    this.timers.forEach(clearTimeout);
  }

  abstract act(action: Wanted): void;

  /** A new language: refusals come in it from now on. */
  abstract reopen(): void;

  protected later(what: () => void, after: number): ReturnType<typeof setTimeout> {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      what();
    }, after);
    this.timers.add(timer);
    return timer;
  }

  /** Everything as it is now; `events` are those since the last one that was heard of. */
  protected begin(version: number, views: View[], events: EventShown[]): void {
    glance();
    this.retract();
    const known = this.version ?? 0;
    const unshown = this.queue.map(({ event }) => event);
    this.events = [...this.events, ...unshown, ...events.filter((event) => event.version > known)];
    this.version = version;
    this.queue = [];
    this.views = views;
    this.status = 'open';
  }

  /** Something happened. */
  protected tell(version: number, event: EventShown, views: View[]): void {
    if (version <= (this.version ?? 0)) return;
    this.version = version;
    this.skew = Date.now() - event.at;
    this.queue.push({ event, views });
    if (this.next === undefined) this.showNext();
  }

  /** Events are shown one after the other: a move stays long enough to be seen. */
  private showNext(): void {
    this.next = undefined;
    const next = this.queue.shift();
    if (!next) return;
    this.show(next);
    const wait = this.queue.length < MOST_SHOWN ? this.lasts(next.event) : 0;
    if (wait) this.next = this.later(() => this.showNext(), wait);
    else this.showNext();
  }

  private show({ event, views }: Shown): void {
    const { ahead, views: foreseen } = this;
    glance();
    this.retract();
    this.events = [...this.events, event];
    if (views.length) this.views = views;
    if (!ahead) return;
    const answered = event.type === 'move' && event.seat === ahead.action.seat;
    if (!answered) this.foresee(ahead.action);
    else if (!views.length) this.views = foreseen;
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
    this.next = undefined;
    for (const one of this.queue.splice(0)) this.show(one);
    skip();
  }

  /** Show what one's own move does, as far as chance has no part in it. */
  protected foresee(action: Wanted): void {
    const view = this.views.find((one) => one.seat === action.seat);
    const rules = view && knownRules(view.setup.game);
    if (this.ahead || !rules || action.do !== 'move' || !action.move) return;
    const found = foreseen(rules, view, action.move, (this.version ?? view.version) + 1);
    if (!found) return;
    glance();
    this.ahead = { action, views: this.views, events: this.events };
    this.views = this.views.map((one) => (one === view ? found.view : one));
    this.events = [...this.events, found.event];
  }

  /** Back to what the table has said. */
  protected retract(id?: string): void {
    if (!this.ahead || (id !== undefined && this.ahead.action.id !== id)) return;
    this.views = this.ahead.views;
    this.events = this.ahead.events;
    this.ahead = null;
  }
}
