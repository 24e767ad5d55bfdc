// Savings of a month without a pattern, with a tenth of it, or without its model calls.
import { formatRoundUsd } from '../../../shared/amounts.ts';
import { formatMoney, type Money } from '../../../shared/cost/money.ts';
import { type HeavyGroup, sumOfShare } from './divide-cost.ts';
import type { Estimate } from './estimate.schema.ts';

const maxPatterns = 5;
/** A saving of less is none: 1 % of the month. */
const leastPart = 100n;

/** @param patterns by their cost. @param total of the month. */
export function savingsOf(patterns: readonly HeavyGroup[], total: Money): Estimate['savings'] {
  const inUsd = (amount: Money) => formatRoundUsd(formatMoney(amount));
  return patterns.slice(0, maxPatterns).flatMap(({ name, month }) => {
    const own = sumOfShare(month);
    const sampled = (own * 9n) / 10n;
    const actions = [
      { action: 'drop', saved: own, arithmetic: `all of its ${inUsd(own)} a month` },
      { action: 'sample 1 in 10', saved: sampled, arithmetic: `nine tenths of its ${inUsd(own)} a month` },
      {
        action: 'do not send to the model',
        saved: month.inference,
        arithmetic: `the ${inUsd(month.inference)} of inference in its ${inUsd(own)} a month`,
      },
    ] as const;
    return actions
      .filter(({ saved }) => saved > 0n && saved * leastPart >= total)
      .map(({ action, saved, arithmetic }) => ({
        pattern: name,
        action,
        month: formatMoney(saved),
        arithmetic: `${arithmetic}, of ${inUsd(total)} for all`,
      }));
  });
}
