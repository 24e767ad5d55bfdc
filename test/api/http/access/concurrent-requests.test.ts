import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { createCallerSlots, createStartQueue } from '../../../../api/http/access/concurrent-requests.ts';
import { waitUntil } from '../../../support/wait-until.ts';

describe('the slots of callers', () => {
  it('a caller gets at most half of the slots, and its other tasks wait behind those of others', async () => {
    const withSlot = createCallerSlots(2);
    const started: string[] = [];
    const ends = new Map<string, (error?: Error) => void>();
    const results = ['a1', 'a2', 'a3', 'b1', 'c1'].map((name) =>
      withSlot({ limitKey: name.slice(0, 1) }, async () => {
        started.push(name);
        await new Promise<void>((resolve, reject) => {
          ends.set(name, (error) => (error ? reject(error) : resolve()));
        });
        return name;
      }),
    );
    const outcomes = Promise.allSettled(results);
    const expectStarted = async (...names: string[]) => {
      await waitUntil(`the start of ${names.at(-1)}`, () => started.length >= names.length);
      expect(started).to.deep.equal(names);
    };
    await expectStarted('a1', 'b1');
    ends.get('b1')?.();
    await expectStarted('a1', 'b1', 'c1');
    ends.get('c1')?.();
    expect(await results[4]).to.equal('c1');
    expect(started, 'a slot is free, and the caller has one').to.have.length(3);
    ends.get('a1')?.(new Error('failed'));
    await expectStarted('a1', 'b1', 'c1', 'a2');
    ends.get('a2')?.();
    await expectStarted('a1', 'b1', 'c1', 'a2', 'a3');
    ends.get('a3')?.();
    const statuses = (await outcomes).map(({ status }) => status);
    expect(statuses).to.deep.equal(['rejected', 'fulfilled', 'fulfilled', 'fulfilled', 'fulfilled']);
  });
});

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
});
