import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { createStartQueue } from '../../../../api/http/access/start-queue.ts';

describe('the queue of requests that start', () => {
  it('starts one request per turn of the event loop, from each network in turn', async () => {
    const waitForStart = createStartQueue();
    const started: string[] = [];
    const turns: number[] = [];
    let turn = 0;
    const starts = ['a1', 'a2', 'a3', 'b1', 'c1', 'b2'].map(async (name) => {
      await waitForStart(name.slice(0, 1));
      started.push(name);
      turns.push(turn);
    });
    while (started.length < starts.length) {
      await nextTurn();
      turn += 1;
    }
    expect(started).to.deep.equal(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
    // The second request starts at the end of the turn in which the first has started.
    expect(turns).to.deep.equal([0, 0, 1, 2, 3, 4]);
  });

  it('starts a request at once if none has started in this turn', async () => {
    const waitForStart = createStartQueue();
    let hasStarted = false;
    for (let round = 0; round < 2; round += 1) {
      hasStarted = false;
      const start = async () => {
        await waitForStart('a');
        hasStarted = true;
      };
      void start();
      await new Promise<void>((resolve) => {
        process.nextTick(resolve);
      });
      expect(hasStarted).to.equal(true);
      for (let turn = 0; turn < 2; turn += 1) await nextTurn();
    }
  });
});
