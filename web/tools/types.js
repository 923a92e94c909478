// Generates src/lib/schema.ts from the server's response types.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import openapiTS, { astToString } from 'openapi-typescript';

const python = process.env.PYTHON ?? '../.venv/bin/python';
const document = execFileSync(python, ['-m', 'sixfold.server.responses'], { encoding: 'utf8' });
const types = astToString(await openapiTS(JSON.parse(document), { defaultNonNullable: false }));
writeFileSync(new URL('../src/lib/schema.ts', import.meta.url), types);
