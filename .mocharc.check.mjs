// The tests of `npm run check`: those of pure code. A test file is pure if none of its direct and
// indirect imports can connect to Redis or MongoDB or start a process. The imports decide, so no
// list has to be maintained.

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import config, { testFiles } from './.mocharc.mjs';

const impure = new Set(['ioredis', 'bullmq', 'mongoose', 'mongodb', 'lmdb', 'node:child_process']);
const imported = /^(?:import|export)\b(?! type\b)[^'"]*?['"]([^'"]+)['"]|\bimport\('([^']+)'\)/gm;

/**
 * Whether a file imports an impure module, directly or not; `seen` prevents files from being read
 * twice.
 */
function isImpure(file, seen = new Set()) {
  if (seen.has(file)) return false;
  seen.add(file);
  if (!/\.m?[jt]s$/.test(file)) return false;
  return [...readFileSync(file, 'utf8').matchAll(imported)].some(([, by, byCall]) => {
    const name = by ?? byCall;
    return name.startsWith('.') ? isImpure(join(dirname(file), name), seen) : impure.has(name);
  });
}

// Without the global fixtures, which start servers.
const { require: _hooks, ...shared } = config;
export default { ...shared, spec: testFiles().filter((file) => !isImpure(file)) };
