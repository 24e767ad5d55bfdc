import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { createHashQueue, type HashRequest } from '../../../api/accounts/passwords.ts';
import { AppError } from '../../../shared/errors.ts';

/** A queue whose tasks end on demand. */
function startQueue() {
  const run = createHashQueue();
  const started: string[] = [];
  const refused: [string, number][] = [];
  const ends = new Map<string, () => void>();
  return {
    started,
    refused,
    add: async (name: string, request: Partial<HashRequest> = {}) => {
      const task = async () => {
        started.push(name);
        await new Promise<void>((resolve) => ends.set(name, resolve));
        if (name.startsWith('failing')) throw new Error('failed');
      };
      run({ network: name, earlierAttempts: 0, isAbandoned: () => false, ...request }, task).catch((error: unknown) => {
        refused.push([name, error instanceof AppError ? error.status : 0]);
      });
      await turn();
    },
    end: async (...names: string[]) => {
      for (const name of names) {
        ends.get(name)?.();
        await turn();
      }
    },
  };
}

describe('the queue of password hashes', () => {
  it('runs two tasks at the same time, of equals the newest first', async () => {
    const queue = startQueue();
    for (const name of ['a', 'b', 'c', 'd', 'e']) await queue.add(name);
    expect(queue.started).to.deep.equal(['a', 'b']);
    await queue.end('a', 'b', 'e');
    expect(queue.started).to.deep.equal(['a', 'b', 'e', 'd', 'c']);
  });

  it('has one slot that networks with other attempts do not get', async () => {
    const queue = startQueue();
    await queue.add('failed once', { earlierAttempts: 1 });
    await queue.add('failed twice', { earlierAttempts: 2 });
    expect(queue.started).to.deep.equal(['failed once']);
    await queue.add('a');
    await queue.add('second of a', { network: 'a' });
    expect(queue.started).to.deep.equal(['failed once', 'a']);
    await queue.end('a');
    expect(queue.started, 'the slot stays free').to.have.length(2);
    await queue.end('failed once', 'second of a');
    expect(queue.started.slice(2)).to.deep.equal(['second of a', 'failed twice']);
  });

  it('lets 24 tasks wait, and refuses with 503 the one with the most attempts beyond them', async () => {
    const queue = startQueue();
    for (let number = 0; number < 27; number += 1) await queue.add(`flood ${number}`, { network: 'flood' });
    expect(queue.refused).to.deep.equal([['flood 26', 503]]);
    await queue.add('failed once', { earlierAttempts: 1 });
    expect(queue.refused.at(-1)).to.deep.equal(['flood 25', 503]);
    await queue.add('honest');
    await queue.end('flood 0', 'flood 1');
    expect(queue.started).to.deep.equal(['flood 0', 'flood 1', 'honest', 'failed once']);
  });

  it('never runs a task whose client has disconnected, and gives its slot to another', async () => {
    const queue = startQueue();
    let isGone = false;
    for (const name of ['a', 'b', 'c']) await queue.add(name);
    await queue.add('gone', { isAbandoned: () => isGone });
    isGone = true;
    await queue.end('a');
    expect(queue.started).to.deep.equal(['a', 'b', 'c']);
    expect(queue.refused).to.deep.equal([['gone', 503]]);
  });

  it('goes on after a task that failed', async () => {
    const queue = startQueue();
    for (const name of ['failing', 'failing too', 'a', 'b']) await queue.add(name);
    await queue.end('failing', 'failing too');
    expect(queue.started).to.have.members(['failing', 'failing too', 'a', 'b']);
  });
});
