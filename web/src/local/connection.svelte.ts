/** A local table as a page shows it: the same as the socket of a table on a server. */
import { newId } from '../lib/ids';
import { afterPaint } from '../lib/after-paint';
import { ALREADY_HANDLED, Presentation, type ActionRequest } from '../table/presentation.svelte';
import { RefusalError } from '../rules';
import { ActionRefused } from './actions';
import { openSession, type TableSession } from './session';
import { problemOf } from './sentences';
import type { Table } from './table';
import { eventFor, viewFor } from './views';

export class LocalConnection extends Presentation {
  private session: Promise<TableSession>;
  private stopListening: (() => void) | undefined;
  private closed = false;

  constructor(table: string) {
    super(table);
    this.session = openSession(table);
    this.session.then(
      (session) => this.open(session),
      (error: unknown) => void this.refuse(error, true),
    );
  }

  override close(): void {
    super.close();
    this.closed = true;
    this.stopListening?.();
  }

  act(action: ActionRequest): void {
    this.problem = null;
    this.hurry();
    this.waiting++;
    const request = { ...action, id: newId() };
    afterPaint(() => void this.perform(request));
  }

  private async perform(action: ActionRequest): Promise<void> {
    try {
      await (await this.session).act(action);
    } catch (error) {
      await this.refuse(error);
    } finally {
      this.waiting--;
    }
  }

  reopen(): void {
    // Nothing to do: local refusals use the current language anyway.
  }

  private open(session: TableSession): void {
    if (this.closed) return;
    const { table } = session;
    const firstVersion = table.roundStartVersion;
    const events = Array.from({ length: table.version - firstVersion + 1 }, (_, at) =>
      this.eventAt(table, firstVersion + at),
    );
    this.reset(table.version, this.seatViews(table), events);
    // Once is enough, however many moves it makes.
    session.onSimpler = (level) => {
      this.simpler = level;
      session.onSimpler = () => {};
    };
    this.stopListening = session.listen((current) =>
      this.enqueue(current.version, this.eventAt(current, current.version), this.seatViews(current)),
    );
  }

  private seatViews = (table: Table) => table.people.map((seat) => viewFor(table, seat));
  private eventAt = (table: Table, version: number) => eventFor(table, version, table.people[0]!);

  private async refuse(error: unknown, onEntry = false): Promise<void> {
    // An unexpected error, such as a full disk: the action was not applied.
    if (!(error instanceof RefusalError)) console.error(error);
    const refusal = error instanceof RefusalError ? error : new ActionRefused('busy');
    if (ALREADY_HANDLED.has(refusal.key)) return;
    this.problem = await problemOf(refusal);
    if (onEntry) this.status = 'refused';
  }
}
