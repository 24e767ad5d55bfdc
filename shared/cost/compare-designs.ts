import { day, second } from '../durations.ts';
import { type FieldError, validationError } from '../errors.ts';
import { applyDefaults, type CompleteAssumptions } from '../scenarios/assumptions.ts';
import type { Period } from '../usage/periods.ts';
import { type ModelCounters, modelOfField } from '../usage/stored-hour.ts';
import { splitCall } from './called-model.ts';
import { type Ratio, sumOf } from './integers.ts';
import type { Money } from './money.ts';
import type { RatedMonth, RatedUsage, ReadRated, Terms } from './months-on-terms.ts';
import { countInWords, observationInWords, observedSeconds, secondsPerMonth, type Volume } from './observed-rate.ts';
import { pipelineErrors, pipelineNotes, tooLarge } from './pipeline/pipeline-errors.ts';
import type { QueueParts } from './pipeline/pipeline-work.ts';
import { cheapestDesign, type Design, standardDesigns } from './pipeline/standard-designs.ts';
import {
  differencesOf,
  ofEach,
  presentAmount,
  presentCosts,
  presentPeriod,
  presentPipeline,
  presentServices,
  presentTotals,
  presentUsage,
  presentVersion,
} from './present-cost.ts';
import type { PriceBook } from './price-book.ts';
import { type PriceBooks, requireVersion } from './price-books.ts';
import { tokenCounters } from './price-month.ts';
import { type MonthlyUsage, type MonthsCost, priceMonth, priceMonths, type ScenarioPricing } from './scenario-cost.ts';

export interface DesignsRequest extends Period {
  /** Absent: the standard designs. */
  designs?: Design[];
  /** Absent: the observed rate. */
  volume?: Volume;
  /** Prices designs that name no version. */
  price_book?: string;
}

interface DesignDeps {
  priceBooks: Pick<PriceBooks, 'find'>;
  readRated: ReadRated;
}

/**
 * The usage and cost of a scenario with each of the designs, from one read.
 * @throws AppError VALIDATION_ERROR for a design that cannot be built, priced or derived.
 */
export async function compareDesigns(
  id: string,
  pricing: ScenarioPricing,
  { designs: given, volume, price_book: version, from, to }: DesignsRequest,
  deps: DesignDeps,
) {
  const counted = applyDefaults(pricing.assumptions);
  const own: Terms = { ...pricing, assumptions: counted, counted };
  const designs = given ?? standardDesigns(counted);
  const others = await Promise.all(
    designs.map(async (design, index): Promise<Terms> => {
      const book = await bookOf(design, version, `designs[${index}]`, deps);
      return { ...own, ...termsOfDesign(own, design), countedBy: own.book, book: book ?? own.book };
    }),
  );
  // A standard design without a price has the status `missing`.
  if (given) requirePossible(others, counted);
  const allTerms = [own, ...others];
  const rated = await deps.readRated(allTerms, { from, to, volume: volume ?? null });
  const sides: PricedSide[] = [];
  for (const [index, terms] of allTerms.entries()) {
    sides.push(await priceSide(terms, rated.usages[index] as MonthlyUsage, rated.months?.[index] ?? null));
  }
  if (given) requireFitting(sides.slice(1));
  const [present, ...designed] = sides as [PricedSide, ...PricedSide[]];
  const items = designed.map(({ shown, cost, month }, index) => ({
    name: designs[index]?.name ?? '',
    ...shown,
    difference: differencesOf(present.cost, cost),
    month_difference: month && present.month && differencesOf(present.month, month),
  }));
  return {
    scenario_id: id,
    currency: own.book.currency,
    price_book: presentVersion(own.book),
    period: presentPeriod(present.cost.period),
    observed: presentObserved(rated),
    basis: basisInWords(rated, volume),
    present: present.shown,
    items,
    cheapest: cheapestDesign(items),
    notes: notesOn(others),
  };
}

/** @returns undefined for the book of the scenario. @throws AppError like `requireVersion`. */
async function bookOf(
  { price_book: named, assumptions }: Design,
  version: string | undefined,
  field: string,
  deps: DesignDeps,
): Promise<PriceBook | undefined> {
  if (named !== undefined) return requireVersion(deps, named, `${field}.price_book`);
  const assumed = assumptions?.price_book;
  if (assumed !== undefined) return requireVersion(deps, assumed, `${field}.assumptions.price_book`);
  return version === undefined ? undefined : requireVersion(deps, version);
}

function termsOfDesign(
  { region: ownRegion, counted: own }: Terms,
  { region = ownRegion, assumptions = {} }: Design,
): Pick<Terms, 'region' | 'assumptions' | 'asModel'> {
  const { queue, function: fn, inference, free_tier = own.free_tier } = assumptions;
  const pipeline = assumptions.pipeline === undefined ? own.pipeline : (assumptions.pipeline ?? undefined);
  const complete = applyDefaults({
    queue: { ...own.queue, ...queue },
    function: { ...own.function, ...fn },
    inference: { ...own.inference, ...inference },
    free_tier,
    pipeline,
  });
  const { model } = complete.inference;
  return { region, assumptions: complete, asModel: model === own.inference.model ? undefined : model };
}

