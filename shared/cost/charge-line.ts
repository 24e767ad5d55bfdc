import type { Money } from './money.ts';
import type { PriceOrigin } from './price-book.ts';
import type { PriceOverride } from './price-overrides.model.ts';

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

export interface ChargeLine {
  service: 'queue' | 'function' | 'inference';
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
  /** Whether the units are estimated. */
  isEstimated: boolean;
  /** Where the price comes from: a Region, or `geo`; null if it is unknown, or an own price. */
  origin: (PriceOrigin & { region: string }) | null;
  /**
   * The own price or discount of the installation. With a list price, it is a line of its own: its
   * price is what it adds to the list price.
   */
  override?: PriceOverride;
}
