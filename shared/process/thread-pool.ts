import { parentPort, Worker } from 'node:worker_threads';

const typescriptExtension = '.ts';

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

interface PendingTask<Task, Result> {
  task: Task;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

interface Thread<Task, Result> {
  worker: Worker;
  current: PendingTask<Task, Result> | undefined;
}

export function createThreadPool<Task, Result>(options: ThreadPoolOptions): ThreadPool<Task, Result> {
  const threads = new Set<Thread<Task, Result>>();
  const waiting: PendingTask<Task, Result>[] = [];
  let isClosed = false;

  function startThread(): Thread<Task, Result> {
    const worker = startWorker(options);
    const thread: Thread<Task, Result> = { worker, current: undefined };
    threads.add(thread);
    worker.on('message', (outcome: TaskOutcome<Result>) => {
      const task = thread.current;
      thread.current = undefined;
      if ('error' in outcome) task?.reject(outcome.error);
      else task?.resolve(outcome.result);
      assignTasks();
    });
    worker.on('error', (error) => end(thread, error));
    worker.on('messageerror', (error) => end(thread, error));
    worker.on('exit', (code) => end(thread, new Error(`exit code ${code}`)));
    return thread;
  }

  /** Fails the task of a thread that has ended. A waiting task starts another thread. */
  function end(thread: Thread<Task, Result>, cause: Error): void {
    if (!threads.delete(thread)) return;
    thread.current?.reject(new ThreadFailure(`The thread has ended: ${cause.message}`, { cause }));
    thread.current = undefined;
    void thread.worker.terminate();
    assignTasks();
  }

  function assignTasks(): void {
    while (waiting.length > 0) {
      const thread = findFreeThread();
      const next = thread && waiting.shift();
      if (!thread || !next) return;
      thread.current = next;
      thread.worker.ref();
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- windows have an origin, threads do not
      thread.worker.postMessage(next.task);
    }
    // Threads without a task do not keep the process alive.
    for (const thread of threads) if (!thread.current) thread.worker.unref();
  }

  function findFreeThread(): Thread<Task, Result> | undefined {
    if (isClosed) return undefined;
    for (const thread of threads) if (!thread.current) return thread;
    return threads.size < options.size ? startThread() : undefined;
  }

  return {
    run: (task) =>
      new Promise((resolve, reject) => {
        if (isClosed) {
          reject(new ThreadFailure('The threads are closed.'));
          return;
        }
        waiting.push({ task, resolve, reject });
        assignTasks();
      }),
    close: async () => {
      isClosed = true;
      for (const task of waiting.splice(0)) task.reject(new ThreadFailure('The threads are closed.'));
      const ended = [...threads].map(({ worker }) => worker.terminate());
      await Promise.all(ended);
    },
  };
}

function startWorker({ file, data, maxHeapMb, youngHeapMb }: ThreadPoolOptions): Worker {
  const isTypescript = file.pathname.endsWith(typescriptExtension);
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
