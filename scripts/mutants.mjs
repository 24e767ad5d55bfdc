// `npm run mutants`: changes the code in small ways, one at a time, and lists the changes that no
// test notices (`-- pricing`, `-- usage`, `-- idempotency`, `-- personal-data`; default: all of
// them). Stryker is no dependency: npx downloads the versions below.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parts } from './mutants/parts.mjs';

const packages = [
  'node@24.21.0',
  // The runner 10.0.0 cannot load mocha 12, and this one has a mocha of its own.
  '@stryker-mutator/core@9.6.1',
  '@stryker-mutator/mocha-runner@9.6.1',
  'mocha@11.8.0',
];
const config = fileURLToPath(new URL('mutants/stryker.config.mjs', import.meta.url));
const given = process.argv.slice(2);
const names = given.length > 0 ? given : Object.keys(parts);
for (const name of names) {
  if (!(name in parts)) throw new Error(`${name} is not a part; use ${Object.keys(parts).join(', ')}.`);
}
for (const name of names) {
  console.log(`\nMutants of ${name}`);
  const args = ['-y', ...packages.flatMap((each) => ['-p', each]), 'stryker', 'run', config];
  const child = spawn('npx', args, {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    env: { ...process.env, MUTANTS_OF: name },
    stdio: 'inherit',
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) process.exitCode = 1;
}
