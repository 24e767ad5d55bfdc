// The tests of `npm run check`: those of pure code. A test file is pure when nothing that it imports, directly or not,
// can reach Redis or MongoDB or start a process. The imports decide, so there is no list to keep up to date.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import config, { testFiles } from './.mocharc.mjs';

const impure = new Set(['ioredis', 'bullmq', 'mongoose', 'mongodb', 'lmdb', 'node:child_process']);
const imported = /^(?:import|export)\b(?! type\b)[^'"]*?['"]([^'"]+)['"]|\bimport\('([^']+)'\)/gm;

/** Whether a file reaches an impure module; `seen` keeps the files on the way from being read again. */
function isImpure(file, seen = new Set()) {
  if (seen.has(file)) return false;
  seen.add(file);
  if (!/\.m?[jt]s$/.test(file)) return false;
  return [...readFileSync(file, 'utf8').matchAll(imported)].some(([, by, byCall]) => {
    const name = by ?? byCall;
    return name.startsWith('.') ? isImpure(join(dirname(file), name), seen) : impure.has(name);
  });
}

// Without the root hooks: they start servers.
const { require: _hooks, ...shared } = config;
export default { ...shared, spec: testFiles().filter((file) => !isImpure(file)) };
