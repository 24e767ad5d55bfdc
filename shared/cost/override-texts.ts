import type { PriceLineId } from './price-line.ts';
import type { PriceOverride } from './price-overrides.model.ts';

const units: Readonly<Partial<Record<PriceLineId['kind'], string>>> = {
  request: 'million requests',
  gb_second: 'GB-second',
};

/** The unit of an own price: that of the price book. */
export const unitOf = (kind: PriceLineId['kind']): string => units[kind] ?? 'thousand tokens';

/** One line for audit records and reports. */
export function summarizeOverride(override: Omit<PriceOverride, 'id' | 'setBy' | 'setAt'>): string {
  const { service, discountPercent, price } = override;
  if (!price) return `${service}: ${discountPercent} % discount`;
  const { item, kind, region, amount } = price;
  const name = [service, item, ...(service === 'inference' ? [kind] : []), region ?? 'all regions'].join(' ');
  return `${name}: ${amount} USD per ${unitOf(kind)}`;
}

/** The rule of a line with an override. */
export function describeOverride({ discountPercent, price }: PriceOverride): string {
  if (!price) return `A discount of ${discountPercent} per cent on the list price.`;
  return `An own price of ${price.amount} USD per ${unitOf(price.kind)}, less the list price if there is one.`;
}
