// Prices a month of usage into lines: a quantity, the tier that it falls into, and the price of a
// unit with its source. Every amount is a sum of these lines. Only this file knows tiers and free
// amounts.

import { architectures, type QueueType, queueTypes } from '../scenarios/assumptions.ts';
import type { InferenceCount, UsageCounters } from '../usage/usage.ts';
import {
  asLong,
  countsAreExact,
  type InferenceTerms,
  modelPrices,
  scopeOfCall,
  sizeRemark,
  splitCall,
} from './called-model.ts';
import type { Money } from './money.ts';
import type { PriceBook, PricedTier, PriceFallback, TokenPrices } from './price-book.ts';
import type { InferenceKind, PriceLineId } from './price-line.ts';
import type { PriceOverride } from './price-overrides.model.ts';

export const services = ['queue', 'function', 'inference'] as const;
export type Service = (typeof services)[number];

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
  override?: PriceOverride;
  /** The tier of the list prices that begins at the same unit. */
  atList?: Tier;
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
  { item: 'cache_read_tokens', field: 'cacheReadTokens', price: 'cacheRead' },
  { item: 'cache_write_tokens', field: 'cacheWriteTokens', price: 'cacheWrite5m' },
  { item: 'cache_write_1h_tokens', field: 'cacheWrite1hTokens', price: 'cacheWrite1h' },
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
    this.#queues = queueTypes.map((type) => counterOf('queue', 'requests', type, tiersOn(terms, queueTiers(type))));
    this.#functions = architectures.map((architecture) => ({
      architecture,
      invocations: counterOf('function', 'invocations', architecture, tiersOn(terms, invocationTiers)),
      compute: counterOf('function', 'compute', architecture, tiersOn(terms, computeTiers(architecture))),
    }));
  }

  /** @returns what the part adds to the month. Lines without units are left out. */
  add(usage: UsageCounters): ChargeLine[] {
    const lines: ChargeLine[] = [];
    const { book, freeTier = false } = this.#terms;
    const freeUnits = (amount: bigint): FreeUnits =>
      freeTier ? { before: amount, after: amount } : { ...noFreeUnits };
    const requests = freeUnits(book.queue.freeRequests);
    for (const counter of this.#queues) {
      let units = 0n;
      for (const row of usage.queues) if (row.type === counter.of) units += row.requests;
      addUnits(lines, counter, units, requests);
    }
    const [invocations, mbMs] = [freeUnits(book.function.freeInvocations), freeUnits(book.function.freeMbMs)];
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
  const lineOf = (tier: Tier): ChargeLine | undefined => {
    const inTier = unitsIn(tier, step.after) - unitsIn(tier, step.before);
    if (inTier === 0n) return undefined;
    const { from, to, price, isFallback, isEstimated, source, override } = tier;
    return {
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
      ...(override && { override }),
    };
  };
  for (const tier of counter.tiers) {
    const line = lineOf(tier);
    if (line === undefined) continue;
    const atList = tier.atList && lineOf(tier.atList);
    if (atList && atList.units === line.units && atList.price !== null) line.atList = atList;
    lines.push(line);
  }
}

const atNoCost = { tier: null, price: 0n, amount: 0n, isFallback: false, isEstimated: false, source: null } as const;

/** max(0, min(used, to) − max(from, free)). */
function unitsIn({ from, to }: Tier, { used, free }: { used: bigint; free: bigint }): bigint {
  return max(0n, (to === null ? used : min(used, to)) - max(from, free));
}

const min = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const max = (a: bigint, b: bigint): bigint => (a < b ? b : a);

type TiersOf = (terms: MonthTerms) => Tier[];

/** The tiers with the overrides of the book, each with its tier of the list prices. */
function tiersOn(terms: MonthTerms, tiersOf: TiersOf): Tier[] {
  const { overridden } = terms.book;
  const tiers = tiersOf(terms);
  const [first] = tiers;
  if (terms.firstTierOnly && first) return [{ ...first, to: null }];
  if (!overridden) return tiers;
  const listed = tiersOf({ ...terms, book: overridden.list });
  return tiers.map((tier) => {
    const override = tier.price !== null && tier.source ? overridden.find(tier.source) : undefined;
    if (!override) return tier;
    const atList = listed.find(({ from }) => from === tier.from);
    return { ...tier, override, ...(override.price && { source: null }), ...(atList && { atList }) };
  });
}

/**
 * Combines the known tiers, higher tiers of the fallback Region and, if the last tier is limited,
 * an unpriced tier.
 */
function combineTiers(
  known: readonly PricedTier[],
  line: PriceLineId,
  fallback: { tiers: readonly PricedTier[]; line: PriceLineId } = { tiers: [], line },
  isEstimated = false,
): Tier[] {
  const tiers: Tier[] = [];
  /** The limit of the last tier; null: none. */
  let from: bigint | null = 0n;
  const add = ({ to, price }: Pick<Tier, 'to' | 'price'>, source: PriceLineId | null, isFallback = false) => {
    if (from === null || (to !== null && to <= from)) return;
    tiers.push({ from, to, price, isFallback, isEstimated: isEstimated && price !== null, source });
    from = to;
  };
  for (const tier of known) add(tier, line);
  for (const tier of fallback.tiers) add(tier, fallback.line, true);
  add({ to: null, price: null }, null);
  return tiers;
}

