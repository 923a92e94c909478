/** Scheduling around frames: long tasks are split so that the browser can paint in between. */

// The longest wait for a frame, which may never come in a hidden page.
const PAINT_TIMEOUT = 100;

/** Run a callback after the next frame, so that the response to a tap is painted before the work begins. */
export function afterPaint(callback: () => void): void {
  let pending = true;
  const run = (): void => {
    clearTimeout(fallback);
    if (pending) callback();
    pending = false;
  };
  const fallback = setTimeout(run, PAINT_TIMEOUT);
  requestAnimationFrame(() => setTimeout(run));
}

/** Measures the page before it is painted and returns the mutation to run then; `cut` if animations were skipped. */
export type Measurement = (cut: boolean) => (() => void) | void;
const measurements = new Set<Measurement>();

/** Run all measurements just before the next frame and only then all mutations: a read after a write would
 *  cost a layout, and in the task of the change itself even the first one. */
export function beforePaint(measure: Measurement): void {
  if (document.hidden) return void measure(true);
  if (!measurements.size) requestAnimationFrame(() => runMeasurements(false));
  measurements.add(measure);
}

function runMeasurements(cut: boolean): void {
  const current = [...measurements];
  measurements.clear();
  for (const mutate of current.map((measure) => measure(cut))) mutate?.();
}

/** Cancel animations that have not started. */
export const cancelMeasurements = (): void => runMeasurements(true);
