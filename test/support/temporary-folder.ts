import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Creates an empty folder before each test of the enclosing `describe`, and removes it afterwards.
 */
export function createTemporaryFolder(): { readonly path: string } {
  let path = '';
  beforeEach(async () => {
    path = await realpath(await mkdtemp(join(tmpdir(), 'meterbook-test-')));
  });
  afterEach(async () => {
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
  });
  return {
    get path() {
      return path;
    },
  };
}
