import { extname } from 'node:path';
import { expect } from 'chai';
import { createThreadPool, ThreadFailure, type ThreadPool } from '../../../shared/process/thread-pool.ts';
import { waitUntil } from '../../support/wait-until.ts';
import type { Task } from './task-thread.ts';

const file = new URL(`./task-thread${extname(import.meta.url)}`, import.meta.url);

describe('a pool of threads', () => {
  let pool: ThreadPool<Task, unknown>;
  const open = (size: number) => {
    pool = createThreadPool({ file, data: { response: 42n }, size, maxHeapMb: 64 });
    return pool;
  };
  afterEach(() => pool.close());

  /** Tasks that hold their threads until `open`. `arrived` is how many of them run. */
  function createGate() {
    const gate = new SharedArrayBuffer(8);
    const state = new Int32Array(gate);
    return {
      task: { kind: 'wait', gate } as Task,
      arrived: () => Atomics.load(state, 1),
      open: () => {
        Atomics.store(state, 0, 1);
        Atomics.notify(state, 0);
      },
    };
  }

  async function expectFailure(promise: Promise<unknown>, message: RegExp): Promise<void> {
    const error = await promise.catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(ThreadFailure);
    expect((error as Error).message).to.match(message);
  }

  it('runs tasks with the data of the pool, and rejects with the error of a task', async () => {
    open(1);
    expect(await pool.run({ kind: 'data' })).to.deep.equal({ response: 42n });
    const error = await pool.run({ kind: 'fail' }).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(RangeError);
    expect((error as Error).message).to.equal('the task failed');
    expect(await pool.run({ kind: 'data' })).to.deep.equal({ response: 42n });
  });

  it('runs one task per thread at a time, in as many threads as its size', async () => {
    open(2);
    const gate = createGate();
    const held = [1, 2, 3, 4].map(() => pool.run(gate.task));
    await waitUntil('two tasks to run', () => gate.arrived() === 2);
    const later = pool.run({ kind: 'id' });
    expect(gate.arrived()).to.equal(2);
    gate.open();
    const ids = new Set(await Promise.all(held));
    expect(ids.size).to.be.within(1, 2);
    expect(ids.has(await later)).to.equal(true);
  });

  for (const [kind, message] of [
    ['exit', /exit code 3/],
    ['throw', /an error outside of the task/],
    ['fill memory', /memory/],
  ] as const) {
    it(`fails only the task of a thread that ends (${kind}), and replaces the thread`, async () => {
      open(2);
      const gate = createGate();
      const held = pool.run(gate.task);
      await waitUntil('the task to run', () => gate.arrived() === 1);
      const lost = pool.run({ kind });
      const next = [1, 2, 3].map(() => pool.run({ kind: 'id' }));
      await expectFailure(lost, message);
      for (const id of await Promise.all(next)) expect(id).to.be.a('number');
      gate.open();
      expect(await held).to.be.a('number');
    });
  }

  it('fails the tasks of threads that can not start', async () => {
    pool = createThreadPool({
      file: new URL('./missing.ts', import.meta.url),
      data: {},
      size: 1,
      maxHeapMb: 64,
    });
    const runs = [pool.run({ kind: 'id' }), pool.run({ kind: 'id' })];
    for (const run of runs) await expectFailure(run, /missing/);
  });

  it('ends busy threads when it is closed, and fails their tasks and those that wait', async () => {
    open(1);
    const gate = createGate();
    const running = pool.run(gate.task);
    const waiting = pool.run({ kind: 'hang' });
    const failures = [expectFailure(running, /ended/), expectFailure(waiting, /closed/)];
    await waitUntil('the task to run', () => gate.arrived() === 1);
    await pool.close();
    await Promise.all(failures);
    await expectFailure(pool.run({ kind: 'id' }), /closed/);
  });
});
