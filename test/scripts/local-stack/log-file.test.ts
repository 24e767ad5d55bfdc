import { readFile, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { LogFile } from '../../../scripts/local-stack/log-file.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';
import { waitUntil } from '../../support/wait-until.ts';

describe('the log file of a child process', () => {
  const folder = createTemporaryFolder();

  it('leaves lines out while the disk is full, says so once, and goes on when there is space again', async function () {
    // A device on which every write fails as on a full disk. macOS has none.
    if (process.platform !== 'linux') this.skip();
    const path = join(folder.path, 'web.log');
    await symlink('/dev/full', path);
    const reported: string[] = [];
    const file = new LogFile(path, { report: (message) => reported.push(message), retryMs: 0 });
    file.write('one');
    file.write('two');
    await waitUntil('the report', async () => reported.length > 0);
    file.write('three');
    await file.close();
    expect(reported).to.have.length(1);
    expect(reported[0]).to.contain(`${path} cannot be written (ENOSPC)`);

    await rm(path);
    await waitUntil('the end of the failure', async () => {
      file.write('four');
      return reported.length > 1;
    });
    expect(reported[1]).to.match(/web\.log is written again; \d+ lines are missing\.$/);
    file.write('five');
    await file.close();
    expect(await readFile(path, 'utf8')).to.match(/^(four\n)+five\n$/);
    expect(reported).to.have.length(2);
  });

  it('leaves lines out after an error until it tries again', async function () {
    if (process.platform !== 'linux') this.skip();
    const path = join(folder.path, 'worker.log');
    await symlink('/dev/full', path);
    const reported: string[] = [];
    const file = new LogFile(path, { report: (message) => reported.push(message), retryMs: 60_000 });
    file.write('one');
    await waitUntil('the report', async () => reported.length > 0);
    await file.close();
    await rm(path);
    file.write('two');
    await file.close();
    expect(await readFile(path, 'utf8').catch(({ code }) => code)).to.equal('ENOENT');
    expect(reported).to.have.length(1);
  });
});
