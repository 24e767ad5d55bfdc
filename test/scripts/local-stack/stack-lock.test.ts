import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { lockDataDirectory } from '../../../scripts/local-stack/stack-lock.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';

const holder = fileURLToPath(new URL('./children/lock-holder.ts', import.meta.url));

describe('the lock of a data folder', () => {
  const folder = createTemporaryFolder();

  it('refuses a second stack in one sentence, until the first one is killed', async () => {
    const child = fork(holder, [folder.path], { execArgv: ['--import', 'tsx'] });
    await once(child, 'message');
    const refusal = await lockDataDirectory(folder.path).catch((error: Error) => error.message);
    expect(refusal).to.equal(
      `A stack is already running on the data folder ${folder.path}: stop it, or set DATA_DIR and PORT to run a second stack.`,
    );
    child.kill('SIGKILL');
    await once(child, 'exit');
    const release = await lockDataDirectory(folder.path);
    release();
    (await lockDataDirectory(folder.path))();
  });
});
