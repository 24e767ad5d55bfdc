import type { MonthlyUsage } from '../../shared/cost/monthly-usage.ts';
import { readMonthsOn } from '../../shared/cost/months-on-terms.ts';
import type { PriceBook } from '../../shared/cost/price-book.ts';
import { hoursPerMonth, observedHours } from '../../shared/cost/projection.ts';
import type { ChangedTerms } from '../../shared/cost/what-if.ts';
import { hour } from '../../shared/durations.ts';
import type { Scenario } from '../../shared/scenarios/scenario.model.ts';
import type { Period } from '../../shared/usage/periods.ts';
import { startOfHour } from '../../shared/usage/usage.ts';
import type { Designs } from './designs.responses.ts';
import type { EstimateDeps } from './estimates.presenter.ts';
import { priceObservedMonth } from './observed-month.ts';
import { presentCosts } from './priced-usage.ts';

type CountedScenario = Pick<Scenario, '_id' | 'assumptions'>;
type MonthCost = Designs['present']['month'];

interface PricedDesigns {
  scenario: CountedScenario;
  allTerms: readonly ChangedTerms[];
  /** The price book of each of the terms. */
  allBooks: readonly PriceBook[];
  /** The usage of the period, on each of the terms. */
  usages: readonly MonthlyUsage[];
}

/** The cost of a month at the observed rate, on each of the terms. */
export async function presentMonthCosts(
  { scenario, allTerms, allBooks, usages }: PricedDesigns,
  deps: EstimateDeps,
): Promise<MonthCost[]> {
  const span = await observedSpan(scenario, allTerms, usages, deps);
  if (span === null) return allTerms.map(() => null);
  const { from, to, hours } = span;
  const observed = await usagesWithin({ from, to }, scenario, allTerms, usages, deps);
  const ratio = { times: hoursPerMonth, over: hours };
  const costs: MonthCost[] = [];
  for (const [index, { months }] of observed.entries()) {
    const parts = months.filter((part) => part.hour >= from);
    const terms = allTerms[index] as ChangedTerms;
    const prices = { ...deps, priceBook: allBooks[index] as PriceBook };
    const { over, ...cost } = await priceObservedMonth(parts, terms, { ofHours: ratio, ofEntries: ratio }, prices);
    costs.push(presentCosts(cost, { times: 1n, parts: over }));
  }
  return costs;
}

/** The hours with entries that are over; null if they are fewer than two. */
async function observedSpan(
  scenario: CountedScenario,
  [terms]: readonly ChangedTerms[],
  [usage]: readonly MonthlyUsage[],
  deps: EstimateDeps,
): Promise<{ from: Date; to: Date; hours: bigint } | null> {
  const thisHour = new Date(startOfHour(Date.now()));
  let found = usage;
  if (terms && usage?.lastHour && usage.lastHour >= thisHour) {
    const { pipeline: _, ...simple } = terms.assumptions;
    [found] = await readMonthsOn(deps, scenario, [{ ...terms, assumptions: simple }], {
      from: usage.period.from,
      to: thisHour,
    });
  }
  if (!found?.firstHour || !found.lastHour) return null;
  const hours = observedHours(found.firstHour, found.lastHour);
  return hours === undefined ? null : { from: found.firstHour, to: new Date(found.lastHour.getTime() + hour), hours };
}

/** A period can have polls before its first entry and after its last one, so it is read again. */
async function usagesWithin(
  { from, to }: Required<Period>,
  scenario: CountedScenario,
  allTerms: readonly ChangedTerms[],
  usages: readonly MonthlyUsage[],
  deps: EstimateDeps,
): Promise<readonly MonthlyUsage[]> {
  const isSame = usages.every(
    ({ period, lastHour }) => !period.from && !period.to && lastHour && lastHour.getTime() + hour === to?.getTime(),
  );
  return isSame ? usages : readMonthsOn(deps, scenario, allTerms, { from, to });
}
