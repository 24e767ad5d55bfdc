import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { spawnChild } from '../../../scripts/local-stack/spawn-child.ts';
import { Watchdog } from '../../../scripts/local-stack/watchdog.ts';
import { isRunning } from '../../support/process-table.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';
import { waitUntil } from '../../support/wait-until.ts';

const diesAtOnce = fileURLToPath(new URL('./children/dies-at-once.ts', import.meta.url));
const sleeper = { command: 'sleep', args: ['600'], environment: process.env };

describe('watchdog', () => {
  const folder = createTemporaryFolder();

  it('stops the children and removes the folders of a process that dies right after starting them', async () => {
    const doomed = join(folder.path, 'doomed');
    await mkdir(doomed);
    await writeFile(join(doomed, 'file'), '');
    const parent = spawn(process.execPath, ['--import', 'tsx', diesAtOnce, doomed], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const pid = Number(await text(parent.stdout));
    expect(pid).to.be.above(0);
    await waitUntil('the end of the child', async () => !(await isRunning(pid)));
    await waitUntil('the end of the folder', () => !existsSync(doomed));
  });

  it('stops watched processes when it is closed', async () => {
    const watchdog = new Watchdog();
    const { pid = 0 } = spawnChild(sleeper, watchdog);
    await watchdog.close();
    expect(await isRunning(pid)).to.equal(false);
  });

  it('does not stop a process that is no longer watched', async () => {
    const watchdog = new Watchdog();
    const child = spawnChild(sleeper, watchdog);
    const { pid = 0 } = child;
    watchdog.unwatch(pid);
    await watchdog.close();
    expect(await isRunning(pid)).to.equal(true);
    child.kill();
    await waitUntil('its end', async () => !(await isRunning(pid)));
  });
});
