import { type MonthlyUsage, type MonthsCost, monthsInPeriod } from '../../shared/cost/monthly-usage.ts';
import { readMonthsOn } from '../../shared/cost/months-on-terms.ts';
import { cheapestDesign } from '../../shared/cost/pipeline/cheapest-design.ts';
import { hasPipeline } from '../../shared/cost/pipeline/derive-hour.ts';
import { type Exact, plus, sumOf } from '../../shared/cost/pipeline/exact.ts';
import { pipelineErrors } from '../../shared/cost/pipeline/pipeline-errors.ts';
import { pipelineNotes } from '../../shared/cost/pipeline/pipeline-notes.ts';
import type { PipelineSums } from '../../shared/cost/pipeline/pipeline-sums.ts';
import { type Design, standardDesigns } from '../../shared/cost/pipeline/standard-designs.ts';
import { presentServices, presentTotals } from '../../shared/cost/present-cost.ts';
import type { PriceBook } from '../../shared/cost/price-book.ts';
import { requireVersion } from '../../shared/cost/price-books.ts';
import { type ChangedTerms, changeTerms, termsOn } from '../../shared/cost/what-if.ts';
import { type FieldError, validationError } from '../../shared/errors.ts';
import { applyDefaults, type CompleteAssumptions } from '../../shared/scenarios/assumptions.ts';
import type { Scenario } from '../../shared/scenarios/scenario.model.ts';
import type { Period } from '../../shared/usage/periods.ts';
import { presentMonthCosts } from './design-months.ts';
import type { Designs } from './designs.responses.ts';
import type { DesignsQuery } from './designs.schemas.ts';
import { type EstimateDeps, withOtherPrices } from './estimates.presenter.ts';
import { differencesOf, presentCosts, presentPeriod, presentVersion, priceOnTerms } from './priced-usage.ts';

type CountedScenario = Pick<Scenario, '_id' | 'region' | 'assumptions'>;

/**
 * The usage and cost of a scenario with each of the designs, from one read.
 * @param given absent: the standard designs.
 * @throws AppError VALIDATION_ERROR for a design that cannot be built, priced or derived.
 */
export async function presentDesigns(
  scenario: CountedScenario,
  given: readonly Design[] | undefined,
  query: DesignsQuery,
  deps: EstimateDeps,
): Promise<Designs> {
  const own = applyDefaults(scenario.assumptions);
  const designs = given ?? standardDesigns(own);
  const allTerms = designs.map((design) => termsOfDesign(design, scenario.region, own));
  const books = await booksOf(designs, query, deps);
  // A standard design without a price has the status `missing`.
  if (given) requirePossible(given, allTerms, own, books);
  const ownTerms = changeTerms(scenario, {});
  const allBooks = [deps.priceBook, ...books];
  const sides = await priceSides({ scenario, allTerms: [ownTerms, ...allTerms], allBooks }, query, deps);
  const [present, ...others] = sides as [PricedSide, ...PricedSide[]];
  const items = others.map((side, index) => ({
    name: designs[index]?.name ?? '',
    ...side.shown,
    difference: differencesOf(present.cost, side.cost),
  }));
  return {
    scenario_id: scenario._id,
    currency: deps.priceBook.currency,
    price_book: presentVersion(deps.priceBook),
    period: presentPeriod(present.usage),
    present: present.shown,
    items,
    cheapest: cheapestDesign(items),
    notes: [...pipelineNotes],
  };
}

/**
 * The price books of the designs, in their order: that of its assumptions, of the query, or of the
 * scenario.
 * @throws AppError like `requireVersion`.
 */
function booksOf(designs: readonly Design[], query: DesignsQuery, deps: EstimateDeps): Promise<PriceBook[]> {
  return Promise.all(
    designs.map(async ({ assumptions: { price_book: own } }, index) => {
      if (own !== undefined) return requireVersion(deps, own, `designs[${index}].assumptions.price_book`);
      return (await withOtherPrices(query, deps)).priceBook;
    }),
  );
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
  books: readonly PriceBook[],
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
    return [...(isCounted ? [] : [duration]), ...pipelineErrors(terms, books[index] as PriceBook, field)];
  });
  if (errors.length > 0) throw validationError(errors);
}

interface PricedSide {
  usage: MonthlyUsage;
  cost: MonthsCost;
  shown: Designs['present'];
}

interface Sides {
  scenario: CountedScenario;
  allTerms: readonly ChangedTerms[];
  /** The price books of the terms, in their order. */
  allBooks: readonly PriceBook[];
}

/** The usage and cost on each of the terms, from one read. */
async function priceSides(
  { scenario, allTerms, allBooks }: Sides,
  period: Period,
  deps: EstimateDeps,
): Promise<PricedSide[]> {
  const usages = await readMonthsOn(deps, scenario, allTerms, period);
  const months = await presentMonthCosts({ scenario, allTerms, allBooks, usages }, deps);
  const sides: PricedSide[] = [];
  for (const [index, usage] of usages.entries()) {
    const terms = allTerms[index] as ChangedTerms;
    const priceBook = allBooks[index] as PriceBook;
    const cost = await priceOnTerms(usage, terms, { ...deps, priceBook });
    const { region, assumptions } = terms;
    const shown = {
      price_book: presentVersion(priceBook),
      region,
      assumptions,
      totals: presentTotals(cost),
      cost_breakdown: presentServices(cost),
      cost: presentCosts(cost),
      flow: presentFlow(usage, terms, cost),
      month: months[index] ?? null,
    };
    sides.push({ usage, cost, shown });
  }
  return sides;
}

/** Without a pipeline, each entry is a message that reaches the model. */
function presentFlow(usage: MonthlyUsage, { assumptions }: ChangedTerms, cost: MonthsCost): Designs['present']['flow'] {
  const logs = Number(cost.usage.logs);
  if (!hasPipeline(assumptions)) return { messages: logs, model_entries: logs };
  const pipelines = monthsInPeriod(usage).flatMap(({ pipeline }) => pipeline ?? []);
  const sum = (value: (pipeline: PipelineSums) => Exact) => Number(sumOf(pipelines, value));
  return {
    messages: sum(({ messages }) => messages),
    sends: sum(({ queue }) => queue.sends),
    receives: sum(({ queue }) => plus(queue.receives, queue.retriedReceives)),
    deletes: sum(({ queue }) => queue.deletes),
    model_entries: sum(({ inference }) => sumOf(inference, ({ entries }) => entries)),
  };
}
