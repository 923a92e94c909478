import { defineConfig } from 'vitest/config';

// How smooth a slow phone is; see docs/browser.md.
export default defineConfig({
  test: {
    include: ['profile/**/*.profile.ts'],
    globalSetup: ['tests/server.ts'],
    testTimeout: 600_000,
    hookTimeout: 60_000,
    fileParallelism: false,
    silent: false,
  },
});
