import type { Model } from 'mongoose';
import { createSchema, type ModelSource } from '../connections/collection.ts';
import type { PricePoint, SourceKind } from './price-sources/price-point.ts';

/** The prices of a second source that disputed those of the book when it was last applied. */
export interface PriceDisputes {
  _id: SourceKind;
  comparedAt: Date;
  prices: DisputedPrice[];
}

/** A price for inference. It has no tiers. */
type DisputedPrice = Pick<
  PricePoint,
  'scope' | 'item' | 'kind' | 'amount' | 'effectiveDate' | 'evidenceDate' | 'where' | 'regionPrefix'
>;

const schema = createSchema<PriceDisputes>(
  {
    _id: { type: String, required: true },
    comparedAt: { type: Date, required: true },
    prices: { type: [Object], required: true } as never,
  },
  { collection: 'price_disputes', strict: 'throw' },
);

export function createPriceDisputesModel(connection: ModelSource): Model<PriceDisputes> {
  return connection.model<PriceDisputes>('PriceDisputes', schema);
}
