import { parentPort, Worker } from 'node:worker_threads';
import { createSemaphore } from './semaphore.ts';

/** Runs tasks in threads, one per thread at a time. */
export interface ThreadPool<Task, Result> {
  /**
   * Waits for a free thread and runs a task in it. Task and result are copied.
   * @throws the error of the task, or a ThreadFailure if its thread has ended.
   */
  run(task: Task): Promise<Result>;
  /** Ends the threads. Unfinished tasks fail. */
  close(): Promise<void>;
}

/**
 * A thread has ended without a result, for example because its memory was exhausted. Other tasks
 * are not affected.
 */
export class ThreadFailure extends Error {
  override readonly name = 'ThreadFailure';
}

interface ThreadPoolOptions {
  /** A module that calls `serveTasks`. */
  file: URL;
  /** `workerData` of every thread. */
  data: unknown;
  /** The largest number of threads. They are started when they are needed first. */
  size: number;
  /** The largest heap of a thread in MiB. A thread that needs more ends. */
  maxHeapMb: number;
  /** The part of the heap for new objects, in MiB. Default: that of V8, 48. */
  youngHeapMb?: number;
}

type TaskOutcome<Result> = { result: Result } | { error: unknown };

interface Thread<Result> {
  worker: Worker;
  /** How its task ends. A thread without a task is free. */
  task?: { resolve: (result: Result) => void; reject: (error: unknown) => void };
}

export function createThreadPool<Task, Result>(options: ThreadPoolOptions): ThreadPool<Task, Result> {
  const inTurn = createSemaphore(options.size);
  const threads = new Set<Thread<Result>>();
  let isClosed = false;

  function startThread(): Thread<Result> {
    const thread: Thread<Result> = { worker: startWorker(options) };
    const { worker } = thread;
    const end = (cause: Error) => {
      threads.delete(thread);
      thread.task?.reject(new ThreadFailure(`The thread has ended: ${cause.message}`, { cause }));
      void worker.terminate();
    };
    worker.on('message', (outcome: TaskOutcome<Result>) => {
      if ('error' in outcome) thread.task?.reject(outcome.error);
      else thread.task?.resolve(outcome.result);
    });
    worker.on('error', end);
    worker.on('messageerror', end);
    worker.on('exit', (code) => end(new Error(`exit code ${code}`)));
    threads.add(thread);
    return thread;
  }

  async function runIn(thread: Thread<Result>, task: Task): Promise<Result> {
    thread.worker.ref();
    try {
      return await new Promise<Result>((resolve, reject) => {
        thread.task = { resolve, reject };
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- windows have an origin, threads do not
        thread.worker.postMessage(task);
      });
    } finally {
      delete thread.task;
      // Threads without a task do not keep the process alive.
      thread.worker.unref();
    }
  }

  return {
    run: (task) =>
      inTurn(async () => {
        if (isClosed) throw new ThreadFailure('The threads are closed.');
        return runIn([...threads].find((thread) => !thread.task) ?? startThread(), task);
      }),
    close: async () => {
      isClosed = true;
      await Promise.all([...threads].map(({ worker }) => worker.terminate()));
    },
  };
}

function startWorker({ file, data, maxHeapMb, youngHeapMb }: ThreadPoolOptions): Worker {
  const isTypescript = file.pathname.endsWith('.ts');
  return new Worker(isTypescript ? new URL('./typescript-thread.mjs', import.meta.url) : file, {
    argv: [file.href],
    workerData: data,
    resourceLimits: {
      maxOldGenerationSizeMb: maxHeapMb,
      ...(youngHeapMb === undefined ? {} : { maxYoungGenerationSizeMb: youngHeapMb }),
    },
  });
}

/** Makes this thread run the tasks of its pool, in turn. */
export function serveTasks(run: (task: never) => unknown): void {
  const port = parentPort;
  if (!port) throw new TypeError('This module runs in a thread of a pool.');
  const handle = async (task: never): Promise<void> => {
    let outcome: TaskOutcome<unknown>;
    try {
      outcome = { result: await run(task) };
    } catch (error) {
      outcome = { error };
    }
    port.postMessage(outcome);
  };
  port.on('message', (task: unknown) => void handle(task as never));
}
