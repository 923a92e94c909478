/** Starts a server on a free port with an empty database, and stops it after the tests. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    base: string;
    chromium: string;
  }
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });

function findChromium(): string {
  // The first is the same browser without what belongs to a window, and half as much work.
  const names = [
    'chromium-headless-shell',
    'chromium',
    'chromium-browser',
    'google-chrome',
    'google-chrome-stable',
  ];
  const executable =
    process.env.CHROMIUM ??
    names
      .map((name) => spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim())
      .find(Boolean);
  if (executable) return executable;
  throw new Error('The browser tests need Chromium: make services installs it, or name it with CHROMIUM=');
}

async function waitUntilReady(base: string, server: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (server.exitCode !== null) throw new Error(`the server ended with ${server.exitCode}`);
    const ready = await fetch(`${base}/ready`).then(
      (answer) => answer.ok,
      () => false,
    );
    if (ready) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('the server does not answer');
}

/** A server for tests; Python finds further packages in `path`. */
export async function serve(path = ''): Promise<{ base: string; stop: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'sixfold-'));
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const python = process.env.PYTHON ?? '../.venv/bin/python';
  const options = ['--port', String(port), '--database', `sqlite:///${folder}/tables.db`, '--rate', '0'];
  const server = spawn(python, ['-m', 'sixfold', 'serve', ...options], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: path ? { ...process.env, PYTHONPATH: path } : process.env,
  });
  // What goes well would bury the names of the tests that fail.
  createInterface({ input: server.stderr }).on('line', (line) => {
    if (!line.includes('"level": "info"')) console.error(line);
  });
  await waitUntilReady(base, server);
  const stop = async (): Promise<void> => {
    const exited = new Promise((resolve) => server.once('exit', resolve));
    server.kill('SIGTERM');
    await exited;
    rmSync(folder, { recursive: true });
  };
  return { base, stop };
}

export default async function start(project: TestProject): Promise<() => Promise<void>> {
  project.provide('chromium', findChromium());
  const { base, stop } = await serve();
  project.provide('base', base);
  return stop;
}
