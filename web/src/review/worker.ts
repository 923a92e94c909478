/** A worker in which games are reviewed, so that the page never waits: one job after the other. */
import { Desk, fetchedFrom, Missing, type Found } from './desk';
import { RecordError, type Fault } from './record';
import type { Answered, Asked } from './helpers';

const stopped = new Set<number>();
let desk: Desk | undefined;
let last: Promise<unknown> = Promise.resolve();

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function done({ id, folder, job }: Asked): Promise<unknown> {
  desk ??= new Desk(fetchedFrom(folder));
  switch (job.do) {
    case 'open':
      return desk.open(job.key, job.record);
    case 'judge':
      return desk.judge(job.key, job.number, job.iterations, job.seed);
    case 'close':
      return desk.close(job.key);
    case 'weigh': {
      const tell = (found: Found): void => postMessage({ id, told: found } satisfies Answered);
      return desk.weigh(job.game, job.view, job.seat, job.most, tell, () => stopped.delete(id));
    }
    case 'try':
      return desk.tried(job.game, job.view, job.seat, job.number, job.move);
    case 'chances':
      return desk.chances(job.game, job.view, job.seat);
  }
}

onmessage = ({ data }: MessageEvent<Asked | { stop: number }>) => {
  if ('stop' in data) {
    stopped.add(data.stop);
    return;
  }
  last = last
    .then(() => (stopped.delete(data.id) ? null : done(data)))
    .then(
      (answer) => postMessage({ id: data.id, answer } satisfies Answered),
      (error: unknown) => {
        const fault: Fault | undefined = error instanceof RecordError ? error.fault : undefined;
        const missing = error instanceof Missing;
        postMessage({ id: data.id, error: messageOf(error), fault, missing } satisfies Answered);
      },
    );
};
