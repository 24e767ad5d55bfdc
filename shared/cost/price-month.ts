// Prices a month of usage into lines: a quantity, the tier that it falls into, and the price of a
// unit with its source. Every amount is a sum of these lines. Only this file knows tiers and free
// amounts.

import { architectures, type QueueType, queueTypes } from '../scenarios/assumptions.ts';
import type { InferenceCount, UsageCounters } from '../usage/usage.ts';
import { asLong, splitCall } from './called-model.ts';
import { max, min } from './integers.ts';
import type { Money } from './money.ts';
import { findOverride, overridePrice, tiersUnder } from './own-prices.ts';
import type { PriceBook, PriceFallback } from './price-book.ts';
import { type PriceLineId, type Service, services } from './price-line.ts';
import type { PriceOverride } from './price-overrides.model.ts';
import {
  countsAreExact,
  type InferenceTerms,
  type ListPrice,
  sizeRemark,
  type TokenKind,
  tokenPrice,
} from './token-price.ts';

export const chargeItems = [
  'requests',
  'invocations',
  'compute',
  'input_tokens',
  'output_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
  'cache_write_1h_tokens',
] as const;
export type ChargeItem = (typeof chargeItems)[number];

/** Units of one counter that have the same price. */
export interface ChargeLine {
  service: Service;
  item: ChargeItem;
  /** The queue type, the architecture or the model. */
  of: string;
  /**
   * Requests, invocations, tokens; MB·ms for compute. Negative if free units pass to a type that
   * comes first.
   */
  units: bigint;
  /** Whether the units belong to the free amount. */
  isFree: boolean;
  /** The tier of the units; null for free units. */
  tier: { from: bigint; to: bigint | null } | null;
  /** Price of one unit; null if unknown. */
  price: Money | null;
  /** units × price; null if the price is unknown. */
  amount: Money | null;
  /** Whether the price is that of the fallback Region. */
  isFallback: boolean;
  /** Whether the units or the price are estimated. */
  isEstimated: boolean;
  /** Why the price is not certain, for people. */
  remark?: string;
  /** The price in the book; null if it is unknown, or an own price. */
  source: PriceLineId | null;
  /** The own price or discount of the installation. */
  override?: PriceOverride;
  /** With an override, the same units at their list price, if they have one. */
  atList?: ChargeLine;
}

/** The terms that determine prices. */
export interface PricingTerms {
  region: string;
  book: PriceBook;
  fallback: PriceFallback;
}

export interface MonthTerms extends PricingTerms {
  /** Default: false. */
  freeTier?: boolean;
  /** Prices all tokens as if this model had processed them. */
  asModel?: string | undefined;
  /** How a pipeline calls models. Default: on demand, in the Region, by the entries. */
  calls?: InferenceTerms | undefined;
  /** The book by whose limits calls were counted. Default: that of the prices. */
  countedBy?: Pick<PriceBook, 'model'> | undefined;
  /** Whether all units have the prices of the first tier. Default: false. */
  firstTierOnly?: boolean;
}

/** The units above `from`, up to and including `to`, and their price. */
interface Tier {
  from: bigint;
  /** Null: no limit. */
  to: bigint | null;
  /** Per unit; null if unknown. */
  price: Money | null;
  isFallback: boolean;
  isEstimated: boolean;
  source: PriceLineId | null;
  override: PriceOverride | undefined;
  /** Without the own price or discount. */
  listPrice: Money | null;
}

/** The units of a counter since the start of the month. */
interface Counter {
  readonly service: Service;
  readonly item: ChargeItem;
  readonly of: string;
  readonly tiers: readonly Tier[];
  /** See `ChargeLine`. */
  readonly remark?: string | undefined;
  used: bigint;
}

/** The rest of a free amount, which several counters consume one after the other. */
interface FreeUnits {
  before: bigint;
  after: bigint;
}

const noFreeUnits: Readonly<FreeUnits> = { before: 0n, after: 0n };

