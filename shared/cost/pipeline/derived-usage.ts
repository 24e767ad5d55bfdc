import type { Architecture } from '../../scenarios/assumptions.ts';
import { emptyUsage, type HourUsage, type UsageCounters } from '../../usage/usage.ts';
import type { DerivedHour, PipelineAssumptions } from './derive-hour.ts';
import { requestsOf } from './queue.ts';

/** The parts of usage that do not depend on the pipeline. */
type Entries = Pick<HourUsage, 'hour' | 'logs' | 'sizeBytes' | 'piiLogs' | 'pii'>;

/** The usage of a pipeline in one hour, in the form in which usage is priced. */
export function usageOfPipeline(
  { hour, logs, sizeBytes, piiLogs, pii }: Entries,
  derived: DerivedHour,
  assumptions: PipelineAssumptions,
): HourUsage {
  return { hour, logs, sizeBytes, piiLogs, pii, ...servicesOf(derived, assumptions) };
}

/** The usage of hours without entries: only polls. */
export function usageOfIdleHours(
  hour: Date,
  hours: number,
  { queue }: DerivedHour,
  { queue: { type } }: PipelineAssumptions,
): HourUsage {
  const emptyReceives = queue.emptyReceives * BigInt(hours);
  return { hour, ...emptyUsage(), queues: [{ type, requests: emptyReceives, emptyReceives }] };
}

function servicesOf(
  derived: DerivedHour,
  assumptions: PipelineAssumptions,
): Pick<UsageCounters, 'queues' | 'functions' | 'inference'> {
  const { queue } = derived;
  return {
    queues: [{ type: assumptions.queue.type, requests: requestsOf(queue), emptyReceives: queue.emptyReceives }],
    functions: functionsOf(derived.function, assumptions.function.architecture),
    inference: derived.inference.map((row) => ({
      model: row.model,
      inputTokens: row.entryTokens + row.retriedTokens + row.promptTokens,
      outputTokens: row.outputTokens + row.retriedOutputTokens,
      // The status of all usage of a pipeline is `estimated` at best.
      estimatedEntries: 0n,
      calls: row.calls + row.retries,
      cacheReadTokens: row.cacheReadTokens,
      cacheWriteTokens: row.cacheWriteTokens,
    })),
  };
}

/**
 * Billed time of entries belongs to the architecture that it was counted for, everything else to
 * that of the scenario.
 */
function functionsOf(runs: DerivedHour['function'], own: Architecture): UsageCounters['functions'] {
  const rows: UsageCounters['functions'] = [
    {
      architecture: own,
      invocations: runs.invocations + runs.retries,
      mbMs: runs.overheadMbMs + runs.initMbMs,
      otherMemoryInvocations: 0n,
    },
  ];
  for (const { architecture, mbMs } of [...runs.entryMbMs, ...runs.retriedMbMs]) {
    const row = rows.find((known) => known.architecture === architecture);
    if (row) row.mbMs += mbMs;
    else rows.push({ architecture, invocations: 0n, mbMs, otherMemoryInvocations: 0n });
  }
  return rows;
}
