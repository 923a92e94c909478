import { defineConfig } from 'vitest/config';
import type { Reporter } from 'vitest/node';

/** The names of what failed once more, in the last lines, where whoever looks for them looks first. */
const failed: Reporter = {
  onTestRunEnd(modules) {
    for (const one of modules)
      for (const test of one.children.allTests('failed'))
        console.error(`FAILED ${one.relativeModuleId} > ${test.fullName}`);
  },
};

// Tests in a real Chromium against a real server.
export default defineConfig({
  test: {
    include: ['tests/**/*.spec.ts'],
    globalSetup: ['tests/server.ts'],
    testTimeout: 300_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
    maxWorkers: 2,
    // One more chance for what failed beside others, and tools/retry-failed.js gives another one by itself.
    retry: 1,
    reporters: ['default', ['json', { outputFile: 'node_modules/.vitest/browser.json' }], failed],
  },
});
