import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { limitWait, type Server, withWaitLimit } from '../../../shared/connections/wait-limit.ts';

class NoResponse extends Error {}
const options = { hasNoResponse: (error: unknown) => error instanceof NoResponse, createError: () => new NoResponse() };
const never = () => new Promise<never>(() => {});

describe('the limit of waiting of a request', () => {
  let sent: string[] = [];
  beforeEach(() => {
    sent = [];
  });
  /** @returns whether the operation got its response. */
  const send = async (name: string, server: Server, operation: () => Promise<unknown>): Promise<boolean> => {
    const run = () => {
      sent.push(name);
      return operation();
    };
    return limitWait(server, run, options).then(
      () => true,
      (error: unknown) => {
        if (error instanceof NoResponse) return false;
        throw error;
      },
    );
  };

  it('is shared by all operations: after it, none is sent', async () => {
    await withWaitLimit(40, async () => {
      expect(await send('first', 'mongodb', never)).to.equal(false);
      expect(await send('second', 'mongodb', async () => {})).to.equal(false);
      expect(await send('third', 'redis', async () => {})).to.equal(false);
    });
    expect(sent).to.deep.equal(['first']);
  });

  it('counts operations that fail without a response', async () => {
    const fail = async () => {
      await delay(30);
      throw new NoResponse();
    };
    await withWaitLimit(100, async () => {
      for (const name of ['1', '2', '3', '4', '5', '6']) await send(name, 'mongodb', fail);
    });
    expect(sent).to.have.length.within(1, 4);
  });

  it('leaves time for the database if Redis does not respond', async () => {
    await withWaitLimit(1000, async () => {
      await Promise.all([send('one', 'redis', never), send('other', 'redis', never)]);
      expect(await send('late', 'redis', async () => {})).to.equal(false);
      expect(await send('read', 'mongodb', async () => {})).to.equal(true);
    });
    expect(sent).to.deep.equal(['one', 'other', 'read']);
  });

  it('begins again with a response, also with a refusal', async () => {
    const refuse = async () => {
      throw new Error('refused');
    };
    await withWaitLimit(100, async () => {
      for (let round = 0; round < 4; round += 1) {
        await limitWait('mongodb', () => delay(30), options);
        await limitWait('mongodb', refuse, options).catch(() => {});
      }
      expect(await send('last', 'mongodb', async () => {})).to.equal(true);
    });
  });

  it('does not apply to work that outlasts the request', async () => {
    let outlasting: Promise<boolean> | undefined;
    let end: () => void = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    await withWaitLimit(20, async () => {
      await send('in the request', 'mongodb', never);
      outlasting = ended.then(() => send('after it', 'mongodb', async () => {}));
    });
    end();
    expect(await outlasting).to.equal(true);
  });
});
