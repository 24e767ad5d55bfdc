import { type Static, Type } from 'typebox';
import { unitOf } from '../../shared/cost/override-texts.ts';
import { services } from '../../shared/cost/price-line.ts';
import type { PriceOverride } from '../../shared/cost/price-overrides.model.ts';
import { nullable, oneOf, timestamp, uuid } from '../http/response-types.ts';

export const overrideResponse = Type.Object(
  {
    id: uuid(),
    service: oneOf(services),
    discount_percent: nullable(Type.String(), { description: 'Null if it is a price.' }),
    item: nullable(Type.String(), { description: 'Null if it is a discount on the service.' }),
    kind: nullable(Type.String()),
    region: nullable(Type.String(), { description: 'Null: wherever the item is priced.' }),
    price: nullable(Type.String(), { description: 'In USD per `unit`.' }),
    unit: nullable(Type.String()),
    note: Type.String(),
    set_by: uuid(),
    set_at: timestamp(),
  },
  { $id: 'PriceOverride' },
);

export const overridesResponse = Type.Object({ overrides: Type.Array(overrideResponse) }, { $id: 'PriceOverrides' });

export function presentOverride(override: PriceOverride): Static<typeof overrideResponse> {
  const { id, service, discountPercent, price, note, setBy, setAt } = override;
  return {
    id,
    service,
    discount_percent: discountPercent,
    item: price?.item ?? null,
    kind: price?.kind ?? null,
    region: price?.region ?? null,
    price: price?.amount ?? null,
    unit: price && unitOf(price.kind),
    note,
    set_by: setBy,
    set_at: setAt.toISOString(),
  };
}
