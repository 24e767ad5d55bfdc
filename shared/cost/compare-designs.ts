import { day, second } from '../durations.ts';
import { type FieldError, validationError } from '../errors.ts';
import { applyDefaults, type CompleteAssumptions } from '../scenarios/assumptions.ts';
import type { Scenario } from '../scenarios/scenario.model.ts';
import type { Period } from '../usage/periods.ts';
import type { UsageCounters } from '../usage/usage.ts';
import { splitCall } from './called-model.ts';
import type { Money } from './money.ts';
import { type MonthlyUsage, type MonthsCost, monthsInPeriod } from './monthly-usage.ts';
import type { RatedMonth, RatedUsage } from './months-on-terms.ts';
import { countInWords, observationInWords, observedSeconds, secondsPerMonth, type Volume } from './observed-rate.ts';
import { hasPipeline, type ModelCalls } from './pipeline/derive-hour.ts';
import { type Exact, plus, type Ratio, sumOf } from './pipeline/exact.ts';
import { pipelineErrors, pipelineNotes, tooLarge } from './pipeline/pipeline-errors.ts';
import type { PipelineSums } from './pipeline/pipeline-sums.ts';
import { cheapestDesign, type Design, standardDesigns } from './pipeline/standard-designs.ts';
import {
  differencesOf,
  type PriceSettings,
  presentAmount,
  presentCosts,
  presentPeriod,
  presentPipeline,
  presentServices,
  presentTotals,
  presentUsage,
  presentVersion,
  priceOnTerms,
} from './present-cost.ts';
import type { PriceBook } from './price-book.ts';
import { type PriceBooks, requireVersion } from './price-books.ts';
import { ownTerms, type ReadTerms, type Terms, termsOn } from './terms.ts';

export interface DesignsRequest extends Period {
  /** Absent: the standard designs. */
  designs?: Design[];
  /** Absent: the observed rate. */
  volume?: Volume;
  /** Prices designs that name no version. */
  price_book?: string;
}

interface DesignDeps extends PriceSettings {
  priceBooks: Pick<PriceBooks, 'find'>;
  /** Reads the usage of the scenario: `sumRated` of its hours. */
  readRated: (allTerms: readonly ReadTerms[], period: Period & { volume: Volume | null }) => Promise<RatedUsage>;
}
type CountedScenario = Pick<Scenario, '_id' | 'region' | 'assumptions'>;

/**
 * The usage and cost of a scenario with each of the designs, from one read.
 * @throws AppError VALIDATION_ERROR for a design that cannot be built, priced or derived.
 */
export async function compareDesigns(
  scenario: CountedScenario,
  { designs: given, volume, price_book: version, from, to }: DesignsRequest,
  deps: DesignDeps,
) {
  const own = applyDefaults(scenario.assumptions);
  const designs = given ?? standardDesigns(own);
  const priced = await Promise.all(
    designs.map(async (design, index): Promise<PricedTerms> => {
      const terms = { ...termsOfDesign(design, scenario.region, own), countedBy: deps.priceBook };
      const book = await bookOf(design, version, `designs[${index}]`, deps);
      return { terms: termsOn(own, terms, book), book };
    }),
  );
  // A standard design without a price has the status `missing`.
  if (given) requirePossible(priced, own);
  const allTerms = [{ terms: ownTerms(scenario, deps.priceBook), book: deps.priceBook }, ...priced];
  const rated = await deps.readRated(
    allTerms.map(({ terms }) => terms),
    { from, to, volume: volume ?? null },
  );
  if (given) requireFitting(priced, rated.usages.slice(1));
  const sides: PricedSide[] = [];
  for (const [index, side] of allTerms.entries()) {
    sides.push(await priceSide(side, rated.usages[index] as MonthlyUsage, rated.months?.[index] ?? null, deps));
  }
  const [present, ...others] = sides as [PricedSide, ...PricedSide[]];
  const items = others.map(({ shown, cost, month }, index) => ({
    name: designs[index]?.name ?? '',
    ...shown,
    difference: differencesOf(present.cost, cost),
    month_difference: month && present.month && differencesOf(present.month, month),
  }));
  return {
    scenario_id: scenario._id,
    currency: deps.priceBook.currency,
    price_book: presentVersion(deps.priceBook),
    period: presentPeriod(rated.usages[0] as MonthlyUsage),
    observed: presentObserved(rated),
    basis: basisInWords(rated, volume),
    present: present.shown,
    items,
    cheapest: cheapestDesign(items),
    notes: notesOn(
      priced.map(({ terms }) => terms),
      own,
    ),
  };
}

