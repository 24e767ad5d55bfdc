// The own prices and discounts of this installation, in place of the list prices.
import { type Money, parseDecimal } from './money.ts';
import type { PriceOverride } from './price-books.model.ts';
import { bookUnit, type PriceLineId, priceOfUnit } from './price-line.ts';

/**
 * The override of a list price. An own price comes before a discount, and that of a Region before
 * that of all.
 * @param scopes those of the own prices that apply, the preferred one first.
 */
export function findOverride(
  overrides: readonly PriceOverride[],
  line: PriceLineId,
  scopes: readonly string[],
): PriceOverride | undefined {
  const own = overrides.filter(
    ({ service, price }) => service === line.service && price?.item === line.item && price.kind === line.kind,
  );
  for (const scope of [...scopes, null]) {
    const found = own.find(({ price }) => price?.region === scope);
    if (found) return found;
  }
  return overrides.find(({ service, price }) => price === null && service === line.service);
}

const percentDecimals = 2;
const wholePercent = 10n ** BigInt(percentDecimals + 2);

/** A list price under a discount, or the own price in its place, per unit. */
export function overridePrice(list: Money | null, { price, discountPercent }: PriceOverride): Money | null {
  if (price) return priceOfUnit(price.amount, price);
  if (list === null || discountPercent === null) return list;
  return (list * (wholePercent - parseDecimal(discountPercent, percentDecimals))) / wholePercent;
}

/** One line for audit records and reports. */
export function summarizeOverride(override: Omit<PriceOverride, 'id' | 'setBy' | 'setAt'>): string {
  const { service, discountPercent, price } = override;
  if (!price) return `${service}: ${discountPercent} % discount`;
  const { item, kind, region, amount } = price;
  const name = [service, item, ...(service === 'inference' ? [kind] : []), region ?? 'all regions'].join(' ');
  return `${name}: ${amount} USD per ${bookUnit(price).name}`;
}

/** The rule of a line with an override. */
export function describeOverride({ discountPercent, price }: PriceOverride): string {
  if (!price) return `A discount of ${discountPercent} per cent on the list price.`;
  return `An own price of ${price.amount} USD per ${bookUnit(price).name}, less the list price if there is one.`;
}
