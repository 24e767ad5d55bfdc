import { readFile } from 'node:fs/promises';
import { getPriority } from 'node:os';
import { expect } from 'chai';
import { lowerPriority } from '../../../scripts/local-stack/lower-priority.ts';
import { spawnChild } from '../../../scripts/local-stack/spawn-child.ts';
import { Watchdog } from '../../../scripts/local-stack/watchdog.ts';

const sleeper = { command: 'sleep', args: ['600'], environment: process.env };

describe('the priority of a child process', () => {
  it('is that of this process, or lower by the niceness of its program', async () => {
    const watchdog = new Watchdog();
    try {
      const { pid: equal = 0 } = spawnChild(sleeper, watchdog);
      const { pid: lower = 0 } = spawnChild({ ...sleeper, niceness: 3 }, watchdog);
      expect(getPriority(equal)).to.equal(getPriority());
      expect(getPriority(lower)).to.equal(Math.min(getPriority() + 3, 19));
      const autogroup = await readFile(`/proc/${lower}/autogroup`, 'utf8').catch(() => 'nice 3');
      expect(autogroup).to.match(/nice 3$/m);
    } finally {
      await watchdog.close();
    }
  });

  it('is not changed, without an error, if the process has ended', async () => {
    const watchdog = new Watchdog();
    const { pid = 0 } = spawnChild(sleeper, watchdog);
    await watchdog.close();
    expect(() => lowerPriority(pid, 3)).not.to.throw();
  });
});
