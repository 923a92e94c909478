// Run in Node by `sixfold wasm check`, `python -m lab bench wasm` and the tests: a question on standard input, the answer as JSON.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const folder = process.argv[2];
const within = (name) => join(folder, name);
const { load } = await import(pathToFileURL(within('rules.js')).href);
const { differences, measured } = await import(pathToFileURL(within('checking.js')).href);
const { review } = await import(pathToFileURL(within('reviewing.js')).href);

async function opened(game) {
  const rules = await load(
    readFileSync(within(`${game}.wasm`)),
    JSON.parse(readFileSync(within(`${game}.json`), 'utf8')),
  );
  for (const bot of Object.keys(rules.about.data)) {
    const file = within(`${game}.${bot}.data`);
    if (existsSync(file)) await rules.give(bot, readFileSync(file).buffer);
  }
  return rules;
}

// Seconds of processor time: what else the machine does matters less.
const clock = () => Object.values(process.cpuUsage()).reduce((sum, part) => sum + part, 0) / 1e6;

const asked = JSON.parse(readFileSync(0, 'utf8'));
const answers = [];
for (const one of asked) {
  const rules = await opened(one.game);
  if (one.record) answers.push(review(rules, one.record, one.iterations, one.seed));
  else if (one.seconds) answers.push(measured(rules, one, clock));
  else answers.push(differences(rules, one));
}
process.stdout.write(JSON.stringify(answers));
