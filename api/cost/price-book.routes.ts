import { type Static, Type } from 'typebox';
import { presentVersion } from '../../shared/cost/present-cost.ts';
import type { Model, PriceBook, Region } from '../../shared/cost/price-book.ts';
import { queueTypes } from '../../shared/scenarios/assumptions.ts';
import { openAccess } from '../http/access/access-rules.ts';
import { json, reply } from '../http/response.ts';
import { count } from '../http/response-types.ts';
import { defineRoute, type Route, type RouteTag } from '../http/route.ts';
import { usedPriceBook } from './metrics.responses.ts';

const region = Type.Object({
  code: Type.String(),
  name: Type.String(),
  partition: Type.String(),
  queue_types: Type.Array(Type.String(), { description: 'The queue types with a price of this region.' }),
});

const tokens = (description: string) => Type.Optional(Type.Integer({ minimum: 1, description }));

const modelResponse = Type.Object({
  id: Type.String(),
  name: Type.String(),
  provider: Type.String(),
  kind: Type.String(),
  status: Type.String(),
  as_of: Type.String(),
  estimated_tokens: Type.Boolean({ description: 'Whether tokens that are counted from a message are an estimate.' }),
  context_window: tokens('The tokens that a call can hold, input and output together. Absent if they are not known.'),
  long_context_above: tokens(
    'Calls with more input tokens have the long prices. Absent if the price does not depend on the size of a call.',
  ),
  priced_in: Type.Array(Type.String(), {
    description: 'Region codes; `geo` is the price of all commercial regions without a price of their own.',
  }),
});

export const regionListResponse = Type.Object(
  { price_book: usedPriceBook, items: Type.Array(region), total: count() },
  { $id: 'RegionList' },
);
export const modelListResponse = Type.Object(
  { price_book: usedPriceBook, items: Type.Array(modelResponse), total: count() },
  { $id: 'ModelList' },
);

function presentRegion({ code, name, partition }: Region, { tiers }: PriceBook): Static<typeof region> {
  return {
    code,
    name,
    partition,
    queue_types: queueTypes.filter(
      (item) => tiers({ service: 'queue', scope: code, item, kind: 'request' }).length > 0,
    ),
  };
}

function presentModel(model: Model): Static<typeof modelResponse> {
  const { id, name, provider, kind, status, as_of, tokenizer, context_window, long_context_above, prices } = model;
  return {
    id,
    name,
    provider,
    kind,
    status,
    as_of,
    estimated_tokens: !tokenizer.exact,
    ...(context_window !== undefined && { context_window }),
    ...(long_context_above !== undefined && { long_context_above }),
    // The global profile is not used.
    priced_in: Object.keys(prices).filter((key) => key !== 'global'),
  };
}

export const priceBookTag: RouteTag = {
  name: 'price-book',
  description: 'The versions of the price book, and the regions and models that scenarios can name.',
};

/** `/api/v1/regions` and `/api/v1/models`: what the newest version of the price book has. */
export function priceBookRoutes(): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/v1/regions',
      operationId: 'listRegions',
      tag: priceBookTag,
      summary: 'List the regions of the price book',
      access: openAccess('scenarios:read', 'service'),
      compressed: 'each',
      responses: { 200: json(regionListResponse) },
      handle: async (_request, { priceBooks: { newest } }) => {
        const items = newest.regions.map((region) => presentRegion(region, newest));
        return reply(200, { price_book: presentVersion(newest), items, total: items.length });
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/v1/models',
      operationId: 'listModels',
      tag: priceBookTag,
      summary: 'List the models of the price book',
      access: openAccess('scenarios:read', 'service'),
      compressed: 'each',
      responses: { 200: json(modelListResponse) },
      handle: async (_request, { priceBooks: { newest } }) => {
        const items = newest.models.map(presentModel);
        return reply(200, { price_book: presentVersion(newest), items, total: items.length });
      },
    }),
  ];
}
