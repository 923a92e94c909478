/** The workers that review: made when they are needed, and kept for the next question. */
import { RULES } from '../lib/places';
import type { GameName, State } from '../rules';
import { Missing, type Found } from './desk';
import { RecordError, type Fault } from './record';

/** What is asked of a worker; a record gets a number of its own when it is opened. */
export type Job =
  | { do: 'open'; key: number; record: unknown }
  | { do: 'judge'; key: number; number: number; iterations: number; seed: number }
  | { do: 'close'; key: number }
  | { do: 'weigh'; game: GameName; view: State; seat: number; most: number }
  | { do: 'try'; game: GameName; view: State; seat: number; number: number; move: string }
  | { do: 'chances'; game: GameName; view: State; seat: number | null };
export interface Asked {
  id: number;
  folder: string;
  job: Job;
}
export type Answered =
  | { id: number; answer: unknown }
  | { id: number; told: Found }
  | { id: number; error: string; fault: Fault | undefined; missing: boolean };

interface Open {
  resolve: (answer: unknown) => void;
  reject: (error: unknown) => void;
  tell: ((found: Found) => void) | undefined;
}

const errorOf = ({ error, fault, missing }: Extract<Answered, { error: string }>): Error =>
  fault ? new RecordError(fault) : missing ? new Missing(error) : new Error(error);

// More would not be quicker on most devices, but take their memory.
const MOST = 4;
const helpers: Helper[] = [];
let asked = 0;

export class Helper {
  #worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  #open = new Map<number, Open>();

  constructor() {
    this.#worker.onmessage = ({ data }: MessageEvent<Answered>) => {
      const open = this.#open.get(data.id);
      if ('told' in data) {
        open?.tell?.(data.told);
        return;
      }
      this.#open.delete(data.id);
      if ('error' in data) open?.reject(errorOf(data));
      else open?.resolve(data.answer);
    };
    // It could not even be loaded, or broke: whoever asks next begins anew.
    this.#worker.onerror = (event) => {
      helpers.splice(helpers.indexOf(this) >>> 0, 1);
      this.#worker.terminate();
      this.#open.forEach(({ reject }) => reject(new Error(event.message || 'no worker')));
    };
  }

  /** Ask, and hear what is told meanwhile; with a signal it can be stopped. */
  ask<Answer>(job: Job, tell?: (found: Found) => void, signal?: AbortSignal): Promise<Answer> {
    signal?.throwIfAborted();
    const id = ++asked;
    return new Promise((resolve, reject) => {
      this.#open.set(id, { resolve: resolve as Open['resolve'], reject, tell });
      const stop = (): void => {
        if (!this.#open.delete(id)) return;
        this.#worker.postMessage({ stop: id });
        reject(signal!.reason as Error);
      };
      signal?.addEventListener('abort', stop, { once: true });
      this.#worker.postMessage({ id, folder: RULES().href, job } satisfies Asked);
    });
  }

  /** Has it nothing to do? */
  get idle(): boolean {
    return this.#open.size === 0;
  }

  end(): void {
    this.#worker.terminate();
  }
}

/** As many workers as there are cores, and no more than are wanted. */
export function helpersFor(wanted: number): Helper[] {
  const many = Math.min(Math.max(navigator.hardwareConcurrency || 1, 1), MOST, wanted);
  while (helpers.length < many) helpers.push(new Helper());
  return helpers.slice(0, many);
}

/** After a review one worker stays, for the next question. */
export function letGo(): void {
  for (const helper of helpers.slice(1).filter(({ idle }) => idle)) {
    helper.end();
    helpers.splice(helpers.indexOf(helper), 1);
  }
}
