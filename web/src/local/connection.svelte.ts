/** A local table as a page shows it: the same as the socket of a table on a server. */
import { newId } from '../lib/ids';
import { afterPaint } from '../lib/painting';
import { SETTLED, Showing, type Wanted } from '../lib/showing.svelte';
import { NotSo } from './deciding';
import { live, type Live } from './live';
import { problemOf } from './sentences';
import type { Table } from './table';
import { heard, seen } from './views';

export class LocalConnection extends Showing {
  private at: Promise<Live>;
  private stop: (() => void) | undefined;
  private closed = false;

  constructor(table: string) {
    super(table);
    this.at = live(table);
    this.at.then(
      (found) => this.open(found),
      (error: unknown) => void this.refuse(error, true),
    );
  }

  override close(): void {
    super.close();
    this.closed = true;
    this.stop?.();
  }

  act(action: Wanted): void {
    this.problem = null;
    this.hurry();
    this.waiting++;
    const named = { ...action, id: newId() };
    afterPaint(() => {
      this.foresee(named);
      afterPaint(() => void this.happen(named));
    });
  }

  private async happen(action: Wanted): Promise<void> {
    try {
      await (await this.at).act(action);
    } catch (error) {
      this.retract(action.id);
      await this.refuse(error);
    } finally {
      this.waiting--;
    }
  }

  reopen(): void {
    // Refusals are said in whatever language is chosen.
  }

  private open(found: Live): void {
    if (this.closed) return;
    const { table } = found;
    const first = table.roundFrom;
    const events = Array.from({ length: table.version - first + 1 }, (_, at) =>
      this.event(table, first + at),
    );
    this.begin(table.version, this.seen(table), events);
    // Once is enough, however many moves it makes.
    found.onSimpler = (level) => {
      this.simpler = level;
      found.onSimpler = () => {};
    };
    this.stop = found.listen((now, more) => {
      // Who is in turn sees what comes of it, everybody else one thing after the other.
      const own = now.turn !== null && now.people.includes(now.turn);
      this.tell(now.version, this.event(now, now.version), more && own ? [] : this.seen(now));
    });
  }

  private seen = (table: Table) => table.people.map((seat) => seen(table, seat));
  private event = (table: Table, version: number) => heard(table, version, table.people[0]!);

  private async refuse(error: unknown, entry = false): Promise<void> {
    // What nobody foresaw, as a full disk: the action has not happened.
    if (!(error instanceof NotSo)) console.error(error);
    const why = error instanceof NotSo ? error : new NotSo('busy');
    if (SETTLED.has(why.key)) return;
    this.problem = await problemOf(why);
    if (entry) this.status = 'refused';
  }
}
