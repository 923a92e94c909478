// Keeps the built pages for the next visit and for a moment without a connection. Tables always come from the server.
const CACHE = 'sixfold-1';

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('fetch', (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== 'GET' || url.origin !== location.origin || url.pathname.startsWith('/api'))
    return;
  event.respondWith(answer(event.request, url));
});

async function answer(request, url) {
  const cache = await caches.open(CACHE);
  const key = request.mode === 'navigate' ? '/' : request;
  const kept = await cache.match(key);
  // Names under assets/ carry a hash of what is in them: what is kept is right.
  if (kept && url.pathname.startsWith('/assets/')) return kept;
  try {
    const fresh = await fetch(request);
    if (fresh.ok) await cache.put(key, fresh.clone());
    return fresh;
  } catch (error) {
    if (kept) return kept;
    throw error;
  }
}
