import { presentVersion } from '../../shared/cost/priced-usage.ts';
import { openAccess } from '../http/access/access-rules.ts';
import { json, reply } from '../http/response.ts';
import { defineRoute, type Route, type RouteTag } from '../http/route.ts';
import { modelListResponse, presentModel, presentRegion, regionListResponse } from './price-book.presenter.ts';

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