/** The kinds of tokens. */
export const tokenCounters = [
  { item: 'input_tokens', field: 'inputTokens', price: 'input' },
  { item: 'output_tokens', field: 'outputTokens', price: 'output' },
  { item: 'cache_read_tokens', field: 'cacheReadTokens', price: 'cache_read' },
  { item: 'cache_write_tokens', field: 'cacheWriteTokens', price: 'cache_write_5m' },
  { item: 'cache_write_1h_tokens', field: 'cacheWrite1hTokens', price: 'cache_write_1h' },
] as const;

interface ModelCounters {
  counters: readonly Counter[];
  /** Whether tokens that were counted from messages are exact. */
  countsAreExact: boolean;
}

/**
 * Prices the usage of one month, part by part in order of time. Tiers apply to the sum of the
 * month. The free units are the first ones of the month, and count towards the limits of the tiers.
 * So the lines of all parts add up to those of the month, exactly.
 */
export class MonthPricer {
  readonly #terms: MonthTerms;
  readonly #queues: readonly Counter[];
  readonly #functions: readonly { architecture: string; invocations: Counter; compute: Counter }[];
  readonly #models = new Map<string, ModelCounters>();

  constructor(terms: MonthTerms) {
    this.#terms = terms;
    this.#queues = queueTypes.map((type) => counterOf('queue', 'requests', type, queueTiers(type, terms)));
    this.#functions = architectures.map((architecture) => ({
      architecture,
      invocations: counterOf('function', 'invocations', architecture, functionTiers('requests', 'request', terms)),
      compute: counterOf('function', 'compute', architecture, functionTiers(architecture, 'gb_second', terms)),
    }));
  }

  /** @returns what the part adds to the month. Lines without units are left out. */
  add(usage: UsageCounters): ChargeLine[] {
    const lines: ChargeLine[] = [];
    const { book, freeTier = false } = this.#terms;
    const freeUnits = (amount: bigint): FreeUnits =>
      freeTier ? { before: amount, after: amount } : { ...noFreeUnits };
    const requests = freeUnits(book.free.requests);
    for (const counter of this.#queues) {
      let units = 0n;
      for (const row of usage.queues) if (row.type === counter.of) units += row.requests;
      addUnits(lines, counter, units, requests);
    }
    const [invocations, mbMs] = [freeUnits(book.free.invocations), freeUnits(book.free.mbMs)];
    for (const counters of this.#functions) {
      const units = { invocations: 0n, mbMs: 0n };
      for (const row of usage.functions) {
        if (row.architecture !== counters.architecture) continue;
        units.invocations += row.invocations;
        units.mbMs += row.mbMs;
      }
      addUnits(lines, counters.invocations, units.invocations, invocations);
      addUnits(lines, counters.compute, units.mbMs, mbMs);
    }
    for (const row of usage.inference) this.#addTokens(lines, row);
    return lines;
  }

  #addTokens(lines: ChargeLine[], row: InferenceCount): void {
    let model = this.#models.get(row.model);
    if (model === undefined) {
      model = modelCounters(row.model, this.#terms);
      this.#models.set(row.model, model);
    }
    const isEstimate = row.estimatedEntries > 0n && !model.countsAreExact;
    for (const [index, counter] of model.counters.entries()) {
      const field = (tokenCounters[index] as (typeof tokenCounters)[number]).field;
      addUnits(lines, counter, row[field] ?? 0n, noFreeUnits, isEstimate && field === 'inputTokens');
    }
  }
}

const counterOf = (service: Service, item: ChargeItem, of: string, tiers: readonly Tier[]): Counter => ({
  service,
  item,
  of,
  tiers,
  used: 0n,
});

