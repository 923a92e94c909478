/** What belongs to which picture: a long task is cut where the browser can paint in between. */

// So long nothing is waited for a picture that does not come, as in a page that is out of sight.
const PATIENCE = 100;

/** After the next picture: that something was touched is seen before the work for it begins. */
export function afterPaint(then: () => void): void {
  let due = true;
  const go = (): void => {
    clearTimeout(late);
    if (due) then();
    due = false;
  };
  const late = setTimeout(go, PATIENCE);
  requestAnimationFrame(() => setTimeout(go));
}

/** Looks at the page as it will be painted and says what to do then; told where the show was `cut` meanwhile. */
export type Look = (cut: boolean) => (() => void) | void;
const looks = new Set<Look>();

/** Just before the next picture everybody looks, and only then anything begins to move: each look after a change would
 *  cost a layout, and in the task of the change itself even the first one. */
export function beforePaint(look: Look): void {
  if (document.hidden) return void look(true);
  if (!looks.size) requestAnimationFrame(() => all(false));
  looks.add(look);
}

function all(cut: boolean): void {
  const now = [...looks];
  looks.clear();
  for (const go of now.map((look) => look(cut))) go?.();
}

/** What has not begun to move will not. */
export const cutLooks = (): void => all(true);
