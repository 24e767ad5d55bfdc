import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, utimes, writeFile } from 'node:fs/promises';
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
    const lock = await lockDataDirectory(folder.path, address);
    const refusal = (await lockDataDirectory(folder.path, 'http://127.0.0.1:3001').catch(
      (error: unknown) => error,
    )) as Error;
    expect(refusal.message).to.equal(
      `A stack is already running on the data folder ${folder.path} (process ${process.pid}, ${address}): stop it, or set DATA_DIR and PORT to run a second stack.`,
    );
    await lock.release();
  });

  it('is free again after a release', async () => {
    await (await lockDataDirectory(folder.path, address)).release();
    await (await lockDataDirectory(folder.path, address)).release();
  });

  it('is taken by one of many concurrent starts after its holder was killed, and by none before', async () => {
    const child = fork(holder, [folder.path], { execArgv: ['--import', 'tsx'] });
    await once(child, 'message');
    const refused = await lockDataDirectory(folder.path, address).catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(Error);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const tries = await Promise.allSettled(Array.from({ length: 16 }, () => lockDataDirectory(folder.path, address)));
    const winners = tries.filter((result) => result.status === 'fulfilled');
    expect(winners).to.have.length(1);
    await winners[0]?.value.release();
  });

  it('is not blocked by a start that was killed during its turn', async () => {
    const turn = join(folder.path, 'stack.sock.turn');
    await writeFile(turn, '');
    const longAgo = new Date(Date.now() - 60_000);
    await utimes(turn, longAgo, longAgo);
    await (await lockDataDirectory(folder.path, address)).release();
  });

  it('works for a path that is too long for a local socket', async () => {
    const deep = join(folder.path, 'd'.repeat(100), 'e'.repeat(100));
    await mkdir(deep, { recursive: true });
    const lock = await lockDataDirectory(deep, address);
    expect(await lockDataDirectory(deep, address).catch((error: unknown) => error)).to.be.instanceOf(Error);
    await lock.release();
  });
});
