import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type Plugin } from 'vite';

const SITE = '../site';
const SENTENCES = /\/src\/(?:languages\/|games\/\w+\/words\.)(\w\w)\.json$/;

/** The worker that keeps a whole site for when there is no network: it knows every file, and changes when one does. */
const keepingAll = (): Plugin => ({
  name: 'keeping-all',
  closeBundle() {
    const files = readdirSync(SITE, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== 'sw.js')
      .map((entry) => join(entry.parentPath, entry.name));
    const hash = createHash('sha256');
    files.sort().forEach((file) => hash.update(readFileSync(file)));
    const names = files.map((file) => file.slice(SITE.length + 1).replaceAll('\\', '/'));
    const known = `const VERSION = '${hash.digest('hex').slice(0, 16)}';\nconst FILES = ${JSON.stringify(['./', ...names])};\n`;
    writeFileSync(join(SITE, 'sw.js'), known + readFileSync('site/sw.js', 'utf8'));
  },
});

// The pages for our server, or with `--mode site` a folder that any web space can serve.
export default defineConfig(({ mode }) => {
  const site = mode === 'site';
  return {
    plugins: [svelte(), ...(site ? [keepingAll()] : [])],
    base: site ? './' : '/',
    worker: { format: 'es' },
    build: {
      outDir: site ? SITE : '../src/sixfold/server/pages',
      emptyOutDir: true,
      target: 'es2022',
      // The server allows no inline scripts and no data: fonts or scripts.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      // The sentences of a language are one file, though every game has its own.
      rolldownOptions: {
        output: {
          codeSplitting: {
            groups: [{ debugName: 'sentences', name: (id: string) => SENTENCES.exec(id)?.[1] ?? null }],
          },
        },
      },
    },
    server: {
      fs: { allow: ['..'] },
      proxy: { '/api': { target: 'http://127.0.0.1:8610', ws: true } },
    },
  };
});
