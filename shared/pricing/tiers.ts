// Tiers apply to a month's total of a counter, never entry by entry.
import type { Money } from './money.ts';
import type { PricedTier } from './price-book.ts';

/** The units above the tier before, up to and including `to`, with what is known about their price. */
export interface Tier {
  /** Null: no limit. */
  to: bigint | null;
  /** Per unit; null where the price is not known. */
  price: Money | null;
  /** Whether another Region's price stands in. */
  standIn: boolean;
}

/** What a number of units costs, and how much of it is known. */
export interface Charge {
  amount: Money;
  /** Units that a price was applied to; free units are not among them. */
  charged: bigint;
  /** Of these, the units at another Region's price. */
  standIn: bigint;
  /** Units without a price. */
  unpriced: bigint;
}

const nothing: Charge = { amount: 0n, charged: 0n, standIn: 0n, unpriced: 0n };
const priceUnknown: Tier = { to: null, price: null, standIn: false };

/** Tiers whose own price is known, closed by a tier without price where they leave the top open. */
export function tiersOf(known: readonly PricedTier[], standIns: readonly PricedTier[] = []): Tier[] {
  const tiers: Tier[] = known.map(({ to, price }) => ({ to, price, standIn: false }));
  for (const { to, price } of standIns) {
    const top = tiers.at(-1);
    if (top === undefined || (top.to !== null && (to === null || to > top.to))) {
      tiers.push({ to, price, standIn: true });
    }
  }
  if (tiers.at(-1)?.to !== null) tiers.push(priceUnknown);
  return tiers;
}

/**
 * Charges a month's usage from its first unit: Σ over tiers max(0, min(used, to) − max(from, free)) × price. Free
 * units lie at the bottom of the scale, so they count towards the tier limits.
 */
export function charge(tiers: readonly Tier[], used: bigint, free: bigint): Charge {
  if (used <= free) return nothing;
  let { amount, charged, standIn, unpriced } = nothing;
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
        if (tier.standIn) standIn += units;
      }
      from = to;
    }
    if (to === used) break;
  }
  return { amount, charged, standIn, unpriced };
}

/** One counter on its way through a month: what each step adds is charge(after, free) − charge(before, free). */
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

  /** Takes more usage; `step` then charges it. */
  use(units: bigint): void {
    this.#used += units;
  }

  /** What has come up since the last step. The free amount may shrink within a month, never grow. */
  step(free: bigint): Charge {
    const [used, usedBefore, freeBefore] = [this.#used, this.#usedBefore, this.#freeBefore];
    this.#usedBefore = used;
    this.#freeBefore = free;
    if (free !== freeBefore && usedBefore > 0n) {
      return difference(charge(this.#tiers, used, free), charge(this.#tiers, usedBefore, freeBefore));
    }
    // With the free amount unchanged, the difference is the charge of the units in between.
    return used === usedBefore ? nothing : charge(this.#tiers, used, usedBefore > free ? usedBefore : free);
  }
}

function difference(after: Charge, before: Charge): Charge {
  return {
    amount: after.amount - before.amount,
    charged: after.charged - before.charged,
    standIn: after.standIn - before.standIn,
    unpriced: after.unpriced - before.unpriced,
  };
}
