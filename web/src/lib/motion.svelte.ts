/** Animations on the table. The DOM is in its final state from the start; an animation on top of it only delays
 *  when it becomes visible, and can be skipped at any time. */
import { untrack } from 'svelte';
import { beforePaint, cancelMeasurements } from './after-paint';
import { calm, pace } from './settings.svelte';
import type { EventShown } from './types';

/** How long others' moves are shown by default, in milliseconds. */
export const NORMAL = 1500;
/** How long a revealed hand stays visible. */
export const LOOKING = 3000;
const EASE = 'cubic-bezier(0.25, 0.8, 0.3, 1)';

const running = new Set<Animation>();
let scheduled: { timer: ReturnType<typeof setTimeout>; then: (cut: boolean) => void }[] = [];

/** The duration factor relative to the default pace; 0 disables animations. */
export const tempo = (): number => (calm() ? 0 : pace() / NORMAL);

/** An animation of the show; times are those of the default tempo. */
export function animate(
  element: Element,
  frames: PropertyIndexedKeyframes,
  { delay = 0, duration = 300, ...options }: KeyframeAnimationOptions & { delay?: number; duration?: number },
): Animation | undefined {
  const factor = tempo();
  if (!factor) return undefined;
  const animation = element.animate(frames, {
    easing: EASE,
    fill: 'backwards',
    ...options,
    delay: delay * factor,
    duration: duration * factor,
  });
  running.add(animation);
  const done = (): void => void running.delete(animation);
  animation.addEventListener('finish', done);
  animation.addEventListener('cancel', done);
  return animation;
}

/** Run a callback during an animation; immediately if animations are off or it is `cut` short. */
export function after(delay: number, then: (cut: boolean) => void): void {
  const factor = tempo();
  if (!factor || !delay) return then(!factor);
  const step = {
    then,
    timer: setTimeout(() => {
      scheduled = scheduled.filter((entry) => entry !== step);
      then(false);
    }, delay * factor),
  };
  scheduled.push(step);
}

/** Finish all animations immediately. */
export function skip(): void {
  cancelMeasurements();
  const pendingSteps = scheduled;
  scheduled = [];
  for (const { timer, then } of pendingSteps) {
    clearTimeout(timer);
    then(true);
  }
  for (const animation of [...running]) animation.finish();
  document.querySelectorAll('.rise').forEach((label) => label.remove());
}

/** Fade an element in after a delay. */
export const appear = (element: Element | null | undefined, delay: number, duration = 1): void =>
  void (element && animate(element, { opacity: [0, 1] }, { delay, duration }));

/** A short jump of what counts. Brighter, not with a shadow that grows: for that the page would draw each frame. */
export const bump = (element: Element, delay: number): void =>
  void animate(
    element,
    {
      scale: ['none', '1.14', 'none'], // beside a transform: two of these on one piece would need the page as well
      filter: ['none', 'brightness(1.6)', 'none'],
    },
    { delay, duration: 560, easing: 'ease-in-out', fill: 'none' },
  );

function placeFloating(element: HTMLElement, { x, y, width, height }: DOMRect): void {
  element.inert = true;
  element.setAttribute('aria-hidden', 'true');
  Object.assign(element.style, {
    position: 'fixed',
    zIndex: '30',
    left: `${x}px`,
    top: `${y}px`,
    width: `${width}px`,
    height: `${height}px`,
    margin: '0',
    pointerEvents: 'none',
    listStyle: 'none', // it may have been an item of a list
  });
  document.body.append(element);
}

/** "+3" rises from where it was earned. It is made when its time has come, so that a move itself need not measure. */
export function rise(text: string, letter: string, from: Element, delay: number): void {
  after(
    delay,
    (cut) => void (!cut && from.isConnected && showFloatingLabel(text, letter, from.getBoundingClientRect())),
  );
}

function showFloatingLabel(text: string, letter: string, box: DOMRect): void {
  const label = document.createElement('span');
  label.className = 'rise';
  label.style.setProperty('--tone', `var(--${letter})`);
  label.style.animationDuration = `${1000 * tempo()}ms`;
  label.onanimationend = () => label.remove();
  label.textContent = text;
  const [width, height] = [44, 30];
  placeFloating(label, new DOMRect(box.x + (box.width - width) / 2, box.y - height / 2, width, height));
}

interface MeasuredPiece {
  piece: HTMLElement;
  box: DOMRect;
}

