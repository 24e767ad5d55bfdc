import type { Money } from '../../shared/cost/money.ts';
import type { MonthlyUsage } from '../../shared/cost/monthly-usage.ts';
import { presentLines, presentTotals } from '../../shared/cost/present-cost.ts';
import { type ChangedTerms, changeTerms, type WhatIf } from '../../shared/cost/what-if.ts';
import type { Scenario } from '../../shared/scenarios/scenario.model.ts';
import type { Estimate, PricedUsage, RegionEstimates } from './estimates.answers.ts';
import {
  differencesOf,
  type MonthsCost,
  type PriceSettings,
  presentCosts,
  presentPeriod,
  priceOnTerms,
} from './priced-usage.ts';

type PricedScenario = Pick<Scenario, '_id' | 'region' | 'assumptions'>;

/** The usage of a scenario as it is, and on other terms. */
export async function presentEstimate(
  scenario: PricedScenario,
  usage: MonthlyUsage,
  changes: WhatIf,
  settings: PriceSettings,
): Promise<Estimate> {
  const [ownTerms, otherTerms] = [changeTerms(scenario, {}), changeTerms(scenario, changes)];
  const own = await priceOnTerms(usage, ownTerms, settings);
  const other = await priceOnTerms(usage, otherTerms, settings);
  return {
    ...presentBasis(scenario, usage, settings),
    present: presentSide(ownTerms, own),
    estimate: presentSide(otherTerms, other),
    difference: differencesOf(own, other),
    notes: notesOn(changes),
  };
}

/** The usage of a scenario in every region. */
export async function presentRegions(
  scenario: PricedScenario,
  usage: MonthlyUsage,
  changes: Omit<WhatIf, 'region'>,
  settings: PriceSettings,
): Promise<RegionEstimates> {
  const terms = changeTerms(scenario, changes);
  const converted = { ...usage, months: usage.months.map(terms.convert) };
  const own = await priceOnTerms(usage, terms, settings);
  const costs: { code: string; name: string; cost: MonthsCost }[] = [];
  for (const { code, name } of settings.priceBook.regions) {
    const inRegion = { ...terms, region: code, convert: unchanged };
    costs.push({ code, name, cost: await priceOnTerms(converted, inRegion, settings) });
  }
  costs.sort((a, b) => compareCosts(a.cost.total, b.cost.total) || compare(a.code, b.code));
  const [first] = costs;
  return {
    ...presentBasis(scenario, usage, settings),
    region: scenario.region,
    assumptions: terms.assumptions,
    cheapest: first && !first.cost.total.incomplete ? first.code : null,
    items: costs.map(({ code, name, cost }) => ({
      region: code,
      name,
      cost: presentCosts(cost),
      status: cost.total.status,
      incomplete: cost.total.incomplete,
      difference: { total: differencesOf(own, cost).total },
    })),
    notes: notesOn(changes),
  };
}

/** Names the effects that an estimate on these terms leaves out. */
export function notesOn(changes: WhatIf): string[] {
  return [
    ...(changes.memory_mb === undefined
      ? []
      : ['memory_mb changes the memory size only. The duration of an invocation stays the same.']),
    ...(changes.model === undefined ? [] : ['model changes the prices only. The number of tokens stays the same.']),
  ];
}

function presentBasis({ _id: id }: PricedScenario, usage: MonthlyUsage, { priceBook }: PriceSettings) {
  return {
    scenario_id: id,
    currency: priceBook.currency,
    price_book: { version: priceBook.version, as_of: priceBook.asOf },
    period: presentPeriod(usage),
  };
}

function presentSide({ region, assumptions }: ChangedTerms, cost: MonthsCost): PricedUsage {
  return { region, assumptions, totals: presentTotals(cost), cost_breakdown: presentLines(cost) };
}

const unchanged: ChangedTerms['convert'] = (usage) => usage;

/** Complete costs first, by amount. */
function compareCosts(a: MonthsCost['total'], b: MonthsCost['total']): number {
  if (a.incomplete !== b.incomplete) return a.incomplete ? 1 : -1;
  return a.incomplete ? 0 : compare<Money>(a.amount ?? 0n, b.amount ?? 0n);
}

function compare<Value extends string | bigint>(a: Value, b: Value): number {
  return a < b ? -1 : Number(a > b);
}
