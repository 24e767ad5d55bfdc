// `npm run fuzz`: sends 5,000 requests generated from the OpenAPI document to a service of its own
// (`-- --requests 20000 --seed 7`), and fails on a 500 and on any response that the document does
// not declare. `npm test` sends a few hundred (test/flows/fuzz.test.ts).
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { prepare } from './ensure-installed.mjs';

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '5000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});
for (const [name, value] of Object.entries(values)) {
  if (!/^[1-9]\d*$/.test(value)) throw new Error(`--${name} must be a positive integer.`);
}
prepare({ needsRedis: true, readsEnvironmentFile: false });
console.log(`Sending ${values.requests} requests with the seed ${values.seed}.`);
const mocha = fileURLToPath(new URL('../node_modules/mocha/bin/mocha.js', import.meta.url));
const child = spawn(process.execPath, [mocha, '--no-parallel', 'test/flows/fuzz.test.ts'], {
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  env: { ...process.env, FUZZ_REQUESTS: values.requests, FUZZ_SEED: values.seed },
  stdio: 'inherit',
});
child.once('close', (code) => process.exit(code ?? 1));
