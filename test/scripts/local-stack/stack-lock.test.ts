import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { lockDataDirectory } from '../../../scripts/local-stack/stack-lock.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';

const holder = fileURLToPath(new URL('./children/lock-holder.ts', import.meta.url));
const address = 'http://127.0.0.1:3000';

describe('the lock of a data folder', () => {
  const folder = createTemporaryFolder();

  it('refuses a second stack in one sentence with the process, the address and the fix', async () => {
    const release = await lockDataDirectory(folder.path, address);
    const refusal = (await lockDataDirectory(folder.path, 'http://127.0.0.1:3001').catch(
      (error: unknown) => error,
    )) as Error;
    expect(refusal.message).to.equal(
      `A stack is already running on the data folder ${folder.path} (process ${process.pid}, ${address}): stop it, or set DATA_DIR and PORT to run a second stack.`,
    );
    await release();
  });

  it('is free again after a release', async () => {
    await (await lockDataDirectory(folder.path, address))();
    await (await lockDataDirectory(folder.path, address))();
  });

  it('is free when its holder was killed, and not before', async () => {
    const child = fork(holder, [folder.path], { execArgv: ['--import', 'tsx'] });
    await once(child, 'message');
    const refused = await lockDataDirectory(folder.path, address).catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(Error);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await (await lockDataDirectory(folder.path, address))();
  });

  it('works for a path that is too long for a local socket', async () => {
    const deep = join(folder.path, 'd'.repeat(100), 'e'.repeat(100));
    await mkdir(deep, { recursive: true });
    const release = await lockDataDirectory(deep, address);
    expect(await lockDataDirectory(deep, address).catch((error: unknown) => error)).to.be.instanceOf(Error);
    await release();
  });
});
