// Divides the cost of all entries among groups of them, each charge in proportion to its units. The
// amounts of all groups add up to the whole amount exactly.
import { formatMoney, type Money, moneyDecimals } from '../../../shared/cost/money.ts';
import type { Service } from '../../../shared/cost/price-line.ts';
import type { ChargeLine } from '../../../shared/cost/price-month.ts';
import type { MonthsCost } from '../../../shared/cost/scenario-cost.ts';
import type { GroupSums } from './group-sums.ts';
import type { Group } from './groups.ts';

/** Amounts by service, in the unit of money; not yet rounded. */
export type Share = Record<Service, Money>;

/** A group with its shares of the cost, and of a month. */
export interface HeavyGroup extends Group {
  share: Share;
  month: Share;
}

/** @returns the share of each group; null if no price is known. */
export function divideCost(cost: MonthsCost, groups: readonly GroupSums[]): Share[] | null {
  if (cost.total.amount === null) return null;
  const shares = groups.map((): Share => ({ queue: 0n, function: 0n, inference: 0n }));
  const amounts = new Map<string, { line: ChargeLine; amount: Money }>();
  for (const line of cost.months.flatMap(({ lines }) => lines)) {
    const key = `${line.service} ${line.item} ${line.of}`;
    const sum = amounts.get(key) ?? { line, amount: 0n };
    sum.amount += line.amount ?? 0n;
    amounts.set(key, sum);
  }
  for (const { line, amount } of amounts.values()) {
    const units = unitsOf(line, groups);
    const all = units.reduce((sum, count) => sum + count, 0n);
    if (all === 0n) continue;
    let [before, given] = [0n, 0n];
    for (const [at, count] of units.entries()) {
      before += count;
      // The part that is rounded off goes to the groups that follow.
      const upTo = (amount * before) / all;
      (shares[at] as Share)[line.service] += upTo - given;
      given = upTo;
    }
  }
  return shares;
}

/** The units of a charge by group; where entries have none, those that cause it. */
function unitsOf({ service, item, of }: ChargeLine, groups: readonly GroupSums[]): bigint[] {
  const counts = groups.map(({ units, models }): Record<string, number> => ({ ...units, ...models.get(of) }));
  for (const name of service === 'inference' ? [item, 'calls', 'invocations'] : [item, 'invocations']) {
    const units = counts.map((ofGroup) => BigInt(ofGroup[name] ?? 0));
    if (units.some((count) => count > 0n)) return units;
  }
  return groups.map(({ entries }) => BigInt(entries));
}

export const sumOfShare = (share: Share): Money => share.queue + share.function + share.inference;

const perUnit = 10n ** BigInt(moneyDecimals - 12);

/** Rounds amounts to 12 decimals, so that their sum is the rounded sum. */
export function roundTogether(amounts: readonly Money[]): string[] {
  let [exact, rounded] = [0n, 0n];
  return amounts.map((amount) => {
    exact += amount;
    const upTo = ((exact + perUnit / 2n) / perUnit) * perUnit;
    const own = upTo - rounded;
    rounded = upTo;
    return formatMoney(own);
  });
}