// Everything is measured in one batch, because each read between two writes would force a layout.
const measurePieces = (root: HTMLElement | undefined): Map<string, MeasuredPiece> =>
  new Map(
    [...(root?.querySelectorAll<HTMLElement>('[data-piece]') ?? [])].map((piece) => [
      piece.dataset.piece!,
      { piece, box: piece.getBoundingClientRect() },
    ]),
  );

const measurements = new Set<() => void>();

/** Measure the pieces before a change, while the layout is still clean. */
export const measureBeforeChange = (): void => measurements.forEach((measurePieces) => measurePieces());

/** Animate a piece from its origin to its place, above all others unless it only moves up. */
function flyIn({ piece, box }: MeasuredPiece, from: DOMRect, delay: number, above: boolean): void {
  const [x, y] = [
    from.x + from.width / 2 - box.x - box.width / 2,
    from.y + from.height / 2 - box.y - box.height / 2,
  ];
  if (Math.abs(x) + Math.abs(y) < 1) return;
  const start = `translate(${x}px, ${y}px) scale(${Math.max(0.3, Math.min(from.width, from.height * 0.67) / box.width)})`;
  const moving = animate(piece, { transform: [start, 'none'] }, { delay, duration: 520 });
  if (!moving || !above) return;
  // Not in the animation: with anything but transform and opacity in it, each of its frames would need the page.
  piece.style.zIndex = '5';
  moving.addEventListener('finish', () => piece.style.removeProperty('z-index'));
}

/** Animate a copy of a removed piece. */
function flyOut({ piece, box }: MeasuredPiece, delay: number): void {
  if (!tempo()) return;
  const copy = piece.cloneNode(true) as HTMLElement;
  placeFloating(copy, box);
  animate(
    copy,
    { opacity: [1, 0], transform: ['none', 'translateY(-40px)'] },
    { delay, duration: 380 },
  )!.onfinish = () => copy.remove();
}

/** When a piece sets out, and from where if it was nowhere before. */
export interface PiecePath {
  delay: number;
  from?: DOMRect;
}

/** Pieces with `data-piece`, a name, and `data-item`, what they show, travel to where they lie now. */
export function animatePieces(
  root: () => HTMLElement | undefined,
  position: () => unknown,
  pathOf: (name: string, known: boolean) => PiecePath,
  leaveDelay: () => number,
): void {
  let before: Map<string, MeasuredPiece> | null = null;
  // A piece whose animation has not started yet starts from where it was last visible.
  const rememberPositions = (): void => void (before ??= tempo() ? measurePieces(untrack(root)) : new Map());
  $effect(() => {
    measurements.add(rememberPositions);
    return () => measurements.delete(rememberPositions);
  });
  $effect.pre(() => {
    position();
    rememberPositions();
  });
  $effect(() => {
    position();
    beforePaint(animateChanges);
  });
  function animateChanges(cut: boolean): (() => void) | void {
    const previous = before;
    before = null;
    if (cut || !previous?.size) return;
    const now = measurePieces(root());
    const gonePieces = [...previous].filter(([name]) => !now.has(name)).map(([, measured]) => measured);
    const moves = [...now].map(([name, measured]) => {
      const index = gonePieces.findIndex(({ piece }) => piece.dataset.item === measured.piece.dataset.item);
      const samePiece = previous.get(name);
      const from = samePiece ?? (index < 0 ? undefined : gonePieces.splice(index, 1)[0]);
      return { seen: measured, known: from, stays: samePiece, ...pathOf(name, from !== undefined) };
    });
    return () => {
      for (const { seen: measured, known: previous, stays: samePiece, delay, from } of moves) {
        if (previous) flyIn(measured, previous.box, delay, !samePiece);
        else if (from) flyIn(measured, from, delay, true);
        else appear(measured.piece, delay, 260);
      }
      for (const measured of gonePieces) flyOut(measured, leaveDelay());
    };
  }
}

/** Call `perform` for each new move, and for all of them when a repeat is requested. */
export function onNewMoves(
  trace: () => EventShown[],
  again: () => number,
  perform: (event: EventShown, delay: number, again: boolean) => void,
): void {
  let last: number | undefined;
  let seenAgain = untrack(again);
  $effect(() => {
    const moves = trace();
    const isRepeat = again() !== seenAgain;
    seenAgain = again();
    const newEvents = last === undefined ? [] : moves.filter((event) => event.version > last!);
    last = moves.at(-1)?.version ?? 0;
    if (!tempo()) return;
    const shownEvents = isRepeat ? moves : newEvents.slice(-1);
    if (!shownEvents.length) return;
    beforePaint((cut) => {
      if (!cut) shownEvents.forEach((event, at) => perform(event, at * NORMAL, isRepeat));
    });
  });
}
