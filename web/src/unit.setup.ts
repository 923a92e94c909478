/** What a browser has and the unit tests need. */
Object.assign(globalThis, { matchMedia: () => ({ matches: false }) });
