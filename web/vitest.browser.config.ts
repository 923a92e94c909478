import { defineConfig } from 'vitest/config';

// Tests in a real Chromium against a real server.
export default defineConfig({
  test: {
    include: ['tests/**/*.spec.ts'],
    globalSetup: ['tests/server.ts'],
    testTimeout: 300_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
    maxWorkers: 2,
  },
});
