// Reruns the failed browser tests serially; an error outside any test reruns all of them.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const { testResults } = JSON.parse(readFileSync('node_modules/.vitest/browser.json', 'utf8'));
const failed = testResults.filter(({ status }) => status === 'failed').map(({ name }) => name);
console.log(`Once more, by themselves: ${failed.join(', ') || 'all browser tests'}`);
const again = spawnSync('npm', ['run', '--silent', 'browser', '--', '--maxWorkers=1', ...failed], {
  stdio: 'inherit',
});
process.exit(again.status ?? 1);