/** Adds the lines of units that follow those of the counter, and consumes their free units. */
function addUnits(lines: ChargeLine[], counter: Counter, units: bigint, free: FreeUnits, isEstimate = false): void {
  const { service, item, of, used } = counter;
  counter.used += units;
  const step = { before: { used, free: free.before }, after: { used: counter.used, free: free.after } };
  if (free !== noFreeUnits) {
    const freeUnits = min(step.after.used, free.after) - min(used, free.before);
    if (freeUnits !== 0n) lines.push({ service, item, of, units: freeUnits, isFree: true, ...atNoCost });
    free.before = max(0n, free.before - used);
    free.after = max(0n, free.after - counter.used);
  }
  if (units === 0n && step.before.free === step.after.free) return;
  for (const { from, to, price, isFallback, isEstimated, source, override, listPrice } of counter.tiers) {
    const inTier = unitsIn({ from, to }, step.after) - unitsIn({ from, to }, step.before);
    if (inTier === 0n) continue;
    const line: ChargeLine = {
      service,
      item,
      of,
      units: inTier,
      isFree: false,
      tier: { from, to },
      price,
      amount: price === null ? null : inTier * price,
      isFallback,
      isEstimated: isEstimated || isEstimate,
      ...(counter.remark !== undefined && { remark: counter.remark }),
      source,
    };
    const listed = override && listPrice !== null && { ...line, price: listPrice, amount: inTier * listPrice };
    if (override?.price) line.source = null;
    lines.push({ ...line, ...(override && { override }), ...(listed && { atList: listed }) });
  }
}

const atNoCost = { tier: null, price: 0n, amount: 0n, isFallback: false, isEstimated: false, source: null } as const;

/** max(0, min(used, to) − max(from, free)). */
function unitsIn({ from, to }: Pick<Tier, 'from' | 'to'>, { used, free }: { used: bigint; free: bigint }): bigint {
  return max(0n, (to === null ? used : min(used, to)) - max(from, free));
}

/**
 * Combines the tiers of list prices, the later ones for the units above the limit of the earlier
 * ones, with the overrides of the book. Units without a price are a tier of their own.
 * @param isUncertain whether the prices are estimates.
 */
function combineTiers(
  prices: readonly ListPrice[],
  { book, firstTierOnly }: MonthTerms,
  isUncertain = false,
): readonly Tier[] {
  const tiers: Tier[] = [];
  /** The limit of the last tier; null: none. */
  let end: bigint | null = 0n;
  for (const { line: source, scopes, tiers: list, isFallback = false, isEstimated = false } of prices) {
    const override = findOverride(book.overrides, source, scopes);
    for (const { to, price: listPrice } of tiersUnder(override, list)) {
      if (end === null || (to !== null && to <= end)) continue;
      const price = override ? overridePrice(listPrice, override) : listPrice;
      const isEstimate = isUncertain || (isEstimated && !override?.price);
      tiers.push({ from: end, to, price, listPrice, isFallback, isEstimated: isEstimate, source, override });
      end = to;
    }
  }
  if (end !== null) tiers.push({ ...unpriced, from: end });
  return firstTierOnly && tiers[0] ? [{ ...tiers[0], to: null }] : tiers;
}

const unpriced = {
  to: null,
  price: null,
  listPrice: null,
  isFallback: false,
  isEstimated: false,
  source: null,
  override: undefined,
} as const;

/** Fallback prices apply in commercial Regions only. */
function queueTiers(item: QueueType, terms: MonthTerms): readonly Tier[] {
  const { region, book, fallback } = terms;
  const hasFallback = fallback !== 'off' && book.region(region)?.partition === 'aws';
  const prices = (hasFallback ? [region, fallback] : [region]).map((scope, index) => {
    const line = { service: 'queue', scope, item, kind: 'request' } as const;
    return { line, tiers: book.tiers(line), scopes: [scope], isFallback: index === 1 };
  });
  return combineTiers(prices, terms);
}

function functionTiers(item: string, kind: 'request' | 'gb_second', terms: MonthTerms): readonly Tier[] {
  const line = { service: 'function', scope: terms.region, item, kind } as const;
  return combineTiers([{ line, tiers: terms.book.tiers(line), scopes: [terms.region] }], terms);
}

function modelCounters(counted: string, terms: MonthTerms): ModelCounters {
  const priced = terms.asModel === undefined ? counted : asSizeOf(counted, terms.asModel);
  const { book, region, countedBy = book, calls } = terms;
  const remark = sizeRemark({ counted, priced, book, countedBy, isDerived: calls !== undefined });
  const counters = tokenCounters.map(({ item, price }) => {
    const list = tokenPrice(book, priced, region, price satisfies TokenKind, calls);
    const tiers = combineTiers(list ? [list] : [], terms, remark !== undefined);
    return { ...counterOf('inference', item, counted, tiers), remark };
  });
  return { counters, countsAreExact: countsAreExact(terms.book, counted, priced) };
}

