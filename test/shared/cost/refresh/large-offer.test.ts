import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { isLongForm } from '../../../support/long-form.ts';

const program = fileURLToPath(new URL('read-large-offer.ts', import.meta.url));

describe('a large offer file', () => {
  it('is read in less than 256 MiB of memory, however long it is', async function () {
    this.timeout(isLongForm ? 900_000 : 120_000);
    const megabytes = isLongForm ? 500 : 20;
    const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx/esm', program, String(megabytes)]);
    const result = JSON.parse(stdout) as { megabytes: number; prices: number; memoryMb: number };
    expect(result.megabytes).to.be.at.least(megabytes);
    expect(result.prices).to.be.greaterThan(100);
    expect(result.memoryMb).to.be.below(256);
  });
});
