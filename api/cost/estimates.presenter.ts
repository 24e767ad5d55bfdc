import type { Money } from '../../shared/cost/money.ts';
import type { MonthlyUsage, MonthsCost } from '../../shared/cost/monthly-usage.ts';
import { readMonthsOn } from '../../shared/cost/months-on-terms.ts';
import { hasPipeline } from '../../shared/cost/pipeline/derive-hour.ts';
import { pipelineNotes } from '../../shared/cost/pipeline/pipeline-notes.ts';
import { presentServices, presentTotals } from '../../shared/cost/present-cost.ts';
import type { PriceBook } from '../../shared/cost/price-book.ts';
import { requireVersion } from '../../shared/cost/price-books.ts';
import { changeTerms, type Terms, type WhatIf } from '../../shared/cost/what-if.ts';
import type { Scenario } from '../../shared/scenarios/scenario.model.ts';
import type { UsageDeps } from '../../shared/usage/read-usage.ts';
import type { RouteDeps } from '../app-deps.ts';
import { requirePossiblePipeline } from './changed-pipeline.ts';
import type { Estimate, PricedUsage, RegionEstimates } from './estimates.responses.ts';
import type { EstimateQuery, RegionsQuery } from './estimates.schemas.ts';
import { presentDifference } from './price-difference.ts';
import {
  differencesOf,
  type PriceSettings,
  presentCosts,
  presentPeriod,
  presentVersion,
  priceOnTerms,
} from './priced-usage.ts';

export type EstimateDeps = UsageDeps & PriceSettings & Pick<RouteDeps, 'priceBooks'>;

type CountedScenario = Pick<Scenario, '_id' | 'region' | 'assumptions'>;

/** Presents the cost of a scenario's usage as it is and on other terms, and the difference. */
export async function presentEstimate(
  scenario: CountedScenario,
  query: EstimateQuery,
  deps: EstimateDeps,
): Promise<Estimate> {
  const [ownTerms, otherTerms] = [changeTerms(scenario, {}), changeTerms(scenario, query)];
  const otherDeps = await withOtherPrices(query, deps);
  const [ownBook, otherBook] = [deps.priceBook, otherDeps.priceBook];
  requirePossiblePipeline(otherTerms, query, otherBook);
  const [ownUsage, otherUsage] = await readMonthsOn(deps, scenario, [ownTerms, otherTerms], query);
  const own = await priceOnTerms(ownUsage, ownTerms, deps);
  const other = await priceOnTerms(otherUsage, otherTerms, otherDeps);
  const lines = () =>
    presentDifference(
      { cost: own, terms: ownTerms, book: ownBook },
      { cost: other, terms: otherTerms, book: otherBook },
    );
  return {
    ...presentBasis(scenario, ownUsage, deps),
    present: presentSide(ownTerms, own, ownBook),
    estimate: presentSide(otherTerms, other, otherBook),
    difference: differencesOf(own, other),
    ...(query.price_book !== undefined && { lines: lines() }),
    notes: notesOn(query, otherTerms),
  };
}

/** Presents the cost of a scenario's usage in every region, the cheapest first. */
export async function presentRegions(
  scenario: CountedScenario,
  query: RegionsQuery,
  ownDeps: EstimateDeps,
): Promise<RegionEstimates> {
  const terms = changeTerms(scenario, query);
  const deps = await withOtherPrices(query, ownDeps);
  requirePossiblePipeline(terms, query, deps.priceBook);
  const [usage] = await readMonthsOn(deps, scenario, [terms], query);
  const own = await priceOnTerms(usage, terms, deps);
  const costs: { code: string; name: string; cost: MonthsCost }[] = [];
  for (const { code, name } of deps.priceBook.regions) {
    costs.push({ code, name, cost: await priceOnTerms(usage, { ...terms, region: code }, deps) });
  }
  costs.sort((a, b) => compareCosts(a.cost.total, b.cost.total) || compare(a.code, b.code));
  const [first] = costs;
  return {
    ...presentBasis(scenario, usage, deps),
    region: scenario.region,
    assumptions: terms.assumptions,
    cheapest: first && certaintyRank(first.cost.total) === 0 ? first.code : null,
    items: costs.map(({ code, name, cost }) => ({
      region: code,
      name,
      cost: presentCosts(cost),
      status: cost.total.status,
      incomplete: cost.total.incomplete,
      difference: { total: differencesOf(own, cost).total },
    })),
    notes: notesOn(query, terms),
  };
}

/**
 * The dependencies with the price book that a query names, or as they are without one.
 * @throws AppError like `requireVersion`.
 */
export async function withOtherPrices<Deps extends PriceSettings & Pick<RouteDeps, 'priceBooks'>>(
  { price_book: version }: { price_book?: string },
  deps: Deps,
): Promise<Deps> {
  return version === undefined ? deps : { ...deps, priceBook: await requireVersion(deps, version) };
}

/** Names the effects that an estimate on these terms leaves out. */
export function notesOn(changes: WhatIf, { assumptions }: Terms): string[] {
  return [
    ...(hasPipeline(assumptions) ? pipelineNotes : []),
    ...(changes.memory_mb === undefined
      ? []
      : ['memory_mb changes the memory size only. The duration of an invocation stays the same.']),
    ...(changes.model === undefined ? [] : ['model changes the prices only. The number of tokens stays the same.']),
  ];
}

function presentBasis({ _id: id }: CountedScenario, usage: MonthlyUsage, { priceBook }: PriceSettings) {
  return {
    scenario_id: id,
    currency: priceBook.currency,
    price_book: presentVersion(priceBook),
    period: presentPeriod(usage),
  };
}

function presentSide({ region, assumptions }: Terms, cost: MonthsCost, book: PriceBook): PricedUsage {
  return {
    price_book: presentVersion(book),
    region,
    assumptions,
    totals: presentTotals(cost),
    cost_breakdown: presentServices(cost),
  };
}

/** By amount; costs with unverified prices follow, then incomplete ones. */
function compareCosts(a: MonthsCost['total'], b: MonthsCost['total']): number {
  const rank = certaintyRank(a);
  if (rank !== certaintyRank(b)) return rank - certaintyRank(b);
  return a.incomplete ? 0 : compare<Money>(a.amount ?? 0n, b.amount ?? 0n);
}

function certaintyRank({ incomplete, status }: MonthsCost['total']): 0 | 1 | 2 {
  if (incomplete) return 2;
  return status === 'unverified' ? 1 : 0;
}

function compare<Value extends string | bigint>(a: Value, b: Value): number {
  return a < b ? -1 : Number(a > b);
}
