/** The pool of review workers: started on demand and reused. */
import { rulesUrl } from '../../lib/urls';
import type { GameName, State } from '../../rules';
import { DataMissing, type AnalysisUpdate } from './analysis-service';
import { RecordError, type Fault } from '../../rules';

/** A request to a worker; an open record is identified by its key. */
export type Job =
  | { do: 'open'; key: number; record: unknown }
  | { do: 'judge'; key: number; number: number; iterations: number; seed: number }
  | { do: 'close'; key: number }
  | { do: 'weigh'; game: GameName; view: State; seat: number; most: number }
  | { do: 'try'; game: GameName; view: State; seat: number; number: number; move: string }
  | { do: 'chances'; game: GameName; view: State; seat: number | null };
export interface WorkerRequest {
  id: number;
  folder: string;
  job: Job;
}
export type WorkerResponse =
  | { id: number; answer: unknown }
  | { id: number; update: AnalysisUpdate }
  | { id: number; error: string; fault: Fault | undefined; missing: boolean };

interface PendingRequest {
  resolve: (answer: unknown) => void;
  reject: (error: unknown) => void;
  onUpdate: ((found: AnalysisUpdate) => void) | undefined;
}

const errorOf = ({ error, fault, missing }: Extract<WorkerResponse, { error: string }>): Error =>
  fault ? new RecordError(fault) : missing ? new DataMissing(error) : new Error(error);

// More workers would cost memory without being faster on most devices.
const MAX_WORKERS = 4;
const workers: ReviewWorker[] = [];
let lastRequestId = 0;

export class ReviewWorker {
  #worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  #pending = new Map<number, PendingRequest>();

  constructor() {
    this.#worker.onmessage = ({ data }: MessageEvent<WorkerResponse>) => {
      const request = this.#pending.get(data.id);
      if ('update' in data) {
        request?.onUpdate?.(data.update);
        return;
      }
      this.#pending.delete(data.id);
      if ('error' in data) request?.reject(errorOf(data));
      else request?.resolve(data.answer);
    };
    // The worker failed to load or crashed: the next request starts a new one.
    this.#worker.onerror = (event) => {
      workers.splice(workers.indexOf(this) >>> 0, 1);
      this.#worker.terminate();
      this.#pending.forEach(({ reject }) => reject(new Error(event.message || 'no worker')));
    };
  }

  /** Send a job; `onUpdate` receives intermediate results, and the signal aborts it. */
  ask<Answer>(job: Job, onUpdate?: (found: AnalysisUpdate) => void, signal?: AbortSignal): Promise<Answer> {
    signal?.throwIfAborted();
    const id = ++lastRequestId;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve: resolve as PendingRequest['resolve'], reject, onUpdate });
      const stop = (): void => {
        if (!this.#pending.delete(id)) return;
        this.#worker.postMessage({ stop: id });
        reject(signal!.reason as Error);
      };
      signal?.addEventListener('abort', stop, { once: true });
      this.#worker.postMessage({ id, folder: rulesUrl().href, job } satisfies WorkerRequest);
    });
  }

  /** Is no request pending? */
  get idle(): boolean {
    return this.#pending.size === 0;
  }

  terminate(): void {
    this.#worker.terminate();
  }
}

/** One worker per core, up to `max`. */
export function workersFor(max: number): ReviewWorker[] {
  const count = Math.min(Math.max(navigator.hardwareConcurrency || 1, 1), MAX_WORKERS, max);
  while (workers.length < count) workers.push(new ReviewWorker());
  return workers.slice(0, count);
}

/** Terminate idle workers except the first. */
export function releaseIdleWorkers(): void {
  for (const worker of workers.slice(1).filter(({ idle }) => idle)) {
    worker.terminate();
    workers.splice(workers.indexOf(worker), 1);
  }
}
