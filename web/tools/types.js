// Generates src/lib/schema.ts from the server's response types; with --check it only verifies that the file is current.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import openapiTS, { astToString } from 'openapi-typescript';

const python = process.env.PYTHON ?? '../.venv/bin/python';
const document = execFileSync(python, ['-m', 'sixfold.server.responses'], { encoding: 'utf8' });
const header = '// Made by `npm run types` from src/sixfold/server/responses.py; do not edit.\n\n';
const made = header + astToString(await openapiTS(JSON.parse(document), { defaultNonNullable: false }));
const file = new URL('../src/lib/schema.ts', import.meta.url);

if (process.argv.includes('--check')) {
  if (readFileSync(file, 'utf8') !== made) {
    console.error('src/lib/schema.ts does not fit the server any more; run: npm run types');
    process.exit(1);
  }
} else {
  writeFileSync(file, made);
}
