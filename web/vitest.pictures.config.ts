import { defineConfig } from 'vitest/config';

// Pictures of every state of the tables, for a person to look at; see docs/browser.md.
export default defineConfig({
  test: {
    include: ['pictures/**/*.pictures.ts'],
    globalSetup: ['tests/server.ts'],
    testTimeout: 1_200_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
});
