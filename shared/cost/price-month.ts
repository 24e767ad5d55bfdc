// Prices a month of usage into lines: a quantity, the tier that it falls into, and the price of a
// unit with its source. Every amount is a sum of these lines. Only this file knows tiers and free
// amounts.

import { type Architecture, architectures, type QueueType, queueTypes } from '../scenarios/assumptions.ts';
import { type Count, type ModelCounters, modelOfField, type UsageTotals } from '../usage/stored-hour.ts';
import { asLong, splitCall } from './called-model.ts';
import { max, min } from './integers.ts';
import type { Money } from './money.ts';
import { findOverride, overridePrice } from './own-prices.ts';
import type { PriceBook, PriceFallback } from './price-book.ts';
import type { PriceOverride } from './price-books.model.ts';
import { ofServices, type PriceLineId, type Service, services } from './price-line.ts';
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
  status: CostStatus;
  /** Why the price is not certain, for people. */
  remark?: string;
  /** The price in the book; null if it is unknown, or an own price. */
  source: PriceLineId | null;
  /** The own price or discount of the installation. */
  override?: PriceOverride;
  /** With an override, the same units at their list price. */
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

/** Units of one tier, and what their lines show. */
interface Tier extends Pick<ChargeLine, 'price' | 'status' | 'source'> {
  /** The units above it, up to and including `to`. Null: no limit. */
  from: bigint;
  to: bigint | null;
  override: PriceOverride | undefined;
  /** Without the own price or discount. */
  listPrice: Money | null;
}

/** The units of a counter since the start of the month. */
interface Counter extends Pick<ChargeLine, 'service' | 'item' | 'of'> {
  tiers: readonly Tier[];
  remark?: string | undefined;
  used: bigint;
}

/** A counter that consumes a free amount. */
interface FreeCounter extends Counter {
  free: keyof PriceBook['free'];
  /** Undefined: none. */
  unitsOf: (usage: UsageTotals) => Count | undefined;
}

/** The rest of a free amount, which several counters consume one after the other. */
type FreeUnits = Record<'before' | 'after', bigint>;

/** The kinds of tokens. */
export const tokenCounters = [
  { item: 'input_tokens', field: 'inputTokens', price: 'input' },
  { item: 'output_tokens', field: 'outputTokens', price: 'output' },
  { item: 'cache_read_tokens', field: 'cacheReadTokens', price: 'cache_read' },
  { item: 'cache_write_tokens', field: 'cacheWriteTokens', price: 'cache_write_5m' },
  { item: 'cache_write_1h_tokens', field: 'cacheWrite1hTokens', price: 'cache_write_1h' },
] as const;

/**
 * Prices the usage of one month, part by part in order of time. Tiers apply to the sum of the
 * month. The free units are the first ones of the month, and count towards the limits of the tiers.
 * So the lines of all parts add up to those of the month, exactly.
 */
export function createMonthPricer(terms: MonthTerms) {
  /** In the order in which they consume free amounts. */
  const counters = [
    ...queueTypes.map((type) => queueCounter(type, terms)),
    ...architectures.flatMap((architecture) => functionCounters(architecture, terms)),
  ];
  /** By the fields of usage. */
  const models = new Map<string, CountedModel>();
  const modelOf = (field: string): CountedModel => {
    const model = models.get(field) ?? modelCounters(modelOfField(field), terms);
    models.set(field, model);
    return model;
  };
  const freeUnits = (amount: bigint): FreeUnits => (terms.freeTier ? { before: amount, after: amount } : noFreeUnits());
  return {
    /** @returns what the part adds to the month. Lines without units are left out. */
    add(usage: UsageTotals): ChargeLine[] {
      const lines: ChargeLine[] = [];
      const { requests, invocations, mbMs } = terms.book.free;
      const free = { requests: freeUnits(requests), invocations: freeUnits(invocations), mbMs: freeUnits(mbMs) };
      for (const counter of counters) addUnits(lines, counter, BigInt(counter.unitsOf(usage) ?? 0), free[counter.free]);
      const fields = Object.keys(usage.inference);
      if (fields.length > 1) fields.sort((one, other) => (modelOf(one).name < modelOf(other).name ? -1 : 1));
      for (const field of fields) addTokens(lines, modelOf(field), usage.inference[field] as ModelCounters);
      return lines;
    },
  };
}

