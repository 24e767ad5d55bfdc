import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

/**
 * The longest files start first, so that no core is idle while the last file runs. Files that
 * mostly wait alternate with files that compute, so that the cores are busy and not crowded.
 */
const longFiles = [
  'test/flows/page-sessions.test.ts',
  'test/scripts/local-stack/stack.test.ts',
  'test/flows/page-walk.test.ts',
  'test/flows/member-access.test.ts',
  'test/flows/page-views.test.ts',
  'test/flows/hostile-requests.test.ts',
  'test/flows/redis-sentinel.test.ts',
  'test/flows/pages-in-browser.test.ts',
  'test/flows/production.test.ts',
  'test/flows/price-books.test.ts',
  'test/flows/processes.test.ts',
  'test/flows/lost-replies.test.ts',
  'test/flows/access-rules.test.ts',
  'test/flows/notebooks/open-notebook-backend.test.ts',
  'test/scripts/attack/floods.test.ts',
  'test/flows/database-outages.test.ts',
  'test/scripts/demo/demo-credentials.test.ts',
  'test/flows/database-connection.test.ts',
  'test/proof/usage.test.ts',
  'test/flows/redis-outages.test.ts',
  'test/flows/redis-tls.test.ts',
  'test/flows/notebooks/http-backend.test.ts',
  'test/flows/notebooks/jupyter-files.test.ts',
  'test/scripts/docs/contributing.test.ts',
  'test/flows/notebook-outage.test.ts',
];

export function testFiles() {
  const all = ['test', 'packages']
    .flatMap((folder) => readdirSync(folder, { recursive: true }).map((path) => join(folder, path)))
    .filter((path) => path.endsWith('.test.ts') && !path.includes('node_modules'))
    .sort((one, other) => (one < other ? -1 : 1));
  const unknown = longFiles.filter((file) => !all.includes(file));
  if (unknown.length > 0)
    throw new Error(`longFiles in .mocharc.mjs names files that do not exist: ${unknown.join(', ')}.`);
  return [...longFiles, ...all.filter((file) => !longFiles.includes(file))];
}

// mocha adds the files and folders of its command line to `spec`, which is empty then, so that only
// those run.
const namesFiles = process.argv.slice(2).some((argument) => /^(?:\.\/)?(?:test|packages)\/|\.test\.ts$/.test(argument));

export default {
  spec: namesFiles ? [] : testFiles(),
  require: ['test/support/global-setup.ts'],
  extension: ['ts'],
  // With tsx's hooks for CommonJS, mocha would load modules as CommonJS until one awaits at its
  // top, and then all of them again as ES modules.
  'node-option': ['import=tsx/esm'],
  parallel: true,
  // More jobs than cores, because tests spend much of their time waiting.
  jobs: Math.max(5, availableParallelism()),
  'forbid-only': true,
  // A test that hangs fails. On a busy machine, one that does not can take minutes.
  timeout: 300_000,
};
