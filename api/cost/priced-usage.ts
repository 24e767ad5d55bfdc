import { withAssumedOutput } from '../../shared/cost/assumed-output.ts';
import { formatMoney, formatRelativeDifference, type Money } from '../../shared/cost/money.ts';
import type { MonthlyUsage } from '../../shared/cost/monthly-usage.ts';
import { priceMonths, sumMonths } from '../../shared/cost/monthly-usage.ts';
import { presentAmount } from '../../shared/cost/present-cost.ts';
import type { ScenarioCost } from '../../shared/cost/scenario-cost.ts';
import type { ChangedTerms } from '../../shared/cost/what-if.ts';
import { hour } from '../../shared/durations.ts';
import type { Scenario } from '../../shared/scenarios/scenario.model.ts';
import { type Period, usageNeededFor, wholeHours } from '../../shared/usage/periods.ts';
import { readUsageByDay, type UsageDeps } from '../../shared/usage/read-usage.ts';
import type { RouteDeps } from '../app-deps.ts';
import type { Difference, Differences } from './estimates.answers.ts';

/**
 * The parts that what-if, projection, comparison and explanation share: reading usage, pricing it,
 * differences.
 */

export type PriceSettings = Pick<RouteDeps, 'priceBook' | 'config'>;
export type MonthsCost = Pick<ScenarioCost, 'usage' | 'lines' | 'total'>;

/** The usage of a scenario by month, with the output tokens that it assumes. */
export async function readMonths(
  deps: UsageDeps,
  { _id: id, assumptions }: Pick<Scenario, '_id' | 'assumptions'>,
  period: Period = {},
): Promise<MonthlyUsage> {
  const { from, to } = period;
  const usage = await readUsageByDay(deps, id, usageNeededFor(period), (readDays) => sumMonths(readDays, { from, to }));
  return { ...usage, months: usage.months.map((month) => withAssumedOutput(month, assumptions)) };
}

/**
 * Prices usage on other terms. @throws AppError INVALID_STATE if the terms cannot be applied to it.
 */
export function priceOnTerms(
  usage: MonthlyUsage,
  { region, assumptions, asModel, convert }: ChangedTerms,
  { priceBook: book, config }: PriceSettings,
): Promise<MonthsCost> {
  const months = usage.months.map(convert);
  return priceMonths(
    { months, period: usage.period },
    { region, assumptions, asModel, book, fallback: config.priceFallback },
  );
}

/** The period in whole hours; an open end is that of the hours with entries. */
export function presentPeriod({ period, firstHour, lastHour }: MonthlyUsage) {
  const { from, to } = wholeHours(period);
  const end = to ?? (lastHour && new Date(lastHour.getTime() + hour));
  return { from: (from ?? firstHour)?.toISOString() ?? null, to: end?.toISOString() ?? null };
}

export function presentCosts({ lines, total }: MonthsCost) {
  return {
    queue: presentAmount(lines.queue.amount),
    function: presentAmount(lines.function.amount),
    inference: presentAmount(lines.inference.amount),
    total: presentAmount(total.amount),
  };
}

/** How much more the second costs than the first. */
export function differencesOf(first: MonthsCost, second: MonthsCost): Differences {
  const known = ({ amount, status }: { amount: Money | null; status: string }) =>
    status === 'missing' ? null : amount;
  const between = (a: MonthsCost['lines'][keyof MonthsCost['lines']], b: typeof a) => differenceOf(known(a), known(b));
  return {
    queue: between(first.lines.queue, second.lines.queue),
    function: between(first.lines.function, second.lines.function),
    inference: between(first.lines.inference, second.lines.inference),
    total: differenceOf(known(first.total), known(second.total)),
  };
}

function differenceOf(first: Money | null, second: Money | null): Difference {
  if (first === null || second === null) return null;
  return { amount: formatMoney(second - first), share: formatRelativeDifference(first, second) };
}