function requirePossible(designs: readonly Terms[], own: CompleteAssumptions): void {
  const errors = designs.flatMap((terms, index): FieldError[] => {
    const field = `designs[${index}].assumptions`;
    const ownDuration = own.function.duration_ms;
    const found = pipelineErrors(terms, terms.book, field);
    if (terms.assumptions.function.duration_ms === ownDuration) return found;
    const error = `must be ${ownDuration}, that of the scenario, because its entries were counted with it`;
    return [{ field: `${field}.function.duration_ms`, error }, ...found];
  });
  if (errors.length > 0) throw validationError(errors);
}

/**
 * @throws AppError VALIDATION_ERROR if the calls of a design do not fit the context window of the
 * model, by the mean of their tokens.
 */
function requireFitting(designs: readonly PricedSide[]): void {
  const errors = designs.flatMap(({ terms: { assumptions, asModel, book }, cost }, index): FieldError[] => {
    const { pipeline } = assumptions;
    if (!pipeline) return [];
    const rows = cost.months.flatMap(({ usage }) => Object.entries(usage.inference));
    for (const [name, row] of rows.sort(([one], [other]) => (one < other ? -1 : 1))) {
      const id = asModel ?? splitCall(modelOfField(name)).model;
      const window = book.model(id)?.context_window;
      if (window === undefined || tokensOf(row) <= BigInt(row.calls ?? 0) * BigInt(window)) continue;
      const field = pipeline.inference.entries_per_call > 1 ? 'entries_per_call' : 'prompt_tokens';
      return [{ field: `designs[${index}].assumptions.pipeline.inference.${field}`, error: tooLarge(id, window) }];
    }
    return [];
  });
  if (errors.length > 0) throw validationError(errors);
}

const tokensOf = (row: ModelCounters): bigint => sumOf(tokenCounters, ({ field }) => row[field] ?? 0);

/** The month is null without a rate. */
type PricedSide = Awaited<ReturnType<typeof priceSide>>;

async function priceSide(terms: Terms, usage: MonthlyUsage, rated: RatedMonth | null) {
  const cost = await priceMonths(usage, terms);
  const month = rated && (await priceMonth(rated.usage, terms));
  const thirds: MonthsCost[] = [];
  for (const third of rated?.thirds ?? []) thirds.push(await priceMonth(third, terms));
  const { region, assumptions, book } = terms;
  const rate = (months: bigint) => month && presentRate(month, thirds, months);
  return {
    terms,
    cost,
    month,
    shown: {
      price_book: presentVersion(book),
      region,
      assumptions,
      totals: presentTotals(cost),
      cost_breakdown: presentServices(cost),
      cost: presentCosts(cost),
      flow: presentFlow(cost),
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
  return {
    ...ofEach(month, ({ amount }) => shown(amount)),
    low: isKnown ? shown(sorted[0] ?? null) : null,
    high: isKnown ? shown(sorted.at(-1) ?? null) : null,
  };
}

/** Without a pipeline, each entry is a call. */
function presentMonthTotals({ usage, hasPipeline }: MonthsCost) {
  const { size_bytes: _bytes, pii_logs: _logs, ...totals } = presentUsage(usage);
  return { ...totals, ...presentPipeline(usage), ...(!hasPipeline && { inference_calls: totals.logs }) };
}

/** Counts of what passes through a pipeline. Without one, each entry reaches the model. */
function presentFlow({ hasPipeline, usage, months }: MonthsCost) {
  if (!hasPipeline) return { messages: Number(usage.logs), model_entries: Number(usage.logs) };
  const works = months.flatMap(({ work }) => work ?? []);
  const actions = (part: keyof QueueParts) => sumOf(works, ({ parts }) => parts.queue[part]);
  return {
    messages: Number(sumOf(works, ({ messages }) => messages)),
    sends: Number(actions('sends')),
    receives: Number(actions('receives') + actions('retried_receives')),
    deletes: Number(actions('deletes')),
    model_entries: Number(sumOf(works, ({ modelEntries }) => modelEntries)),
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
function notesOn(designs: readonly Terms[]): string[] {
  const notes = [...pipelineNotes];
  if (designs.some(({ assumptions, counted }) => assumptions.function.memory_mb !== counted.function.memory_mb)) {
    notes.push('memory_mb changes the memory size only. The duration of an invocation stays the same.');
  }
  if (designs.some(({ asModel }) => asModel !== undefined)) {
    notes.push('model changes the prices only. The number of tokens stays the same.');
  }
  return notes;
}
