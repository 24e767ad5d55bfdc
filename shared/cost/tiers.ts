// Price tiers. They apply to the monthly total of a counter, not to single entries.
import type { Money } from './money.ts';
import type { PricedTier } from './price-book.ts';

/** The units above `from`, up to and including `to`. */
export interface Tier {
  from: bigint;
  /** Null: no limit. */
  to: bigint | null;
  /** Per unit; null if unknown. */
  price: Money | null;
  /** Whether the price comes from the fallback Region. */
  isFallback: boolean;
}

/** The cost of a number of units. */
interface Charge {
  amount: Money;
  /** Units that a price was applied to, without free units. */
  charged: bigint;
  /** Charged units at a price of the fallback Region. */
  atFallbackPrice: bigint;
  /** Units without a price. */
  unpriced: bigint;
}

const noCharge: Charge = { amount: 0n, charged: 0n, atFallbackPrice: 0n, unpriced: 0n };

/**
 * Combines the known tiers, higher tiers of the fallback Region and, if the last tier is limited,
 * an unpriced tier.
 */
export function tiersOf(known: readonly PricedTier[], fallbacks: readonly PricedTier[] = []): Tier[] {
  const tiers: Tier[] = [];
  /** The limit of the last tier; null: none. */
  let from: bigint | null = 0n;
  const add = ({ to, price }: Pick<Tier, 'to' | 'price'>, isFallback: boolean) => {
    if (from === null || (to !== null && to <= from)) return;
    tiers.push({ from, to, price, isFallback });
    from = to;
  };
  for (const tier of known) add(tier, false);
  for (const tier of fallbacks) add(tier, true);
  add({ to: null, price: null }, false);
  return tiers;
}

/**
 * Charges a month's usage: Σ over tiers max(0, min(used, to) − max(from, free)) × price. The free
 * units are the first units of the month, and count towards the limits of the tiers.
 */
export function charge(tiers: readonly Tier[], used: bigint, free: bigint): Charge {
  let { amount, charged, atFallbackPrice, unpriced } = noCharge;
  for (const tier of tiers) {
    const units = unitsIn(tier, used, free);
    if (tier.price === null) {
      unpriced += units;
    } else {
      amount += units * tier.price;
      charged += units;
      if (tier.isFallback) atFallbackPrice += units;
    }
  }
  return { amount, charged, atFallbackPrice, unpriced };
}

/** The units of a tier that a price applies to. */
export function unitsIn({ from, to }: Tier, used: bigint, free: bigint): bigint {
  return max(0n, (to === null ? used : min(used, to)) - max(from, free));
}

export function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

export function max(a: bigint, b: bigint): bigint {
  return a < b ? b : a;
}

/**
 * Charges a counter step by step through a month. A step costs charge(after, free) − charge(before,
 * free).
 */
export class MonthMeter {
  readonly #tiers: readonly Tier[];
  #used = 0n;
  #charged = noCharge;

  constructor(tiers: readonly Tier[]) {
    this.#tiers = tiers;
  }

  get used(): bigint {
    return this.#used;
  }

  /** Adds usage, which the next `chargeAdded` charges. */
  add(units: bigint): void {
    this.#used += units;
  }

  /** Charges the usage added since the last call. The free amount can change within a month. */
  chargeAdded(free: bigint): Charge {
    const before = this.#charged;
    this.#charged = charge(this.#tiers, this.#used, free);
    return difference(this.#charged, before);
  }
}

function difference(after: Charge, before: Charge): Charge {
  return {
    amount: after.amount - before.amount,
    charged: after.charged - before.charged,
    atFallbackPrice: after.atFallbackPrice - before.atFallbackPrice,
    unpriced: after.unpriced - before.unpriced,
  };
}