function addTokens(lines: ChargeLine[], { counters, areExact }: CountedModel, row: ModelCounters): void {
  const isEstimate = (row.estimatedEntries ?? 0) > 0 && !areExact;
  for (const [index, { field }] of tokenCounters.entries()) {
    const units = row[field];
    if (!units) continue;
    const isEstimated = isEstimate && field === 'inputTokens';
    addUnits(lines, counters[index] as Counter, BigInt(units), noFreeUnits(), isEstimated);
  }
}

const noFreeUnits = (): FreeUnits => ({ before: 0n, after: 0n });

/** Fallback prices apply in commercial Regions only. */
function queueCounter(of: QueueType, terms: MonthTerms): FreeCounter {
  const { region, book, fallback } = terms;
  const hasFallback = fallback !== 'off' && book.region(region)?.partition === 'aws';
  const prices = (hasFallback ? [region, fallback] : [region]).map((scope, index) => {
    const line = { service: 'queue', scope, item: of, kind: 'request' } as const;
    return { line, tiers: book.tiers(line), scopes: [scope], isFallback: index === 1 };
  });
  const unitsOf = ({ queues }: UsageTotals) => queues[of];
  const tiers = combineTiers(prices, terms);
  return { service: 'queue', item: 'requests', of, tiers, used: 0n, free: 'requests', unitsOf };
}

function functionCounters(of: Architecture, terms: MonthTerms): FreeCounter[] {
  const { region: scope, book } = terms;
  const counter = (item: ChargeItem, free: 'invocations' | 'mbMs', line: PriceLineId): FreeCounter => {
    const unitsOf = ({ functions }: UsageTotals) => functions[of]?.[free];
    const tiers = combineTiers([{ line, tiers: book.tiers(line), scopes: [scope] }], terms);
    return { service: 'function', item, of, tiers, used: 0n, free, unitsOf };
  };
  return [
    counter('invocations', 'invocations', { service: 'function', scope, item: 'requests', kind: 'request' }),
    counter('compute', 'mbMs', { service: 'function', scope, item: of, kind: 'gb_second' }),
  ];
}

type CountedModel = ReturnType<typeof modelCounters>;

function modelCounters(counted: string, terms: MonthTerms) {
  // Calls of another model have the same size.
  const asSized = (model: string) => (splitCall(counted).isLong ? asLong(model) : model);
  const priced = terms.asModel === undefined ? counted : asSized(terms.asModel);
  const { book, region, countedBy = book, calls } = terms;
  const remark = sizeRemark(counted, book.model(splitCall(priced).model), countedBy, calls !== undefined);
  const counters = tokenCounters.map(({ item, price }): Counter => {
    const list = tokenPrice(book, priced, region, price satisfies TokenKind, calls);
    const tiers = combineTiers(list ? [list] : [], terms, remark !== undefined);
    return { service: 'inference', item, of: counted, tiers, remark, used: 0n };
  });
  /** Whether tokens that were counted from messages are exact. */
  const areExact = countsAreExact(book, counted, priced);
  return { name: counted, counters, areExact };
}

/** Adds the lines of units that follow those of the counter, and consumes their free units. */
function addUnits(lines: ChargeLine[], counter: Counter, units: bigint, free: FreeUnits, isEstimate = false): void {
  const { service, item, of, remark, used } = counter;
  const before = { used, free: free.before };
  const after = { used: used + units, free: free.after };
  counter.used = after.used;
  free.before = max(0n, before.free - before.used);
  free.after = max(0n, after.free - after.used);
  const freeUnits = min(after.used, after.free) - min(before.used, before.free);
  if (freeUnits !== 0n) lines.push({ service, item, of, units: freeUnits, isFree: true, ...atNoCost });
  if (units === 0n && before.free === after.free) return;
  for (const tier of counter.tiers) {
    const inTier = unitsIn(tier, after) - unitsIn(tier, before);
    if (inTier === 0n) continue;
    const { from, to, price, listPrice, source, override } = tier;
    const lineAt = (unitPrice: Money | null): ChargeLine => ({
      service,
      item,
      of,
      units: inTier,
      isFree: false,
      tier: { from, to },
      price: unitPrice,
      amount: unitPrice === null ? null : inTier * unitPrice,
      status: unitPrice === null ? 'missing' : worse(tier.status, isEstimate ? 'estimated' : 'ok'),
      ...(remark !== undefined && { remark }),
      source,
    });
    if (!override) lines.push(lineAt(price));
    else {
      lines.push({ ...lineAt(price), source: override.price ? null : source, override, atList: lineAt(listPrice) });
    }
  }
}

