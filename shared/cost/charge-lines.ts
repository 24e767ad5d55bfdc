// The cost of a month as lines: a quantity, the tier that it falls into, and the price of a unit
// with its source. The lines of a period add up to the amounts of a `ScenarioPricer` exactly.

import { architectures, queueTypes } from '../scenarios/assumptions.ts';
import type { CompletePipeline } from '../scenarios/pipeline.ts';
import { epochPeriod, startOfMonth } from '../usage/periods.ts';
import { emptyUsage, type HourUsage, sumUsage, type UsageCounters } from '../usage/usage.ts';
import { scopeOfCall, splitCall } from './called-model.ts';
import type { ChargeItem, ChargeLine } from './charge-line.ts';
import { functionTiers } from './function-cost.ts';
import { countsAreExact, type InferenceTerms, modelPrices, tokenCounters } from './inference-cost.ts';
import { withListLines } from './list-lines.ts';
import type { MonthlyUsage } from './monthly-usage.ts';
import type { PriceBook } from './price-book.ts';
import type { InferenceKind, PriceLineId } from './price-sources/price-point.ts';
import { queueTiers } from './queue-cost.ts';
import type { PricingTerms } from './service-cost.ts';
import { max, min, type Tier, tiersOf, unitsIn } from './tiers.ts';

export interface ExplainedMonth {
  /** The start of the UTC month, in epoch milliseconds. */
  month: number;
  lines: ChargeLine[];
}

type Terms = PricingTerms & {
  freeTier: boolean;
  asModel?: string | undefined;
  pipeline?: CompletePipeline | undefined;
};

/** The usage of a month before the period, and at the end of the period. */
interface MonthStep {
  month: number;
  before: UsageCounters;
  after: UsageCounters;
}

/** The units of a counter before and at the end of the period. */
interface CounterStep {
  before: bigint;
  after: bigint;
}

/** The months of a period, one by one. */
export function* explainMonths(usage: MonthlyUsage, terms: Terms): Generator<ExplainedMonth> {
  for (const step of monthSteps(usage)) {
    const own = linesOf(step, terms);
    const { overridden } = terms.book;
    const lines = overridden ? withListLines(own, linesOf(step, { ...terms, book: overridden.list })) : own;
    const isDerived = terms.pipeline !== undefined;
    yield {
      month: step.month,
      lines: isDerived ? lines.map((line) => ({ ...line, isEstimated: !line.isFree })) : lines,
    };
  }
}

function linesOf(step: MonthStep, terms: Terms): ChargeLine[] {
  return [...queueLines(step, terms), ...functionLines(step, terms), ...inferenceLines(step, terms)];
}

function* monthSteps({ months, period }: MonthlyUsage): Generator<MonthStep> {
  const { from } = epochPeriod(period);
  let before: HourUsage | undefined;
  for (const record of months) {
    if (record.hour.getTime() < from) {
      before = record;
      continue;
    }
    const month = startOfMonth(record.hour);
    yield before && startOfMonth(before.hour) === month
      ? { month, before, after: sumUsage([before, record]) }
      : { month, before: emptyUsage(), after: record };
    before = undefined;
  }
}

function* queueLines({ before, after }: MonthStep, terms: Terms): Generator<ChargeLine> {
  const { book, region, fallback } = terms;
  const free = new FreeUnits(terms.freeTier ? book.queue.freeRequests : 0n);
  for (const type of queueTypes) {
    const requests = (usage: UsageCounters) => sumRows(usage.queues, (row) => (row.type === type ? row.requests : 0n));
    const units = { before: requests(before), after: requests(after) };
    yield* tierLines(queueTiers(terms, type), units, free.take(units), {
      service: 'queue',
      item: 'requests',
      of: type,
      book,
      lineOf: ({ isFallback }) => ({
        service: 'queue',
        scope: isFallback ? fallback : region,
        item: type,
        kind: 'request',
      }),
    });
  }
}

function* functionLines({ before, after }: MonthStep, terms: Terms): Generator<ChargeLine> {
  const { book, region, freeTier } = terms;
  const freeInvocations = new FreeUnits(freeTier ? book.function.freeInvocations : 0n);
  const freeMbMs = new FreeUnits(freeTier ? book.function.freeMbMs : 0n);
  for (const architecture of architectures) {
    const sum = (usage: UsageCounters, field: 'invocations' | 'mbMs') =>
      sumRows(usage.functions, (row) => (row.architecture === architecture ? row[field] : 0n));
    const invocations = { before: sum(before, 'invocations'), after: sum(after, 'invocations') };
    const mbMs = { before: sum(before, 'mbMs'), after: sum(after, 'mbMs') };
    const base = { service: 'function', of: architecture, book } as const;
    const from = (line: Pick<PriceLineId, 'item' | 'kind'>) => () =>
      ({ service: 'function', scope: region, ...line }) as const;
    const tiers = functionTiers(terms, architecture);
    yield* tierLines(tiers.requests, invocations, freeInvocations.take(invocations), {
      ...base,
      item: 'invocations',
      lineOf: from({ item: 'requests', kind: 'request' }),
    });
    yield* tierLines(tiers.compute, mbMs, freeMbMs.take(mbMs), {
      ...base,
      item: 'compute',
      lineOf: from({ item: architecture, kind: 'gb_second' }),
    });
  }
}

