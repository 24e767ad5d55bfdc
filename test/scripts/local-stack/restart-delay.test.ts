import { expect } from 'chai';
import { restartDelay } from '../../../scripts/local-stack/restart-delay.ts';

describe('restart delay', () => {
  it('is 0.2 s after a first crash, for every uptime', () => {
    expect(restartDelay(undefined, 0)).to.equal(200);
    expect(restartDelay(undefined, 3_600_000)).to.equal(200);
  });

  it('doubles up to 5 s while the process keeps crashing', () => {
    const delays = [restartDelay(undefined, 10)];
    for (let crash = 0; crash < 7; crash += 1) delays.push(restartDelay(delays.at(-1), 29_999));
    expect(delays).to.deep.equal([200, 400, 800, 1_600, 3_200, 5_000, 5_000, 5_000]);
  });

  it('is 0.2 s again after an uptime of 30 s', () => {
    expect(restartDelay(5_000, 30_000)).to.equal(200);
  });
});
