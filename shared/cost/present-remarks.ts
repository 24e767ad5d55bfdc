import type { ScenarioCost } from './scenario-cost.ts';

/** Entries that were not counted as their senders may have meant. The cost is incomplete where a model has no price. */
export function presentRemarks({
  usage: { untimed = 0n, usageUnread = 0n, unpriced = [] },
  total,
}: Pick<ScenarioCost, 'usage' | 'total'>) {
  return {
    untimed: Number(untimed),
    usage_unread: Number(usageUnread),
    unpriced: unpriced
      .map(({ name, calls, inputTokens, outputTokens }) => ({
        model: name,
        calls: Number(calls),
        input_tokens: Number(inputTokens),
        output_tokens: Number(outputTokens),
      }))
      .sort((one, other) => other.calls - one.calls),
    incomplete: total.incomplete || unpriced.length > 0,
  };
}
