/** What belongs to which picture: a long task is cut where the browser can paint in between. */

// So long nothing is waited for a picture that does not come, as in a page that is out of sight.
const PAINT_TIMEOUT = 100;

/** After the next picture: that something was touched is seen before the work for it begins. */
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

/** Looks at the page as it will be painted and says what to do then; told where the show was `cut` meanwhile. */
export type Measurement = (cut: boolean) => (() => void) | void;
const measurements = new Set<Measurement>();

/** Just before the next picture everybody looks, and only then anything begins to move: each look after a change would
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

/** What has not begun to move will not. */
export const cancelMeasurements = (): void => runMeasurements(true);
