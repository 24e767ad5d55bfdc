import { hour as hourMs } from '../../durations.ts';
import type { Architecture } from '../../scenarios/assumptions.ts';
import { type EntryRemarks, emptyUsage, type HourUsage, type UsageCounters, type UsageSum } from '../../usage/usage.ts';
import type { DerivedHour, PipelineAssumptions } from './derive-hour.ts';
import { plus } from './exact.ts';
import type { PipelineSums } from './pipeline-sums.ts';
import { requestsOf } from './queue.ts';
import type { IdleHours } from './scenario-hours.ts';

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