function* inferenceLines(
  { before, after }: MonthStep,
  { book, region, asModel, pipeline }: Terms,
): Generator<ChargeLine> {
  const called: InferenceTerms = pipeline?.inference ?? {};
  const noFreeUnits = { before: 0n, after: 0n };
  for (const row of after.inference) {
    const earlier = before.inference.find(({ model }) => model === row.model);
    const priced = asModel ?? row.model;
    const { prices, estimated } = modelPrices(book, priced, region, called);
    const scope = scopeOfCall(book, priced, region, called.profile) ?? region;
    const { model } = splitCall(priced);
    const hasEstimates = row.estimatedEntries > (earlier?.estimatedEntries ?? 0n);
    const isEstimated = hasEstimates && !countsAreExact(book, row.model, priced);
    const base = { service: 'inference', of: row.model, book } as const;
    for (const { item, field, price: name } of tokenCounters) {
      const price = prices?.[name];
      const kind = kindOf(name, called);
      const tiers = tiersOf(price === undefined ? [] : [{ to: null, price }]);
      const units = { before: earlier?.[field] ?? 0n, after: row[field] ?? 0n };
      const lineOf = () => ({ service: 'inference', scope, item: model, kind }) as const;
      for (const line of tierLines(tiers, units, noFreeUnits, { ...base, item, lineOf })) {
        const isUncertain = prices?.uncertain?.has(name) ?? false;
        yield { ...line, isEstimated: estimated || isUncertain || (isEstimated && item === 'input_tokens') };
      }
    }
  }
}

interface LineBase {
  service: ChargeLine['service'];
  item: ChargeItem;
  of: string;
  book: PriceBook;
  /** The price in the book. */
  lineOf: (tier: Tier) => PriceLineId;
}

/**
 * The lines of one counter: its free units, then its units by tier. Lines without units are left
 * out.
 */
function* tierLines(
  tiers: readonly Tier[],
  used: CounterStep,
  free: CounterStep,
  { book, lineOf, ...base }: LineBase,
): Generator<ChargeLine> {
  const freeUnits = min(used.after, free.after) - min(used.before, free.before);
  if (freeUnits !== 0n) {
    const none = { tier: null, price: 0n, amount: 0n, isFallback: false, isEstimated: false, origin: null };
    yield { ...base, units: freeUnits, isFree: true, ...none };
  }
  for (const tier of tiers) {
    const units = unitsIn(tier, used.after, free.after) - unitsIn(tier, used.before, free.before);
    if (units === 0n) continue;
    const override = book.overridden?.find(lineOf(tier));
    yield {
      ...base,
      units,
      isFree: false,
      tier: { from: tier.from, to: tier.to },
      price: tier.price,
      amount: tier.price === null ? null : units * tier.price,
      isFallback: tier.isFallback,
      isEstimated: false,
      origin: tier.price === null || override?.price ? null : originOf(book, lineOf(tier)),
      ...(override && tier.price !== null && { override }),
    };
  }
}

/**
 * A free amount that several types consume one after the other, before and at the end of the
 * period.
 */
class FreeUnits {
  readonly #left: CounterStep;

  constructor(amount: bigint) {
    this.#left = { before: amount, after: amount };
  }

  /** @returns the free amount that is left for this counter. */
  take(used: CounterStep): CounterStep {
    const left = { ...this.#left };
    this.#left.before = max(0n, left.before - used.before);
    this.#left.after = max(0n, left.after - used.after);
    return left;
  }
}

function originOf(book: PriceBook, line: PriceLineId): ChargeLine['origin'] {
  const origin = book.origin(line);
  return origin === undefined ? null : { region: line.scope, ...origin };
}

/** The kind of a price in the book. A batch job has prices of its own. */
function kindOf(name: (typeof tokenCounters)[number]['price'], { tier }: InferenceTerms): InferenceKind {
  if (name === 'cacheRead') return 'cache_read';
  if (name === 'cacheWrite5m') return 'cache_write_5m';
  if (name === 'cacheWrite1h') return 'cache_write_1h';
  return tier === 'batch' ? `batch_${name}` : name;
}

function sumRows<Row>(rows: readonly Row[], units: (row: Row) => bigint): bigint {
  return rows.reduce((sum, row) => sum + units(row), 0n);
}
