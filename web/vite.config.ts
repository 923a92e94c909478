import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [svelte()],
  build: {
    outDir: '../src/sixfold/server/pages',
    emptyOutDir: true,
    target: 'es2022',
    // The server allows no inline scripts and no data: fonts or scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    // The rules to read belong to the package.
    fs: { allow: ['..'] },
    proxy: { '/api': { target: 'http://127.0.0.1:8610', ws: true } },
  },
});
