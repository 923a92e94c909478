/** Which page is shown: the address says it. */

const read = (): { path: string; hash: string } => ({
  path: location.pathname,
  hash: location.hash.slice(1),
});

let here = $state.raw(read());

export const place = (): { path: string; hash: string } => here;

export function go(address: string, replace = false): void {
  history[replace ? 'replaceState' : 'pushState'](null, '', address);
  here = read();
  if (!location.hash) scrollTo(0, 0);
}

addEventListener('popstate', () => (here = read()));
addEventListener('hashchange', () => (here = read()));

/** Links within the page do not load it again. */
export function follow(event: MouseEvent): void {
  const link = (event.target as Element | null)?.closest?.('a');
  if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey)
    return;
  if (link.origin !== location.origin || link.target || link.hasAttribute('download')) return;
  if (link.pathname.startsWith('/api')) return;
  event.preventDefault();
  go(link.href);
}
