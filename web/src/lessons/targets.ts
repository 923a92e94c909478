/** The elements of a table that a lesson points to. */
const visible = (element: Element): boolean => element.getClientRects().length > 0;

/** The elements with `data-lesson` of this name. */
export const partsOf = (table: Element, part: string): Element[] =>
  [...table.querySelectorAll(`[data-lesson=${part}]`)].filter(visible);

const labelOf = (button: Element): string => button.getAttribute('aria-label') ?? button.textContent ?? '';

/** The enabled button whose label begins with `name`. */
export function findButton(table: Element, name: string, pressed?: boolean): Element | undefined {
  return [...table.querySelectorAll('button, [role=button], [role=radio]')].find(
    (element) =>
      visible(element) &&
      !element.matches(':disabled') &&
      labelOf(element).trim().startsWith(name) &&
      (pressed === undefined ||
        (element.getAttribute('aria-pressed') ?? element.getAttribute('aria-checked')) === String(pressed)),
  );
}