interface PricedTerms {
  terms: ReadTerms;
  book: PriceBook;
}

/** @throws AppError like `requireVersion`. */
async function bookOf(
  { price_book: named, assumptions }: Design,
  version: string | undefined,
  field: string,
  deps: DesignDeps,
): Promise<PriceBook> {
  if (named !== undefined) return requireVersion(deps, named, `${field}.price_book`);
  const assumed = assumptions?.price_book;
  if (assumed !== undefined) return requireVersion(deps, assumed, `${field}.assumptions.price_book`);
  return version === undefined ? deps.priceBook : requireVersion(deps, version);
}

function termsOfDesign({ region, assumptions = {} }: Design, ownRegion: string, own: CompleteAssumptions) {
  const { queue, function: fn, inference, free_tier: freeTier = own.free_tier } = assumptions;
  const pipeline = assumptions.pipeline === undefined ? own.pipeline : (assumptions.pipeline ?? undefined);
  const complete = applyDefaults({
    queue: { ...own.queue, ...queue },
    function: { ...own.function, ...fn },
    inference: { ...own.inference, ...inference },
    free_tier: freeTier,
    pipeline,
  });
  const { model } = complete.inference;
  return {
    region: region ?? ownRegion,
    assumptions: complete,
    asModel: model === own.inference.model ? undefined : model,
  };
}

function requirePossible(designs: readonly PricedTerms[], own: CompleteAssumptions): void {
  const errors = designs.flatMap(({ terms, book }, index): FieldError[] => {
    const field = `designs[${index}].assumptions`;
    const ownDuration = own.function.duration_ms;
    const isCounted = terms.assumptions.function.duration_ms === ownDuration;
    const duration = {
      field: `${field}.function.duration_ms`,
      error: `must be ${ownDuration}, that of the scenario, because its entries were counted with it`,
    };
    return [...(isCounted ? [] : [duration]), ...pipelineErrors(terms, book, field)];
  });
  if (errors.length > 0) throw validationError(errors);
}

/**
 * @throws AppError VALIDATION_ERROR if the calls of a design do not fit the context window of the
 * model, by the mean of their tokens.
 */
function requireFitting(designs: readonly PricedTerms[], usages: readonly MonthlyUsage[]): void {
  const errors = designs.flatMap(({ terms, book }, index): FieldError[] => {
    const { pipeline } = terms.assumptions;
    const usage = usages[index];
    if (!pipeline || !usage) return [];
    const rows = monthsInPeriod(usage).flatMap(({ pipeline: sums }) => sums?.inference ?? []);
    const unfit = rows.find((row) => {
      const model = book.model(terms.asModel ?? splitCall(row.model).model);
      const calls = BigInt(plus(row.calls, row.retries));
      return model?.contextWindow !== undefined && BigInt(tokensOf(row)) > calls * BigInt(model.contextWindow);
    });
    if (!unfit) return [];
    const id = terms.asModel ?? splitCall(unfit.model).model;
    const field = pipeline.inference.entries_per_call > 1 ? 'entries_per_call' : 'prompt_tokens';
    const error = tooLarge(id, book.model(id)?.contextWindow ?? 0);
    return [{ field: `designs[${index}].assumptions.pipeline.inference.${field}`, error }];
  });
  if (errors.length > 0) throw validationError(errors);
}

const tokensOf = (row: ModelCalls): Exact =>
  [
    row.retriedTokens,
    row.promptTokens,
    row.cacheReadTokens,
    row.cacheWriteTokens,
    row.outputTokens,
    row.retriedOutputTokens,
    row.entryCacheReads,
    row.entryCacheWrites,
    row.entryCacheWrites1h,
  ].reduce(plus, row.entryTokens);

/** The month is null without a rate. */
type PricedSide = Awaited<ReturnType<typeof priceSide>>;

