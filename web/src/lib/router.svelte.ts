/** The router. Our server answers every path with the page; on static hosting there is
 *  only one file, and the path stands behind its `#`. */

const HASHED = import.meta.env.BASE_URL !== '/';

interface Location {
  path: string;
  query: URLSearchParams;
  hash: string;
}

function parseLocation(): Location {
  const { pathname, search, hash } = location;
  const address = HASHED ? (hash.startsWith('#/') ? hash.slice(1) : `/${hash}`) : pathname + search + hash;
  const { pathname: path, searchParams: query, hash: fragment } = new URL(address, location.origin);
  return { path, query, hash: fragment.slice(1) };
}

let current = $state.raw(parseLocation());

export const currentLocation = (): Location => current;

/** A page's path as a link has it. */
export const route = (path: string): string => (HASHED ? `#${path}` : path);

/** The absolute URL of a page, for sharing. */
export const absoluteUrl = (path: string): string =>
  new URL(route(path), location.href.replace(/#.*/, '')).href;

export function go(path: string, replace = false): void {
  history[replace ? 'replaceState' : 'pushState'](null, '', route(path));
  navigate();
}

function navigate(): void {
  current = parseLocation();
  if (!current.hash) scrollTo(0, 0);
}

addEventListener('popstate', () => (current = parseLocation()));
addEventListener('hashchange', () => (current = parseLocation()));

/** Links within the page do not load it again. */
export function follow(event: MouseEvent): void {
  const link = (event.target as Element | null)?.closest?.('a');
  if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey)
    return;
  if (link.origin !== location.origin || link.target || link.hasAttribute('download')) return;
  const href = link.getAttribute('href') ?? '';
  if (HASHED ? !href.startsWith('#') : link.pathname.startsWith('/api')) return;
  event.preventDefault();
  if (HASHED && !href.startsWith('#/')) {
    const target = document.getElementById(href.slice(1));
    target?.focus();
    return target?.scrollIntoView();
  }
  history.pushState(null, '', link.href);
  navigate();
}