const atNoCost = { tier: null, price: 0n, amount: 0n, status: 'ok', source: null } as const;

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
    // An own price also applies to units without a list price.
    const isOpen = override?.price && list.at(-1)?.to !== null;
    for (const { to, price: listPrice } of isOpen ? [...list, { to: null, price: null }] : list) {
      if (end === null || (to !== null && to <= end)) continue;
      const price = override ? overridePrice(listPrice, override) : listPrice;
      const isEstimate = isUncertain || (isEstimated && !override?.price);
      const status = worse(isFallback ? 'unverified' : 'ok', isEstimate ? 'estimated' : 'ok');
      tiers.push({ from: end, to, price, listPrice, status, source, override });
      end = to;
    }
  }
  if (end !== null) {
    const unpriced = { price: null, listPrice: null, status: 'missing', source: null, override: undefined } as const;
    tiers.push({ from: end, to: null, ...unpriced });
  }
  return firstTierOnly && tiers[0] ? [{ ...tiers[0], to: null }] : tiers;
}

// The cost of usage by service, as a sum of its lines: how much of it is known, and how reliable it
// is.

/** From best to worst. A total has the worst status of its lines. */
export const costStatuses = ['ok', 'estimated', 'unverified', 'missing'] as const;
export type CostStatus = (typeof costStatuses)[number];

/** The cost of usage, by service and in total. */
export type Cost = ReturnType<CostSum['cost']>;

/** The known amount of a service. */
interface ServiceSum {
  amount: Money;
  isCharged: boolean;
  status: CostStatus;
  /** The units without a price by item; null unless the status is `missing`. */
  unpriced: Partial<Record<ChargeItem, bigint>> | null;
  /** Why prices are not certain, if there is a reason. */
  remarks?: Set<string>;
}

/** Sums lines by service. */
export class CostSum {
  readonly #sums: Record<Service, ServiceSum>;

  /** @param isEstimate whether all usage is estimated. */
  constructor(isEstimate = false) {
    const status = isEstimate ? 'estimated' : 'ok';
    this.#sums = ofServices(() => ({ amount: 0n, isCharged: false, status, unpriced: null }));
  }

  add(lines: readonly ChargeLine[]): void {
    for (const line of lines) {
      const sum = this.#sums[line.service];
      sum.status = worse(sum.status, line.status);
      if (line.remark !== undefined) (sum.remarks ??= new Set()).add(line.remark);
      if (line.amount === null) {
        sum.unpriced ??= {};
        sum.unpriced[line.item] = (sum.unpriced[line.item] ?? 0n) + line.units;
      } else {
        sum.amount += line.amount;
        sum.isCharged ||= !line.isFree;
      }
    }
  }

  /**
   * An amount is null if none of the usage has a price; the total is the sum of the known amounts,
   * and `incomplete` if a price is missing.
   */
  cost() {
    const costs = ofServices((service) => {
      const { amount, isCharged, status, unpriced, remarks } = this.#sums[service];
      const known = unpriced !== null && !isCharged ? null : amount;
      return { amount: known, status, unpriced, ...(remarks && { remarks: [...remarks] }) };
    });
    const status = services.reduce<CostStatus>((worst, service) => worse(worst, costs[service].status), 'ok');
    const amount = sumKnown(services.map((service) => costs[service].amount));
    return { services: costs, total: { amount, status, incomplete: status === 'missing' } };
  }
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
