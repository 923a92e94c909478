/** Pieces glide to where they lie now: from the hand to the table, and along where others leave a gap. */
import { untrack } from 'svelte';
import { calm } from './settings.svelte';

interface Seen {
  piece: HTMLElement;
  box: DOMRect;
}

const TIMING: KeyframeAnimationOptions = { duration: 320, easing: 'cubic-bezier(0.2, 0.8, 0.3, 1)' };

// Everything is measured at once, before and after: each look between two changes would cost a layout.
const look = (root: HTMLElement | undefined): Map<string, Seen> =>
  new Map(
    [...(root?.querySelectorAll<HTMLElement>('[data-piece]') ?? [])].map((piece) => [
      piece.dataset.piece!,
      { piece, box: piece.getBoundingClientRect() },
    ]),
  );

function arrive({ piece, box }: Seen, from: DOMRect | undefined): void {
  if (!from) {
    piece.animate({ opacity: [0, 1], transform: ['translateY(30px)', 'none'] }, TIMING);
    return;
  }
  const [x, y] = [from.x - box.x, from.y - box.y];
  if (Math.abs(x) + Math.abs(y) < 1) return;
  const start = `translate(${x}px, ${y}px) scale(${from.width / box.width})`;
  piece.animate({ transform: [start, 'none'], transformOrigin: ['0 0', '0 0'] }, TIMING);
}

/** What is gone from the page is seen leaving it. */
function leave({ piece, box }: Seen): void {
  const copy = piece.cloneNode(true) as HTMLElement;
  copy.inert = true;
  Object.assign(copy.style, {
    position: 'fixed',
    left: `${box.x}px`,
    top: `${box.y}px`,
    width: `${box.width}px`,
    pointerEvents: 'none',
  });
  document.body.append(copy);
  copy.animate({ opacity: [1, 0], transform: ['none', 'translateY(-50px)'] }, TIMING).onfinish = () =>
    copy.remove();
}

/** To be called by a component whose pieces have `data-piece`, a name, and `data-item`, what they show. */
export function glide(root: () => HTMLElement | undefined, position: () => unknown): void {
  let before = new Map<string, Seen>();
  $effect.pre(() => {
    position();
    if (!calm()) before = look(untrack(root));
  });
  $effect(() => {
    position();
    if (!before.size) return;
    const now = look(untrack(root));
    const gone = [...before].filter(([name]) => !now.has(name)).map(([, seen]) => seen);
    for (const [name, seen] of now) {
      const at = gone.findIndex(({ piece }) => piece.dataset.item === seen.piece.dataset.item);
      const from = before.get(name) ?? (at < 0 ? undefined : gone.splice(at, 1)[0]);
      arrive(seen, from?.box);
    }
    gone.forEach(leave);
  });
}
