/** The processor's time that a page's tasks take: other work on the machine does not count. */
import type { Page } from 'playwright-core';

interface Traced {
  name: string;
  pid: number;
  tid: number;
  /** Microseconds of the thread's own time. */
  tdur?: number;
  args: { name?: string };
}

const CATEGORIES = ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline'];

/** How long each task of a page took while something was done with it, the longest first, in milliseconds. */
export async function tasksOf(page: Page, doing: () => Promise<unknown>): Promise<number[]> {
  const browser = page.context().browser()!;
  await browser.startTracing(page, { categories: CATEGORIES });
  await doing();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: Traced[] };
  const thread = ({ pid, tid }: Traced): string => `${pid} ${tid}`;
  const pages = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(thread),
  );
  return traceEvents
    .filter((event) => event.name === 'RunTask' && pages.has(thread(event)))
    .map(({ tdur }) => (tdur ?? 0) / 1000)
    .sort((a, b) => b - a);
}
