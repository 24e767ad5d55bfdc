// The short tests of `npm run check`: they use neither servers nor processes of their own. Direct
// and indirect imports decide, so no list has to be maintained.

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import config, { testFiles } from './.mocharc.mjs';

const excluded = new Set([
  'node:child_process',
  'node:http',
  'lmdb',
  'test/support/test-servers.ts',
  'test/support/own-redis.ts',
  // They take seconds.
  '@stoplight/spectral-core',
  'esbuild',
  'test/shared/pii/adversarial-units.json',
  'test/shared/cost/month-of-logs.test.ts',
  'test/shared/cost/refresh/faulty-prices.test.ts',
  'test/shared/metering/count-tokens.test.ts',
  'test/shared/process/thread-pool.test.ts',
]);
const imported = /^(?:import|export)\b(?! type\b)[^'"]*?['"]([^'"]+)['"]|\bimport\('([^']+)'\)/gm;

/** Whether a file imports an excluded module; `seen` prevents files from being read twice. */
function isExcluded(file, seen = new Set()) {
  if (excluded.has(file)) return true;
  if (seen.has(file) || !/\.m?[jt]s$/.test(file)) return false;
  seen.add(file);
  return [...readFileSync(file, 'utf8').matchAll(imported)].some(([, by, byCall]) => {
    const name = by ?? byCall;
    return name.startsWith('.') ? isExcluded(join(dirname(file), name), seen) : excluded.has(name);
  });
}

// Without the global fixtures, which start servers.
const { require: _hooks, ...shared } = config;
export default { ...shared, spec: testFiles().filter((file) => !file.startsWith('test/proof/') && !isExcluded(file)) };
