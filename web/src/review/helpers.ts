/** The workers that review: made when they are needed, and kept for the next question. */
import { rulesUrl } from '../lib/places';
import type { GameName, State } from '../rules';
import { DataMissing, type AnalysisUpdate } from './desk';
import { RecordError, type Fault } from './record';

/** What is asked of a worker; a record gets a number of its own when it is opened. */
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

// More would not be quicker on most devices, but take their memory.
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
    // It could not even be loaded, or broke: whoever asks next begins anew.
    this.#worker.onerror = (event) => {
      workers.splice(workers.indexOf(this) >>> 0, 1);
      this.#worker.terminate();
      this.#pending.forEach(({ reject }) => reject(new Error(event.message || 'no worker')));
    };
  }

  /** Ask, and hear what is told meanwhile; with a signal it can be stopped. */
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

  /** Has it nothing to do? */
  get idle(): boolean {
    return this.#pending.size === 0;
  }

  terminate(): void {
    this.#worker.terminate();
  }
}

/** As many workers as there are cores, and no more than are wanted. */
export function workersFor(max: number): ReviewWorker[] {
  const count = Math.min(Math.max(navigator.hardwareConcurrency || 1, 1), MAX_WORKERS, max);
  while (workers.length < count) workers.push(new ReviewWorker());
  return workers.slice(0, count);
}

/** After a review one worker stays, for the next question. */
export function releaseIdleWorkers(): void {
  for (const worker of workers.slice(1).filter(({ idle }) => idle)) {
    worker.terminate();
    workers.splice(workers.indexOf(worker), 1);
  }
}
