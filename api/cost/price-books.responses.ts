import { type Static, Type } from 'typebox';
import { services } from '../../shared/cost/price-changes/apply-changes.ts';
import { inferenceKinds } from '../../shared/cost/price-line.ts';
import { count, nullable, oneOf, pageOf, timestamp } from '../http/response-types.ts';

const summary = {
  version: Type.String({ description: 'The day of the newest evidence, and a digest of the content.' }),
  as_of: Type.String(),
  source: Type.String({
    description: '`code` for a price book that came with the service, else the kind of the applied source.',
  }),
  created_at: timestamp(),
};

const listedPriceBook = Type.Object(
  { ...summary, regions: count(), models: count() },
  { description: 'Versions are never changed or removed.' },
);
export const priceBookListResponse = pageOf(listedPriceBook, { $id: 'PriceBookList' });

/** A decimal number as it is in the book. */
const amount = () => Type.String({ pattern: '^\\d+(\\.\\d+)?$' });
const units = () => Type.String({ pattern: '^\\d+$' });

const price = {
  service: oneOf(services),
  region: Type.String({
    description: 'A region code; `geo`: all commercial regions without a price of their own; `global`.',
  }),
  item: Type.String({ description: 'The queue type; `requests` or the architecture; the id of the model.' }),
  kind: oneOf(['request', 'gb_second', ...inferenceKinds]),
  unit: oneOf(['million requests', 'GB-second', 'thousand tokens']),
};

const shownPrice = Type.Object({
  ...price,
  tiers: Type.Array(Type.Object({ from: units(), to: nullable(units()), price: amount() }), {
    description: 'In USD per unit, for the requests, GB-seconds or tokens of a month above `from`, up to `to`.',
  }),
  complete: Type.Boolean({ description: 'Whether the price above the last tier is known.' }),
  effective_from: nullable(Type.String(), { description: 'Null if the source does not tell it.' }),
  as_of: Type.String({ description: 'The date of the newest evidence.' }),
  sources: Type.Array(Type.String(), { description: 'Ids of `sources`.' }),
  status: oneOf(['ok', 'estimated']),
});
export type ShownPrice = Static<typeof shownPrice>;

const codes = Type.Array(Type.String());

export const priceBookResponse = Type.Object(
  {
    ...summary,
    currency: Type.Unsafe<string>({ type: 'string', const: 'USD' }),
    regions: Type.Array(Type.Object({ code: Type.String(), name: Type.String(), partition: Type.String() })),
    models: Type.Array(
      Type.Object({ id: Type.String(), name: Type.String(), provider: Type.String(), status: Type.String() }),
    ),
    sources: Type.Array(
      Type.Object({ id: Type.String(), title: Type.String(), publisher: Type.String(), version: Type.String() }),
    ),
    unverified: Type.Object(
      { queue: codes, function: codes },
      { description: 'Regions without a price of their own.' },
    ),
    prices: Type.Array(shownPrice, {
      description:
        'A price is `estimated` if only a second source has its model, or if it is stale: the standard price has changed without it.',
    }),
  },
  { $id: 'PriceBook' },
);
export type ShownPriceBook = Static<typeof priceBookResponse>;

const priceChange = Type.Object({
  type: oneOf(['change', 'addition', 'removal']),
  ...price,
  tier: Type.Object({ from: units(), to: nullable(units()) }),
  old: nullable(amount()),
  new: nullable(amount()),
  percent: nullable(Type.String({ pattern: '^[+-]\\d+\\.\\d\\d$' }), {
    description: 'The change in per cent of the old price.',
  }),
  as_of: nullable(Type.String(), { description: 'The date of the evidence of the new price.' }),
  sources: Type.Array(Type.Object({ title: Type.String(), publisher: Type.String(), version: Type.String() }), {
    description: 'The sources of the new price.',
  }),
});

const versionName = Type.Object({ version: Type.String(), as_of: Type.String() });

export const priceBookDiffResponse = Type.Object(
  { from: versionName, to: versionName, items: Type.Array(priceChange), total: count() },
  { $id: 'PriceBookDiff' },
);
export type PriceBookDiff = Static<typeof priceBookDiffResponse>;