/** Calls of another model have the same size. */
const asSizeOf = (counted: string, model: string) => (splitCall(counted).isLong ? asLong(model) : model);

// The cost of usage by service, as a sum of its lines: how much of it is known, and how reliable it
// is.

/** From best to worst. A total has the worst status of its lines. */
export const costStatuses = ['ok', 'estimated', 'unverified', 'missing'] as const;
export type CostStatus = (typeof costStatuses)[number];

/** The cost of one service; `amount` is null if none of its usage has a price. */
interface ServiceCost {
  amount: Money | null;
  status: CostStatus;
  /** The units without a price by item; null unless the status is `missing`. */
  unpriced: Readonly<Partial<Record<ChargeItem, bigint>>> | null;
  /** Why prices are not certain, if there is a reason. */
  remarks?: string[];
}

interface TotalCost {
  /** The sum of the known amounts; null if none is known. */
  amount: Money | null;
  /** The worst of the services. */
  status: CostStatus;
  /** Whether a price is missing, so that the amount is only a part of the cost. */
  incomplete: boolean;
}

/** The cost of usage, by service and in total. */
export interface Cost {
  services: Readonly<Record<Service, ServiceCost>>;
  total: TotalCost;
}

/** Sums lines by service. */
export class CostSum {
  readonly #sums: Record<Service, { amount: Money; isCharged: boolean; status: CostStatus }>;
  readonly #unpriced: Partial<Record<Service, Partial<Record<ChargeItem, bigint>>>> = {};
  readonly #remarks: Partial<Record<Service, Set<string>>> = {};

  /** @param isEstimate whether all usage is estimated. */
  constructor(isEstimate = false) {
    const none = () => ({ amount: 0n, isCharged: false, status: isEstimate ? 'estimated' : 'ok' }) as const;
    this.#sums = { queue: none(), function: none(), inference: none() };
  }

  add(lines: readonly ChargeLine[]): void {
    for (const line of lines) {
      const sum = this.#sums[line.service];
      sum.status = worse(sum.status, statusOfLine(line));
      if (line.remark !== undefined) (this.#remarks[line.service] ??= new Set()).add(line.remark);
      if (line.amount === null) {
        const unpriced = (this.#unpriced[line.service] ??= {});
        unpriced[line.item] = (unpriced[line.item] ?? 0n) + line.units;
      } else {
        sum.amount += line.amount;
        sum.isCharged ||= !line.isFree;
      }
    }
  }

  cost(): Cost {
    const costOf = (service: Service): ServiceCost => {
      const { amount, isCharged, status } = this.#sums[service];
      const unpriced = this.#unpriced[service] ?? null;
      const remarks = this.#remarks[service];
      const known = unpriced !== null && !isCharged ? null : amount;
      return { amount: known, status, unpriced, ...(remarks && { remarks: [...remarks] }) };
    };
    const costs = { queue: costOf('queue'), function: costOf('function'), inference: costOf('inference') };
    const status = services.reduce<CostStatus>((worst, service) => worse(worst, costs[service].status), 'ok');
    const amount = sumKnown(services.map((service) => costs[service].amount));
    return { services: costs, total: { amount, status, incomplete: status === 'missing' } };
  }
}

export function statusOfLine({ price, isFallback, isEstimated }: ChargeLine): CostStatus {
  if (price === null) return 'missing';
  if (isFallback) return 'unverified';
  return isEstimated ? 'estimated' : 'ok';
}

function worse(one: CostStatus, other: CostStatus): CostStatus {
  return costStatuses.indexOf(other) > costStatuses.indexOf(one) ? other : one;
}

/** The sum of the known amounts; null if none is known. */
export function sumKnown(amounts: readonly (Money | null)[]): Money | null {
  let sum: Money | null = null;
  for (const amount of amounts) if (amount !== null) sum = sum === null ? amount : sum + amount;
  return sum;
}
