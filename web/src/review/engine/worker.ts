/** The review worker: runs its jobs one at a time, off the main thread. */
import { AnalysisService, fetchSource, DataMissing, type AnalysisUpdate } from './analysis-service';
import { RecordError, type Fault } from '../../rules';
import type { WorkerResponse, WorkerRequest } from './worker-pool';

const stopped = new Set<number>();
let service: AnalysisService | undefined;
let queueTail: Promise<unknown> = Promise.resolve();

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function runJob({ id, folder, job }: WorkerRequest): Promise<unknown> {
  service ??= new AnalysisService(fetchSource(folder));
  switch (job.do) {
    case 'open':
      return service.open(job.key, job.record);
    case 'judge':
      return service.judge(job.key, job.number, job.iterations, job.seed);
    case 'close':
      return service.close(job.key);
    case 'weigh': {
      const onUpdate = (update: AnalysisUpdate): void => postMessage({ id, update } satisfies WorkerResponse);
      return service.evaluateMoves(job.game, job.view, job.seat, job.most, onUpdate, () =>
        stopped.delete(id),
      );
    }
    case 'try':
      return service.evaluateMove(job.game, job.view, job.seat, job.number, job.move);
    case 'chances':
      return service.chances(job.game, job.view, job.seat);
  }
}

onmessage = ({ data }: MessageEvent<WorkerRequest | { stop: number }>) => {
  if ('stop' in data) {
    stopped.add(data.stop);
    return;
  }
  queueTail = queueTail
    .then(() => (stopped.delete(data.id) ? null : runJob(data)))
    .then(
      (answer) => postMessage({ id: data.id, answer } satisfies WorkerResponse),
      (error: unknown) => {
        const fault: Fault | undefined = error instanceof RecordError ? error.fault : undefined;
        const missing = error instanceof DataMissing;
        postMessage({ id: data.id, error: messageOf(error), fault, missing } satisfies WorkerResponse);
      },
    );
};
