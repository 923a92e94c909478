import { defineConfig } from 'vite';

// The rules for any page or program, beside their modules: /rules/rules.js.
export default defineConfig({
  publicDir: false,
  build: {
    outDir: 'public/rules',
    emptyOutDir: false,
    target: 'es2022',
    lib: {
      entry: {
        rules: 'src/rules/index.ts',
        checking: 'src/rules/verification.ts',
        reviewing: 'src/review/engine/report.ts',
      },
      formats: ['es'],
    },
  },
});
