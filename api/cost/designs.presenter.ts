import { type Static, Type } from 'typebox';
import type { MonthlyUsage, MonthsCost } from '../../shared/cost/monthly-usage.ts';
import { readMonthsOn } from '../../shared/cost/months-on-terms.ts';
import { pipelineErrors } from '../../shared/cost/pipeline/pipeline-errors.ts';
import { pipelineNotes } from '../../shared/cost/pipeline/pipeline-notes.ts';
import { type Design, standardDesigns } from '../../shared/cost/pipeline/standard-designs.ts';
import { presentLines, presentTotals } from '../../shared/cost/present-cost.ts';
import { type ChangedTerms, changeTerms, termsOn } from '../../shared/cost/what-if.ts';
import { type FieldError, validationError } from '../../shared/errors.ts';
import { applyDefaults, type CompleteAssumptions } from '../../shared/scenarios/assumptions.ts';
import type { Scenario } from '../../shared/scenarios/scenario.model.ts';
import type { Period } from '../../shared/usage/periods.ts';
import { nullable, uuid } from '../http/answer-types.ts';
import { differences, pricedUsage } from './estimates.answers.ts';
import type { EstimateDeps } from './estimates.presenter.ts';
import { costByService, usedPriceBook, wholePeriod } from './metrics.answers.ts';
import { differencesOf, presentCosts, presentPeriod, priceOnTerms } from './priced-usage.ts';

const side = { ...pricedUsage.properties, cost: costByService() };

export const designsAnswer = Type.Object(
  {
    scenario_id: uuid(),
    currency: Type.Unsafe<string>({ type: 'string', const: 'USD' }),
    price_book: usedPriceBook,
    period: wholePeriod,
    present: Type.Object(side, { description: 'The scenario as it is.' }),
    items: Type.Array(
      Type.Object(
        { name: Type.String(), ...side, difference: differences },
        { description: 'In the order of the designs.' },
      ),
    ),
    cheapest: nullable(Type.String(), {
      description: 'The name of the cheapest of the designs with a complete cost; the first one of equal costs.',
    }),
    notes: Type.Array(Type.String(), { description: 'The effects that the designs leave out.' }),
  },
  { $id: 'Designs' },
);
export type Designs = Static<typeof designsAnswer>;

/**
 * The usage and cost of a scenario with each of the designs, from one read.
 * @param given absent: the standard designs.
 * @throws AppError VALIDATION_ERROR for a design that cannot be built, priced or derived.
 */
export async function presentDesigns(
  scenario: Pick<Scenario, '_id' | 'region' | 'assumptions'>,
  given: readonly Design[] | undefined,
  period: Period,
  deps: EstimateDeps,
): Promise<Designs> {
  const { priceBook } = deps;
  const own = applyDefaults(scenario.assumptions);
  const designs = given ?? standardDesigns(own);
  const allTerms = designs.map((design) => termsOfDesign(design, scenario.region, own));
  // A standard design without a price has the status `missing`.
  if (given) requirePossible(given, allTerms, own, deps);
  const ownTerms = changeTerms(scenario, {});
  const [ownUsage, ...usages] = await readMonthsOn(deps, scenario, [ownTerms, ...allTerms], period);
  const present = await priceOnTerms(ownUsage, ownTerms, deps);
  const items: Designs['items'] = [];
  let cheapest: { name: string; cost: bigint } | undefined;
  for (const [index, { name }] of designs.entries()) {
    const [terms, usage] = [allTerms[index] as ChangedTerms, usages[index] as MonthlyUsage];
    const cost = await priceOnTerms(usage, terms, deps);
    const { amount, incomplete } = cost.total;
    if (amount !== null && !incomplete && (cheapest === undefined || amount < cheapest.cost)) {
      cheapest = { name, cost: amount };
    }
    items.push({ name, ...presentSide(terms, cost), difference: differencesOf(present, cost) });
  }
  return {
    scenario_id: scenario._id,
    currency: priceBook.currency,
    price_book: { version: priceBook.version, as_of: priceBook.asOf },
    period: presentPeriod(ownUsage),
    present: presentSide(ownTerms, present),
    items,
    cheapest: cheapest?.name ?? null,
    notes: [...pipelineNotes],
  };
}

function termsOfDesign({ region, assumptions }: Design, ownRegion: string, own: CompleteAssumptions): ChangedTerms {
  const { queue, function: fn, inference, free_tier: freeTier = own.free_tier, pipeline } = assumptions;
  const complete = applyDefaults({
    queue: { ...own.queue, ...queue },
    function: { ...own.function, ...fn },
    inference: { ...own.inference, ...inference },
    free_tier: freeTier,
    pipeline,
  });
  const { model } = complete.inference;
  return termsOn(own, {
    region: region ?? ownRegion,
    assumptions: complete,
    asModel: model === own.inference.model ? undefined : model,
  });
}

function requirePossible(
  designs: readonly Design[],
  allTerms: readonly ChangedTerms[],
  own: CompleteAssumptions,
  { priceBook }: EstimateDeps,
): void {
  const errors = designs.flatMap((_, index): FieldError[] => {
    const field = `designs[${index}].assumptions`;
    const terms = allTerms[index] as ChangedTerms;
    const ownDuration = own.function.duration_ms;
    const isCounted = terms.assumptions.function.duration_ms === ownDuration;
    const duration = {
      field: `${field}.function.duration_ms`,
      error: `must be ${ownDuration}, that of the scenario, because its entries were counted with it`,
    };
    return [...(isCounted ? [] : [duration]), ...pipelineErrors(terms, priceBook, field)];
  });
  if (errors.length > 0) throw validationError(errors);
}

function presentSide({ region, assumptions }: ChangedTerms, cost: MonthsCost) {
  return {
    region,
    assumptions,
    totals: presentTotals(cost),
    cost_breakdown: presentLines(cost),
    cost: presentCosts(cost),
  };
}
