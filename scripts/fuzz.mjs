// `npm run fuzz`: sends 5,000 requests generated from the OpenAPI document to a service of its own
// (`-- --requests 20000 --seed 7`), and fails on a 500 and on any response that the document does
// not declare. `-- --bodies 20000` sends as many bodies of log entries from a grammar instead, and
// fails on a 5xx and on an entry that is not counted as its response says. `npm test` sends a few
// hundred of each (test/flows/fuzz.test.ts, test/flows/fuzz-ingest.test.ts).
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { prepare } from './ensure-installed.mjs';

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '5000' },
    bodies: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});
for (const [name, value] of Object.entries(values)) {
  if (!/^[1-9]\d*$/.test(value)) throw new Error(`--${name} must be a positive integer.`);
}
prepare({ needsRedis: true, readsEnvironmentFile: false });
const { requests, bodies, seed } = values;
console.log(`Sending ${bodies ?? requests} ${bodies ? 'bodies' : 'requests'} with the seed ${seed}.`);
const file = bodies ? 'test/flows/fuzz-ingest.test.ts' : 'test/flows/fuzz.test.ts';
const mocha = fileURLToPath(new URL('../node_modules/mocha/bin/mocha.js', import.meta.url));
const child = spawn(process.execPath, [mocha, '--no-parallel', file], {
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  env: { ...process.env, ...(bodies ? { FUZZ_BODIES: bodies } : { FUZZ_REQUESTS: requests }), FUZZ_SEED: seed },
  stdio: 'inherit',
});
child.once('close', (code) => process.exit(code ?? 1));