/** Fallback prices apply in commercial Regions only. */
const queueTiers =
  (type: QueueType): TiersOf =>
  ({ region, book, fallback }) => {
    const lineIn = (scope: string): PriceLineId => ({ service: 'queue', scope, item: type, kind: 'request' });
    const hasFallback = fallback !== 'off' && book.region(region)?.partition === 'aws';
    return combineTiers(book.queue.knownTiers(region, type), lineIn(region), {
      tiers: hasFallback ? book.queue.knownTiers(fallback, type) : [],
      line: lineIn(fallback),
    });
  };

const invocationTiers: TiersOf = ({ region, book }) => {
  const prices = book.function.prices(region);
  return combineTiers(prices ? [{ to: null, price: prices.perInvocation }] : [], {
    service: 'function',
    scope: region,
    item: 'requests',
    kind: 'request',
  });
};

const computeTiers =
  (architecture: (typeof architectures)[number]): TiersOf =>
  ({ region, book }) =>
    combineTiers(book.function.prices(region)?.compute[architecture] ?? [], {
      service: 'function',
      scope: region,
      item: architecture,
      kind: 'gb_second',
    });

function modelCounters(counted: string, terms: MonthTerms): ModelCounters {
  const priced = terms.asModel === undefined ? counted : asSizeOf(counted, terms.asModel);
  const { book, countedBy = book, calls } = terms;
  const remark = sizeRemark({ counted, priced, book, countedBy, isDerived: calls !== undefined });
  const counters = tokenCounters.map(({ item, price }) => {
    const tiers = tiersOn(terms, tokenTiers(priced, price, remark !== undefined));
    return { ...counterOf('inference', item, counted, tiers), remark };
  });
  return { counters, countsAreExact: countsAreExact(terms.book, counted, priced) };
}

/** Calls of another model have the same size. */
const asSizeOf = (counted: string, model: string) => (splitCall(counted).isLong ? asLong(model) : model);

const tokenTiers =
  (call: string, name: keyof TokenPrices, isUncertain: boolean): TiersOf =>
  ({ book, region, calls = {} }) => {
    const { prices, estimated } = modelPrices(book, call, region, calls);
    const price = prices?.[name];
    const isEstimated = isUncertain || estimated || (prices?.uncertain?.has(name) ?? false);
    const { model: item, isLong } = splitCall(call);
    const hasLongPrice = isLong && book.model(item)?.longContextAbove !== undefined;
    const scope = scopeOfCall(book, call, region, calls.profile) ?? region;
    const line = { service: 'inference', scope, item, kind: kindOf(name, calls, hasLongPrice) } as const;
    return combineTiers(price === undefined ? [] : [{ to: null, price }], line, undefined, isEstimated);
  };

const cacheKinds = { cacheRead: 'cache_read', cacheWrite5m: 'cache_write_5m', cacheWrite1h: 'cache_write_1h' } as const;

/** The kind of a price in the book. A batch job and a long call have prices of their own. */
function kindOf(name: keyof TokenPrices, { tier }: InferenceTerms, isLong: boolean): InferenceKind {
  const kind =
    name in cacheKinds ? cacheKinds[name as keyof typeof cacheKinds] : name === 'output' ? 'output' : 'input';
  if (isLong) return `long_${kind}`;
  return tier === 'batch' && (kind === 'input' || kind === 'output') ? `batch_${kind}` : kind;
}

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

export type ServiceCosts = Readonly<Record<Service, ServiceCost>>;

interface TotalCost {
  /** The sum of the known amounts; null if none is known. */
  amount: Money | null;
  /** The worst of the services. */
  status: CostStatus;
  /** Whether a price is missing, so that the amount is only a part of the cost. */
  incomplete: boolean;
}

/** Sums lines by service. */
export class CostSum {
  readonly #sums: Record<Service, { amount: Money; isCharged: boolean; status: CostStatus }>;
  readonly #unpriced: Partial<Record<Service, Partial<Record<ChargeItem, bigint>>>> = {};
  readonly #remarks: Partial<Record<Service, Set<string>>> = {};

  /** @param isEstimate whether all usage is estimated. */
  constructor(isEstimate: boolean) {
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

  services(): ServiceCosts {
    const costOf = (service: Service): ServiceCost => {
      const { amount, isCharged, status } = this.#sums[service];
      const unpriced = this.#unpriced[service] ?? null;
      const remarks = this.#remarks[service];
      const known = unpriced !== null && !isCharged ? null : amount;
      return { amount: known, status, unpriced, ...(remarks && { remarks: [...remarks] }) };
    };
    return { queue: costOf('queue'), function: costOf('function'), inference: costOf('inference') };
  }
}

export function totalOf(costs: ServiceCosts): TotalCost {
  const status = services.reduce<CostStatus>((worst, service) => worse(worst, costs[service].status), 'ok');
  return {
    amount: sumKnown(services.map((service) => costs[service].amount)),
    status,
    incomplete: status === 'missing',
  };
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