async function priceSide(
  { terms, book }: PricedTerms,
  usage: MonthlyUsage,
  rated: RatedMonth | null,
  { config }: DesignDeps,
) {
  const prices = { priceBook: book, config };
  const cost = await priceOnTerms(usage, terms, prices);
  const priceMonth = (of: UsageCounters) =>
    priceOnTerms({ months: [{ hour: new Date(0), ...of }], period: {} }, terms, prices);
  const month = rated && (await priceMonth(rated.usage));
  const thirds: MonthsCost[] = [];
  for (const third of rated?.thirds ?? []) thirds.push(await priceMonth(third));
  const { region, assumptions } = terms;
  const rate = (months: bigint) => month && presentRate(month, thirds, months);
  return {
    cost,
    month,
    shown: {
      price_book: presentVersion(book),
      region,
      assumptions,
      totals: presentTotals(cost),
      cost_breakdown: presentServices(cost),
      cost: presentCosts(cost),
      flow: presentFlow(usage, terms, cost),
      month: rate(1n),
      year: rate(12n),
      month_totals: month && presentMonthTotals(month),
    },
  };
}

function presentRate(month: MonthsCost, thirds: readonly MonthsCost[], months: bigint) {
  const shown = (amount: Money | null) => presentAmount(amount === null ? null : amount * months);
  const totals = thirds.flatMap(({ total: { amount, incomplete } }) => (amount === null || incomplete ? [] : amount));
  const isKnown = totals.length === thirds.length && totals.length > 0;
  const sorted = totals.sort((a, b) => (a < b ? -1 : Number(a > b)));
  const { queue, function: fn, inference } = month.services;
  return {
    queue: shown(queue.amount),
    function: shown(fn.amount),
    inference: shown(inference.amount),
    total: shown(month.total.amount),
    low: isKnown ? shown(sorted[0] ?? null) : null,
    high: isKnown ? shown(sorted.at(-1) ?? null) : null,
  };
}

/** Without a pipeline, each entry is a call. */
function presentMonthTotals({ usage, hasPipeline: derived }: MonthsCost) {
  const { size_bytes: _, pii_logs: __, ...totals } = presentUsage(usage);
  const pipeline = presentPipeline(usage);
  return { ...totals, ...pipeline, inference_calls: derived ? pipeline.inference_calls : totals.logs };
}

/** Counts of what passes through a pipeline. */
interface Flow {
  messages: number;
  sends?: number;
  receives?: number;
  deletes?: number;
  model_entries: number;
}

/** Without a pipeline, each entry is a message that reaches the model. */
function presentFlow(usage: MonthlyUsage, { assumptions }: Terms, cost: MonthsCost): Flow {
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

function presentObserved({ observed }: RatedUsage) {
  if (observed === null) {
    return { entries: 0, first: null, last: null, seconds: null, entries_per_second: null, short: true };
  }
  const time = (epochSeconds: number) => new Date(epochSeconds * second).toISOString();
  const length = observedSeconds(observed);
  return {
    entries: Number(observed.entries),
    first: time(observed.first),
    last: time(observed.last),
    seconds: length && roundRatio(length),
    entries_per_second: length && roundRatio({ times: observed.entries * length.over, over: length.times }),
    short: length === null || length.times < BigInt(day / second) * length.over,
  };
}

/** A number with at most six decimals, rounded half up. */
function roundRatio({ times, over }: Ratio): number {
  const millionths = (2n * times * 1_000_000n + over) / (2n * over);
  return Number(millionths) / 1_000_000;
}

function basisInWords({ observed, months }: RatedUsage, volume: Volume | undefined): string {
  if (observed === null) return 'No entries are in the period, so there is no month.';
  if (months === null) {
    return 'All entries are of one second, which has no rate: set volume.entries_per_month or volume.entries_per_second.';
  }
  if (volume) {
    const { times, over } = volume.rate;
    return volume.kind === 'entries_per_month'
      ? `A month of ${countInWords((times * secondsPerMonth) / over)}, as \`volume\` says.`
      : `A month at ${Number(times) / Number(over)} entries a second, as \`volume\` says.`;
  }
  const length = observedSeconds(observed);
  return `A month of 730 hours at the rate of ${length ? observationInWords(observed, length) : ''}.`;
}

/** Names the effects that the designs leave out. */
function notesOn(allTerms: readonly Terms[], own: CompleteAssumptions): string[] {
  const isChanged = (of: (assumptions: CompleteAssumptions) => unknown) =>
    allTerms.some(({ assumptions }) => of(assumptions) !== of(own));
  return [
    ...pipelineNotes,
    ...(isChanged((assumptions) => assumptions.function.memory_mb)
      ? ['memory_mb changes the memory size only. The duration of an invocation stays the same.']
      : []),
    ...(isChanged((assumptions) => assumptions.inference.model)
      ? ['model changes the prices only. The number of tokens stays the same.']
      : []),
  ];
}
