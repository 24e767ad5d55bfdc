import { addRows } from '../../usage/usage.ts';
import type { DerivedHour } from './derive-hour.ts';
import { type Exact, plus, times } from './exact.ts';
import { type EntryMbMs, type FunctionRuns, type InvocationLimit, invocationLimits } from './function.ts';
import type { ModelCalls } from './inference.ts';
import type { QueueActions } from './queue.ts';

/** The work of a pipeline in several hours. */
export class PipelineSums {
  readonly queue: QueueActions = { sends: 0, receives: 0, retriedReceives: 0, deletes: 0, emptyReceives: 0 };
  readonly function: Omit<FunctionRuns, 'limit'> = {
    invocations: 0,
    retries: 0,
    coldStarts: 0,
    entryMbMs: [],
    overheadMbMs: 0,
    initMbMs: 0,
  };
  inference: ModelCalls[] = [];
  /** Entries that are sent to the queue. */
  messages: Exact = 0;
  readonly #invocations = new Map<InvocationLimit, Exact>();

  add({ messages, queue, function: runs, inference }: DerivedHour): void {
    this.messages = plus(this.messages, messages);
    addQueue(this.queue, queue);
    addFunction(this.function, runs);
    this.inference = addRows(this.inference, inference, 'model', addModel);
    this.#invocations.set(runs.limit, plus(this.invocationsBy(runs.limit), runs.invocations));
  }

  /** Adds so many hours without entries, which only have polls. */
  addIdle({ queue }: DerivedHour, hours: number): void {
    this.queue.emptyReceives = plus(this.queue.emptyReceives, times(queue.emptyReceives, hours));
  }

  /** The invocations of the hours in which this decided on their number. */
  invocationsBy(limit: InvocationLimit): Exact {
    return this.#invocations.get(limit) ?? 0;
  }

  /** The limit that decided on the number of most invocations. */
  get mainLimit(): InvocationLimit {
    return invocationLimits.reduce((most, limit) =>
      this.invocationsBy(limit) > this.invocationsBy(most) ? limit : most,
    );
  }
}

function addQueue(sum: QueueActions, queue: QueueActions): void {
  sum.sends = plus(sum.sends, queue.sends);
  sum.receives = plus(sum.receives, queue.receives);
  sum.retriedReceives = plus(sum.retriedReceives, queue.retriedReceives);
  sum.deletes = plus(sum.deletes, queue.deletes);
  sum.emptyReceives = plus(sum.emptyReceives, queue.emptyReceives);
}

function addFunction(sum: Omit<FunctionRuns, 'limit'>, runs: FunctionRuns): void {
  sum.invocations = plus(sum.invocations, runs.invocations);
  sum.retries = plus(sum.retries, runs.retries);
  sum.coldStarts = plus(sum.coldStarts, runs.coldStarts);
  sum.entryMbMs = addRows(sum.entryMbMs, runs.entryMbMs, 'architecture', addMbMs);
  sum.overheadMbMs = plus(sum.overheadMbMs, runs.overheadMbMs);
  sum.initMbMs = plus(sum.initMbMs, runs.initMbMs);
}

function addMbMs(sum: EntryMbMs, row: EntryMbMs): void {
  sum.mbMs = plus(sum.mbMs, row.mbMs);
  sum.retried = plus(sum.retried, row.retried);
}

function addModel(sum: ModelCalls, row: ModelCalls): void {
  sum.entries = plus(sum.entries, row.entries);
  sum.calls = plus(sum.calls, row.calls);
  sum.retries = plus(sum.retries, row.retries);
  sum.entryTokens = plus(sum.entryTokens, row.entryTokens);
  sum.retriedTokens = plus(sum.retriedTokens, row.retriedTokens);
  sum.promptTokens = plus(sum.promptTokens, row.promptTokens);
  sum.cacheWriteTokens = plus(sum.cacheWriteTokens, row.cacheWriteTokens);
  sum.cacheReadTokens = plus(sum.cacheReadTokens, row.cacheReadTokens);
  sum.outputTokens = plus(sum.outputTokens, row.outputTokens);
  sum.retriedOutputTokens = plus(sum.retriedOutputTokens, row.retriedOutputTokens);
}
