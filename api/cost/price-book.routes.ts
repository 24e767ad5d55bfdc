import { openAccess } from '../http/access/access-rules.ts';
import { json, reply } from '../http/response.ts';
import { defineRoute, type Route, type RouteSettings, type RouteTag } from '../http/route.ts';
import { modelListResponse, presentModel, presentRegion, regionListResponse } from './price-book.presenter.ts';

const tag: RouteTag = { name: 'price-book', description: 'The regions and models that scenarios can name.' };

/** `/api/v1/regions` and `/api/v1/models`: what the price book has. */
export function priceBookRoutes({ priceBook }: RouteSettings): Route[] {
  const regions = priceBook.regions.map((region) => presentRegion(region, priceBook));
  const models = priceBook.models.map(presentModel);
  const book = { version: priceBook.version, as_of: priceBook.asOf };
  return [
    defineRoute({
      method: 'GET',
      path: '/api/v1/regions',
      operationId: 'listRegions',
      tag,
      summary: 'List the regions of the price book',
      access: openAccess('scenarios:read', 'service'),
      compressed: 'each',
      responses: { 200: json(regionListResponse) },
      handle: async () => reply(200, { price_book: book, items: regions, total: regions.length }),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/v1/models',
      operationId: 'listModels',
      tag,
      summary: 'List the models of the price book',
      access: openAccess('scenarios:read', 'service'),
      compressed: 'each',
      responses: { 200: json(modelListResponse) },
      handle: async () => reply(200, { price_book: book, items: models, total: models.length }),
    }),
  ];
}
