// Keeps every file of the site (FILES) after the first visit, so that all of it works with the network off. A new version
// is kept beside the old one and takes over when no page of the old one is open any more: files of two versions never mix.
const OURS = `sixfold ${self.registration.scope} `;

self.addEventListener('install', (event) => event.waitUntil(keepAll()));
self.addEventListener('activate', (event) => event.waitUntil(takeOver()));

async function keepAll() {
  const cache = await caches.open(OURS + VERSION);
  await cache.addAll(FILES.map((name) => new Request(name, { cache: 'no-cache' })));
}

async function takeOver() {
  const old = (await caches.keys()).filter((name) => name.startsWith(OURS) && name !== OURS + VERSION);
  await Promise.all(old.map((name) => caches.delete(name)));
  await self.clients.claim();
}

self.addEventListener('fetch', (event) => {
  const { method, url, mode } = event.request;
  const path = url.startsWith(self.registration.scope) ? url.slice(self.registration.scope.length) : null;
  if (method !== 'GET' || path === null || path.startsWith('api/')) return;
  event.respondWith(answer(event.request, mode === 'navigate' ? './' : event.request));
});

async function answer(request, key) {
  const cache = await caches.open(OURS + VERSION);
  return (await cache.match(key, { ignoreSearch: true })) ?? fetch(request);
}
