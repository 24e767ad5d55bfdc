import { sumUsage, type UsageCounters } from '../../usage/usage.ts';
import type { Ratio } from '../projection.ts';
import { ceilDiv, times } from './exact.ts';

/**
 * The usage of a month of a pipeline, with each counter rounded up.
 * @param hours usage of the observed hours at the volume of the month.
 * @param ofHours the hours of a month over the observed ones.
 * @param ofEntries the entries of a month over the observed ones.
 */
export function monthOfPipeline(
  hours: Iterable<UsageCounters>,
  { ofHours, ofEntries }: { ofHours: Ratio; ofEntries: Ratio },
): UsageCounters {
  const usage = sumUsage(hours);
  const scaleBy = (ratio: Ratio) => (count: bigint) => BigInt(ceilDiv(times(count, ratio.times), ratio.over));
  const [scale, scaleEntries] = [scaleBy(ofHours), scaleBy(ofEntries)];
  return {
    logs: scaleEntries(usage.logs),
    sizeBytes: scaleEntries(usage.sizeBytes),
    piiLogs: scaleEntries(usage.piiLogs),
    pii: usage.pii.map((row) => ({ ...row, count: scaleEntries(row.count) })),
    queues: usage.queues.map((row) => ({
      ...row,
      requests: scale(row.requests),
      emptyReceives: scale(row.emptyReceives ?? 0n),
    })),
    functions: usage.functions.map((row) => ({
      ...row,
      invocations: scale(row.invocations),
      mbMs: scale(row.mbMs),
    })),
    inference: usage.inference.map((row) => ({
      ...row,
      inputTokens: scale(row.inputTokens),
      outputTokens: scale(row.outputTokens),
      calls: scale(row.calls ?? 0n),
      cacheReadTokens: scale(row.cacheReadTokens ?? 0n),
      cacheWriteTokens: scale(row.cacheWriteTokens ?? 0n),
    })),
  };
}
