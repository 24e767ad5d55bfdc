import { once } from 'node:events';
import { expect } from 'chai';
import { startAttemptTimer } from '../../../workers/notebooks/attempt-timer.ts';

const blockEventLoop = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
const nextTimers = () => new Promise((resolve) => setTimeout(resolve, 1));

describe('the timer of an attempt', () => {
  it('aborts when its time is over', async () => {
    const timer = startAttemptTimer(250);
    const keepAlive = setInterval(() => {}, 1000);
    await once(timer.signal, 'abort');
    clearInterval(keepAlive);
    expect(timer.signal.aborted).to.equal(true);
  });

  it('does not count the time in which the event loop was blocked', async () => {
    const timer = startAttemptTimer(2000);
    blockEventLoop(2500);
    await nextTimers();
    await nextTimers();
    expect(timer.signal.aborted).to.equal(false);
    expect(timer.wasCutShort).to.equal(false);
    timer.end();
  });

  it('gives the backend its full time after a block, so that the end of the time is the fault of the backend', async () => {
    const timer = startAttemptTimer(500, Date.now() + 60_000);
    const keepAlive = setInterval(() => {}, 1000);
    blockEventLoop(300);
    await once(timer.signal, 'abort');
    clearInterval(keepAlive);
    expect(timer.wasCutShort).to.equal(false);
  });

  it('aborts at the deadline even if the event loop was blocked', async () => {
    const timer = startAttemptTimer(2000, Date.now() + 300);
    blockEventLoop(400);
    if (!timer.signal.aborted) await once(timer.signal, 'abort');
    expect(timer.wasCutShort).to.equal(true);
  });

  it('does not abort after its end', async () => {
    const timer = startAttemptTimer(0);
    timer.end();
    await nextTimers();
    await nextTimers();
    expect(timer.signal.aborted).to.equal(false);
  });
});
