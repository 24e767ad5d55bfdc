import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder for the tests of the enclosing `describe`: empty before each of them, removed after it. */
export function temporaryFolder(): { readonly path: string } {
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
