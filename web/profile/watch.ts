/** What is measured inside the page; all times in milliseconds. */

interface Span {
  at: number;
  ms: number;
}

export interface Watched {
  /** From each tap to the next thing painted. */
  taps: number[];
  /** From the tap that makes a move to the frame that shows the new position. */
  shown: number[];
  frames: Span[];
  /** Tasks of 50 ms and more. */
  tasks: Span[];
  /** The times of taps and of new positions. */
  activity: number[];
}

/** How long after a tap or a new position something may still be moving. */
export const ACTIVE_MS = 600;

/** What happened shortly after a tap or a new position: idle time would flatter. */
export const duringActivity = (spans: Span[], { activity }: Watched): number[] =>
  spans
    .filter(({ at, ms }) =>
      activity.some((recordActivity) => at + ms >= recordActivity && at <= recordActivity + ACTIVE_MS),
    )
    .map(({ ms }) => ms);

/** Runs in the page. */
export function watch(): void {
  const watched: Watched = { taps: [], shown: [], frames: [], tasks: [], activity: [] };
  Object.assign(window, { watched });
  let tapped = 0;
  const recordActivity = (): void => void watched.activity.push(performance.now());
  addEventListener('pointerdown', recordActivity, { capture: true });
  addEventListener('click', (event) => (tapped = event.timeStamp), { capture: true });

  // Changes with the position on the table, optimistically for the player's own move.
  new MutationObserver(() => {
    recordActivity();
    if (!tapped) return;
    const from = tapped;
    tapped = 0;
    requestAnimationFrame(() => watched.shown.push(performance.now() - from));
  }).observe(document.querySelector('.table')!, { attributeFilter: ['data-moment'] });

  new PerformanceObserver((list) => {
    for (const { name, duration } of list.getEntries()) if (name === 'click') watched.taps.push(duration);
  }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);

  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries())
      watched.tasks.push({ at: startTime, ms: duration });
  }).observe({ type: 'longtask' });

  let before = performance.now();
  const frame = (now: number): void => {
    watched.frames.push({ at: before, ms: now - before });
    before = now;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}
