import { hour as hourMs } from '../../durations.ts';
import type { Architecture } from '../../scenarios/assumptions.ts';
import {
  addRows,
  type EntryRemarks,
  emptyUsage,
  type HourUsage,
  type UsageCounters,
  type UsageSum,
} from '../../usage/usage.ts';
import {
  type DerivedHour,
  type EntryMbMs,
  type FunctionRuns,
  type InvocationLimit,
  invocationLimits,
  type ModelCalls,
  type PipelineAssumptions,
  type QueueActions,
  requestsOf,
} from './derive-hour.ts';
import { type Exact, plus, sumOf, times } from './exact.ts';
import type { IdleHours } from './hour-counts.ts';

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

// The parts of which the usage of a pipeline consists, by name.

export const pipelinePartNames = [
  'sends',
  'receives',
  'retried_receives',
  'deletes',
  'empty_receives',
  'invocations',
  'retried_invocations',
  'cold_starts',
  'entry_compute',
  'retried_compute',
  'overhead_compute',
  'init_compute',
  'calls',
  'retried_calls',
  'entry_tokens',
  'retried_tokens',
  'prompt_tokens',
  'cache_write_tokens',
  'cache_read_tokens',
  'output_tokens',
  'retried_output_tokens',
] as const;
export type PipelinePartName = (typeof pipelinePartNames)[number];

/** MB·ms for compute. */
export function partsOf({ queue, function: runs, inference }: PipelineSums): Readonly<Record<PipelinePartName, Exact>> {
  return {
    sends: queue.sends,
    receives: queue.receives,
    retried_receives: queue.retriedReceives,
    deletes: queue.deletes,
    empty_receives: queue.emptyReceives,
    invocations: runs.invocations,
    retried_invocations: runs.retries,
    cold_starts: runs.coldStarts,
    entry_compute: sumOf(runs.entryMbMs, ({ mbMs }) => mbMs),
    retried_compute: sumOf(runs.entryMbMs, ({ retried }) => retried),
    overhead_compute: runs.overheadMbMs,
    init_compute: runs.initMbMs,
    calls: sumOf(inference, ({ calls }) => calls),
    retried_calls: sumOf(inference, ({ retries }) => retries),
    entry_tokens: sumOf(inference, ({ entryTokens }) => entryTokens),
    retried_tokens: sumOf(inference, ({ retriedTokens }) => retriedTokens),
    prompt_tokens: sumOf(inference, ({ promptTokens }) => promptTokens),
    cache_write_tokens: sumOf(inference, ({ cacheWriteTokens }) => cacheWriteTokens),
    cache_read_tokens: sumOf(inference, ({ cacheReadTokens }) => cacheReadTokens),
    output_tokens: sumOf(inference, ({ outputTokens }) => outputTokens),
    retried_output_tokens: sumOf(inference, ({ retriedOutputTokens }) => retriedOutputTokens),
  };
}

/** The parts of usage that do not depend on the pipeline. */
type Entries = Pick<UsageCounters, 'logs' | 'sizeBytes' | 'piiLogs' | 'pii' | keyof EntryRemarks>;

/** The work of a pipeline in one or in several hours. */
type PipelineWork = Pick<PipelineSums, 'queue' | 'function' | 'inference'>;

/** The usage of a pipeline, in the form in which usage is priced. */
export function usageOfPipeline(
  { logs, sizeBytes, piiLogs, pii, untimed, usageUnread, unpriced }: Entries,
  { queue, function: runs, inference }: PipelineWork,
  { queue: { type }, function: { architecture }, pipeline }: PipelineAssumptions,
): UsageCounters {
  const isForAnHour = pipeline.inference.cache_ttl === '1h';
  return {
    logs,
    sizeBytes,
    piiLogs,
    pii,
    ...(untimed && { untimed }),
    ...(usageUnread && { usageUnread }),
    ...(unpriced && { unpriced }),
    queues: [{ type, requests: BigInt(requestsOf(queue)), emptyReceives: BigInt(queue.emptyReceives) }],
    functions: functionsOf(runs, architecture),
    inference: inference.map((row) => ({
      model: row.model,
      inputTokens: BigInt(plus(plus(row.entryTokens, row.retriedTokens), row.promptTokens)),
      outputTokens: BigInt(plus(row.outputTokens, row.retriedOutputTokens)),
      // The status of all usage of a pipeline is `estimated` at best.
      estimatedEntries: 0n,
      calls: BigInt(plus(row.calls, row.retries)),
      cacheReadTokens: BigInt(row.cacheReadTokens),
      [isForAnHour ? 'cacheWrite1hTokens' : 'cacheWriteTokens']: BigInt(row.cacheWriteTokens),
    })),
  };
}

/** The usage of hours without entries: only polls. */
export function usageOfIdleHours(
  { start, hours }: IdleHours,
  { queue }: DerivedHour,
  { queue: { type } }: PipelineAssumptions,
): HourUsage | UsageSum {
  const emptyReceives = BigInt(queue.emptyReceives) * BigInt(hours);
  const usage = { hour: new Date(start), ...emptyUsage(), queues: [{ type, requests: emptyReceives, emptyReceives }] };
  return hours === 1 ? usage : { ...usage, last: new Date(start + (hours - 1) * hourMs) };
}

/**
 * Billed time of entries belongs to the architecture that it was counted for, everything else to
 * that of the scenario.
 */
function functionsOf(runs: PipelineWork['function'], own: Architecture): UsageCounters['functions'] {
  const rows: UsageCounters['functions'] = [
    {
      architecture: own,
      invocations: BigInt(plus(runs.invocations, runs.retries)),
      mbMs: BigInt(plus(runs.overheadMbMs, runs.initMbMs)),
      otherMemoryInvocations: 0n,
    },
  ];
  for (const { architecture, ...entries } of runs.entryMbMs) {
    const mbMs = BigInt(plus(entries.mbMs, entries.retried));
    const row = rows.find((known) => known.architecture === architecture);
    if (row) row.mbMs += mbMs;
    else rows.push({ architecture, invocations: 0n, mbMs, otherMemoryInvocations: 0n });
  }
  return rows;
}
