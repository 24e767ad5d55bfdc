// Price tiers. They apply to the monthly total of a counter, not to single entries.
import type { Money } from './money.ts';
import type { PricedTier } from './price-book.ts';

/** The units above the previous tier, up to and including `to`. */
export interface Tier {
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
const unknownPrice: Tier = { to: null, price: null, isFallback: false };

/**
 * Combines the known tiers, higher tiers of the fallback Region and, if the last tier is limited,
 * an unpriced tier.
 */
export function tiersOf(known: readonly PricedTier[], fallbacks: readonly PricedTier[] = []): Tier[] {
  const tiers: Tier[] = known.map(({ to, price }) => ({ to, price, isFallback: false }));
  for (const { to, price } of fallbacks) {
    const top = tiers.at(-1);
    if (top === undefined || (top.to !== null && (to === null || to > top.to))) {
      tiers.push({ to, price, isFallback: true });
    }
  }
  if (tiers.at(-1)?.to !== null) tiers.push(unknownPrice);
  return tiers;
}

/**
 * Charges a month's usage: Σ over tiers max(0, min(used, to) − max(from, free)) × price. The free
 * units are the first units of the month, and count towards the limits of the tiers.
 */
export function charge(tiers: readonly Tier[], used: bigint, free: bigint): Charge {
  if (used <= free) return noCharge;
  let { amount, charged, atFallbackPrice, unpriced } = noCharge;
  let from = free;
  for (const tier of tiers) {
    const to = tier.to === null || used < tier.to ? used : tier.to;
    if (to > from) {
      const units = to - from;
      if (tier.price === null) {
        unpriced += units;
      } else {
        amount += units * tier.price;
        charged += units;
        if (tier.isFallback) atFallbackPrice += units;
      }
      from = to;
    }
    if (to === used) break;
  }
  return { amount, charged, atFallbackPrice, unpriced };
}

/** The units of one tier that a price applies to. */
interface TierUnits {
  /** The lower limit of the tier. */
  from: bigint;
  tier: Tier;
  units: bigint;
}

/**
 * The units that `charge` charges, tier by tier; tiers without units are included up to the last
 * one with units.
 */
export function splitByTier(tiers: readonly Tier[], used: bigint, free: bigint): TierUnits[] {
  const parts: TierUnits[] = [];
  let from = 0n;
  for (const tier of tiers) {
    if (from >= used) break;
    const to = tier.to === null || used < tier.to ? used : tier.to;
    const first = from > free ? from : free;
    parts.push({ from, tier, units: to > first ? to - first : 0n });
    from = tier.to ?? used;
  }
  return parts;
}

/**
 * Charges a counter step by step through a month. A step costs charge(after, free) − charge(before,
 * free).
 */
export class MonthMeter {
  readonly #tiers: readonly Tier[];
  #used = 0n;
  #usedBefore = 0n;
  #freeBefore = 0n;

  constructor(tiers: readonly Tier[]) {
    this.#tiers = tiers;
  }

  get used(): bigint {
    return this.#used;
  }

  startMonth(): void {
    this.#used = 0n;
    this.#usedBefore = 0n;
  }

  /** Adds usage, which the next `chargeAdded` charges. */
  add(units: bigint): void {
    this.#used += units;
  }

  /**
   * Charges the usage added since the last call. Within a month, the free amount can shrink, but
   * must not grow.
   */
  chargeAdded(free: bigint): Charge {
    const [used, usedBefore, freeBefore] = [this.#used, this.#usedBefore, this.#freeBefore];
    this.#usedBefore = used;
    this.#freeBefore = free;
    if (free !== freeBefore && usedBefore > 0n) {
      return difference(charge(this.#tiers, used, free), charge(this.#tiers, usedBefore, freeBefore));
    }
    // With an unchanged free amount, the difference is the charge of the added units.
    return used === usedBefore ? noCharge : charge(this.#tiers, used, usedBefore > free ? usedBefore : free);
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
