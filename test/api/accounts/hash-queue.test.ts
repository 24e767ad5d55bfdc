import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { createHashQueue, type HashRequest } from '../../../api/accounts/hash-queue.ts';
import { AppError, unavailable } from '../../../shared/errors.ts';

const requestOf = (network: string, isAbandoned = () => false) => ({ network, isAbandoned });

/** A queue whose tasks end on demand. */
function startQueue() {
  const { run, prepare, recordSuccess } = createHashQueue();
  const started: string[] = [];
  const refused: [string, number][] = [];
  const ends = new Map<string, () => void>();
  return {
    prepare,
    recordSuccess,
    started,
    refused,
    add: async (name: string, request: Partial<HashRequest> = {}) => {
      const task = async () => {
        started.push(name);
        await new Promise<void>((resolve) => ends.set(name, resolve));
      };
      const network = request.network ?? name;
      run({ earlierAttempts: 0, isAbandoned: () => false, ...request, network }, task).catch((error: unknown) => {
        refused.push([name, error instanceof AppError ? error.status : 0]);
      });
      await turn();
    },
    end: async (name: string) => {
      ends.get(name)?.();
      await turn();
    },
  };
}

describe('the queue of password hashes', () => {
  it('runs two tasks at the same time, of equals the newest first', async () => {
    const queue = startQueue();
    for (const name of ['a', 'b', 'c', 'd', 'e']) await queue.add(name);
    expect(queue.started).to.deep.equal(['a', 'b']);
    await queue.end('a');
    await queue.end('b');
    await queue.end('e');
    expect(queue.started).to.deep.equal(['a', 'b', 'e', 'd', 'c']);
  });

  it('puts networks with an earlier success before others that are equal', async () => {
    const queue = startQueue();
    queue.recordSuccess('known');
    queue.recordSuccess('known that failed');
    for (const name of ['a', 'b', 'known', 'c', 'd']) await queue.add(name);
    await queue.add('known that failed', { earlierAttempts: 1 });
    for (const name of ['a', 'b', 'known', 'd', 'c']) await queue.end(name);
    expect(queue.started).to.deep.equal(['a', 'b', 'known', 'd', 'c', 'known that failed']);
  });

  it('has one slot that networks with earlier attempts do not get', async () => {
    const queue = startQueue();
    await queue.add('failed once', { earlierAttempts: 1 });
    await queue.add('failed twice', { earlierAttempts: 2 });
    await queue.add('first');
    expect(queue.started).to.deep.equal(['failed once', 'first']);
    await queue.end('first');
    expect(queue.started).to.deep.equal(['failed once', 'first']);
    await queue.end('failed once');
    expect(queue.started).to.deep.equal(['failed once', 'first', 'failed twice']);
  });

  it('puts networks with fewer attempts first, also those whose second attempt waits', async () => {
    const queue = startQueue();
    await queue.add('running 1');
    await queue.add('running 2');
    await queue.add('single');
    for (const network of ['p', 'q', 'r']) {
      await queue.add(`${network} 1`, { network });
      await queue.add(`${network} 2`, { network, earlierAttempts: 1 });
    }
    await queue.add('failed five times', { earlierAttempts: 5 });
    await queue.end('running 1');
    await queue.end('running 2');
    expect(queue.started.slice(2)).to.deep.equal(['single', 'r 1']);
    await queue.end('r 1');
    // `r 2` is the only task of its network now, but not its first attempt.
    expect(queue.started.slice(4)).to.deep.equal(['r 2']);
  });

  it('has at most two tasks of a network; a third is refused with 429', async () => {
    const queue = startQueue();
    const network = 'one';
    for (const name of ['1', '2', '3']) await queue.add(name, { network });
    expect(queue.refused).to.deep.equal([['3', 429]]);
    await queue.end('1');
    await queue.add('4', { network });
    expect(queue.refused).to.deep.equal([['3', 429]]);
  });

  it('lets 24 tasks wait, and refuses the last in order beyond them with 503', async () => {
    const queue = startQueue();
    for (const name of ['a', 'b']) await queue.add(name);
    await queue.add('failed', { earlierAttempts: 3 });
    for (let index = 0; index < 23; index += 1) await queue.add(`waiting ${index}`);
    expect(queue.refused).to.deep.equal([]);
    await queue.add('newest');
    expect(queue.refused).to.deep.equal([['failed', 503]]);
    await queue.add('failed again', { earlierAttempts: 4 });
    await queue.add('newer than all');
    expect(queue.refused.slice(1)).to.deep.equal([
      ['failed again', 503],
      ['waiting 0', 503],
    ]);
    await queue.end('a');
    expect(queue.started.at(-1)).to.equal('newer than all');
  });

  for (const [times, next] of [
    [3, 'network 2, again'],
    [4, 'network 26'],
  ] as const) {
    it(`runs the task of ${next} next if network 2 was refused ${times} times`, async () => {
      const queue = startQueue();
      for (let index = 0; index < 27; index += 1) await queue.add(`network ${index}`);
      await queue.add('network 2, again', { network: 'network 2' });
      for (let refused = 1; refused < times; refused += 1) {
        await queue.add(`refused ${refused}`, { network: 'network 2' });
      }
      expect(queue.refused).to.have.length(times + 1);
      await queue.end('network 0');
      expect(queue.started.at(-1)).to.equal(next);
    });
  }

  it('refuses before any reads what it would refuse whoever else waits', async () => {
    const queue = startQueue();
    const read = () => Promise.resolve('read');
    const refusalOf = (network: string) =>
      queue.prepare(requestOf(network), read).then(
        () => undefined,
        (error: unknown) => (error as AppError).status,
      );
    for (let index = 0; index < 26; index += 1) await queue.add(`network ${index}`);
    expect(await queue.prepare(requestOf('another'), read)).to.equal('read');
    expect(await refusalOf('network 3')).to.equal(503);
    await queue.end('network 0');
    expect(await queue.prepare(requestOf('network 3'), read)).to.equal('read');
    await queue.add('a second one', { network: 'network 3' });
    expect(await refusalOf('network 3')).to.equal(429);
  });

  it('lets two requests read at a time, those of networks that were not refused first', async () => {
    const queue = startQueue();
    queue.recordSuccess('known');
    for (const name of ['first', 'second', 'third']) await queue.add(name, { network: 'refused' });
    const ends = new Map<string, () => void>();
    const reading: string[] = [];
    const prepare = async (name: string, network: string) => {
      await queue.prepare(requestOf(network), async () => {
        reading.push(name);
        await new Promise<void>((resolve) => ends.set(name, resolve));
      });
    };
    const end = async (name: string) => {
      ends.get(name)?.();
      await turn();
    };
    const prepared = [
      prepare('one', 'a'),
      prepare('other', 'b'),
      // The network has two tasks, and this one is refused when its turn comes.
      prepare('of the refused network', 'refused').catch(() => reading.push('refused')),
      prepare('new', 'c'),
      prepare('known', 'known'),
    ];
    expect(reading).to.deep.equal(['one', 'other']);
    await end('one');
    await end('other');
    expect(reading.slice(2)).to.deep.equal(['known', 'new']);
    await end('known');
    expect(reading.slice(4)).to.deep.equal(['refused']);
    await end('new');
    await Promise.all(prepared);
  });

  it('refuses all that wait to read once the databases do not respond to one', async () => {
    const { prepare } = startQueue();
    let fail = () => {};
    const down = unavailable('The database does not respond.', 5);
    const failing = prepare(requestOf('a'), () => new Promise((_, reject) => (fail = () => reject(down))));
    const slow = prepare(requestOf('b'), () => new Promise(() => {}));
    let reads = 0;
    const waiting = ['c', 'd'].map((network) => prepare(requestOf(network), () => Promise.resolve((reads += 1))));
    fail();
    const refusals = await Promise.allSettled([failing, ...waiting]);
    expect(refusals.map((outcome) => outcome.status === 'rejected' && outcome.reason)).to.deep.equal([
      down,
      down,
      down,
    ]);
    expect(await prepare(requestOf('e'), () => Promise.resolve('read'))).to.equal('read');
    expect(reads).to.equal(0);
    void slow;
  });

  it('reads nothing for a client that has disconnected', async () => {
    const { prepare } = startQueue();
    let reads = 0;
    const outcome = await prepare(
      requestOf('a', () => true),
      () => Promise.resolve((reads += 1)),
    ).catch(() => 'refused');
    expect([outcome, reads]).to.deep.equal(['refused', 0]);
  });

  it('never runs a task whose client has disconnected, and gives its slot to another', async () => {
    const queue = startQueue();
    for (const name of ['a', 'b', 'c']) await queue.add(name);
    let isAbandoned = false;
    await queue.add('abandoned', { isAbandoned: () => isAbandoned });
    isAbandoned = true;
    await queue.end('a');
    expect(queue.started).to.deep.equal(['a', 'b', 'c']);
    await queue.end('b');
    expect(queue.started).to.deep.equal(['a', 'b', 'c']);
    expect(queue.refused).to.deep.equal([['abandoned', 503]]);
  });

  it('goes on after a task that failed', async () => {
    const { run } = createHashQueue();
    const request = { network: 'one', earlierAttempts: 0, isAbandoned: () => false };
    const failed = await run(request, () => Promise.reject(new Error('failed'))).catch((error: Error) => error);
    expect(failed).to.be.an('error');
    expect(await run(request, async () => 'done')).to.equal('done');
  });
});
