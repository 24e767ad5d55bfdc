import { type Assumptions, applyDefaults } from '../scenarios/assumptions.ts';
import type { InferenceCount, UsageCounters } from '../usage/usage.ts';

/**
 * Usage in which entries that reported no output tokens have as many as the scenario assumes for
 * them. The usage is not changed.
 */
export function withAssumedOutput<Usage extends UsageCounters>(
  usage: Usage,
  assumptions: Assumptions | null | undefined,
): Usage {
  if (!usage.inference.some(({ entriesWithoutOutput }) => entriesWithoutOutput !== undefined)) return usage;
  const perEntry = BigInt(applyDefaults(assumptions).inference.output_tokens_per_entry);
  const addAssumed = ({ entriesWithoutOutput = 0n, ...row }: InferenceCount): InferenceCount => ({
    ...row,
    outputTokens: row.outputTokens + entriesWithoutOutput * perEntry,
  });
  return { ...usage, inference: usage.inference.map(addAssumed) };
}
