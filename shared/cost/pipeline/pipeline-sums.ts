import type { Architecture } from '../../scenarios/assumptions.ts';
import { addRows, type EntryRemarks, type UsageCounters } from '../../usage/usage.ts';
import {
  type DerivedHour,
  type FunctionRuns,
  type InvocationLimit,
  invocationLimits,
  type ModelCalls,
  type PipelineAssumptions,
  type QueueActions,
  requestsOf,
} from './derive-hour.ts';
import { type Exact, plus, sumOf, times } from './exact.ts';

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

  /** @param hours so many hours with the same work: none or several only have polls. */
  add({ messages, queue, function: runs, inference }: DerivedHour, hours = 1): void {
    if (hours !== 1) {
      this.queue.emptyReceives = plus(this.queue.emptyReceives, times(queue.emptyReceives, hours));
      return;
    }
    this.messages = plus(this.messages, messages);
    addExact(this.queue, queue);
    addExact(this.function, runs);
    this.function.entryMbMs = addRows(this.function.entryMbMs, runs.entryMbMs, 'architecture', addExact);
    this.inference = addRows(this.inference, inference, 'model', addExact);
    this.#invocations.set(runs.limit, plus(this.invocationsBy(runs.limit), runs.invocations));
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

/** Adds the counters of a row, by name. */
function addExact(sum: object, row: object): void {
  const sums = sum as Record<string, unknown>;
  const counters = row as Record<string, unknown>;
  for (const name in counters) {
    const counter = counters[name];
    if (typeof counter === 'number' || typeof counter === 'bigint') sums[name] = plus(sums[name] as Exact, counter);
  }
}

/** The parts of which the usage of a pipeline consists, by service and unit. */
export const pipelineParts = [
  {
    service: 'queue',
    unit: 'request',
    parts: ['sends', 'receives', 'retried_receives', 'deletes', 'empty_receives'],
  },
  { service: 'function', unit: 'invocation', parts: ['invocations', 'retried_invocations', 'cold_starts'] },
  {
    service: 'function',
    unit: 'GB-second',
    parts: ['entry_compute', 'retried_compute', 'overhead_compute', 'init_compute'],
  },
  { service: 'inference', unit: 'call', parts: ['calls', 'retried_calls'] },
  {
    service: 'inference',
    unit: 'token',
    parts: [
      'entry_tokens',
      'retried_tokens',
      'prompt_tokens',
      'cache_write_tokens',
      'cache_read_tokens',
      'output_tokens',
      'retried_output_tokens',
    ],
  },
] as const;
export type PipelinePartName = (typeof pipelineParts)[number]['parts'][number];

/** MB·ms for compute. */
export function partsOf({ queue, function: runs, inference }: PipelineSums): Readonly<Record<PipelinePartName, Exact>> {
  const ofModels = (name: Exclude<keyof ModelCalls, 'model'>) => sumOf(inference, (row) => row[name]);
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
    calls: ofModels('calls'),
    retried_calls: ofModels('retries'),
    entry_tokens: ofModels('entryTokens'),
    retried_tokens: ofModels('retriedTokens'),
    prompt_tokens: ofModels('promptTokens'),
    cache_write_tokens: plus(
      ofModels('cacheWriteTokens'),
      plus(ofModels('entryCacheWrites'), ofModels('entryCacheWrites1h')),
    ),
    cache_read_tokens: plus(ofModels('cacheReadTokens'), ofModels('entryCacheReads')),
    output_tokens: ofModels('outputTokens'),
    retried_output_tokens: ofModels('retriedOutputTokens'),
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
      ...cachedByEntries(row),
      model: row.model,
      inputTokens: BigInt(plus(plus(row.entryTokens, row.retriedTokens), row.promptTokens)),
      outputTokens: BigInt(plus(row.outputTokens, row.retriedOutputTokens)),
      // The status of all usage of a pipeline is `estimated` at best.
      estimatedEntries: 0n,
      calls: BigInt(plus(row.calls, row.retries)),
      cacheReadTokens: BigInt(plus(row.cacheReadTokens, row.entryCacheReads)),
      [isForAnHour ? 'cacheWrite1hTokens' : 'cacheWriteTokens']: BigInt(
        plus(row.cacheWriteTokens, isForAnHour ? row.entryCacheWrites1h : row.entryCacheWrites),
      ),
    })),
  };
}

/** Cache writes of entries, whose lifetimes do not depend on that of the instruction. */
function cachedByEntries({ entryCacheWrites, entryCacheWrites1h }: ModelCalls) {
  return {
    ...(entryCacheWrites !== 0 && { cacheWriteTokens: BigInt(entryCacheWrites) }),
    ...(entryCacheWrites1h !== 0 && { cacheWrite1hTokens: BigInt(entryCacheWrites1h) }),
  };
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
