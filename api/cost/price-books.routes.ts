import { presentVersion } from '../../shared/cost/present-cost.ts';
import type { PriceBookVersion } from '../../shared/cost/price-book-version.model.ts';
import { readPriceBook, type StoredPriceBook } from '../../shared/cost/price-books.ts';
import { unknownVersion } from '../../shared/cost/unknown-name.ts';
import { AppError, validationError } from '../../shared/errors.ts';
import type { RouteDeps } from '../app-deps.ts';
import { openAccess } from '../http/access/access-rules.ts';
import { contentTag } from '../http/entity-tag.ts';
import { Joi } from '../http/joi.ts';
import { type PageQuery, pageFields } from '../http/paging.ts';
import { json, reply } from '../http/response.ts';
import { defineRoute, type Route, type RouteSettings, type RouteTag } from '../http/route.ts';
import { priceBookVersion } from '../scenarios/assumptions.schema.ts';
import {
  modelListResponse,
  presentDiff,
  presentModel,
  presentPriceBook,
  presentRegion,
  priceBookDiffResponse,
  priceBookListResponse,
  priceBookResponse,
  regionListResponse,
} from './price-books.schema.ts';

const priceBookPath = Joi.object<{ version: string }>({ version: priceBookVersion().required() });

const diffQuery = Joi.object<{ to: string }>({
  to: priceBookVersion().required().description('The version whose prices are the new ones.'),
});

const path = '/api/v1/price-books';
const errors = { NOT_FOUND: 'There is no such version.' };

export const priceBookTag: RouteTag = {
  name: 'price-book',
  description: 'The versions of the price book, and the regions and models that scenarios can name.',
};

/**
 * `/api/v1/regions`, `/api/v1/models`: what the newest version of the price book has;
 * `/api/v1/price-books`: the versions, and their differences.
 */
export function priceBooksRoutes({ config }: RouteSettings): Route[] {
  const base = { method: 'GET', tag: priceBookTag, access: openAccess('scenarios:read', 'service') } as const;
  return [
    defineRoute({
      ...base,
      path: '/api/v1/regions',
      operationId: 'listRegions',
      summary: 'List the regions of the price book',
      compressed: 'each',
      responses: { 200: json(regionListResponse) },
      handle: async (_request, { priceBooks: { newest } }) => {
        const items = newest.regions.map((region) => presentRegion(region, newest));
        return reply(200, { price_book: presentVersion(newest), items, total: items.length });
      },
    }),
    defineRoute({
      ...base,
      path: '/api/v1/models',
      operationId: 'listModels',
      summary: 'List the models of the price book',
      compressed: 'each',
      responses: { 200: json(modelListResponse) },
      handle: async (_request, { priceBooks: { newest } }) => {
        const items = newest.models.map(presentModel);
        return reply(200, { price_book: presentVersion(newest), items, total: items.length });
      },
    }),
    defineRoute({
      ...base,
      path,
      operationId: 'listPriceBooks',
      summary: 'List the versions of the price book, the newest first',
      query: Joi.object<PageQuery>(pageFields(config.pageSize)),
      responses: { 200: json(priceBookListResponse) },
      handle: async ({ query: { page, page_size: size } }, { models: { priceBookVersion } }) => {
        const [versions, total] = await Promise.all([
          priceBookVersion
            .find({}, { content: 0 })
            .sort({ sequence: -1 })
            .skip((page - 1) * size)
            .limit(size)
            .lean<Omit<PriceBookVersion, 'content'>[]>(),
          priceBookVersion.countDocuments(),
        ]);
        const items = versions.map(({ _id, asOf, source, createdAt, regions, models }) => ({
          version: _id,
          as_of: asOf,
          source,
          created_at: createdAt.toISOString(),
          regions: regions.length,
          models: models.length,
        }));
        return reply(200, { items, total, page, page_size: size });
      },
    }),
    defineRoute({
      ...base,
      path: `${path}/{version}`,
      operationId: 'getPriceBook',
      summary: 'Read a version of the price book: each price with its source and date',
      params: priceBookPath,
      compressed: 'each',
      responses: { 200: json(priceBookResponse, { headers: ['ETag'] }) },
      errors,
      handle: async ({ params: { version } }, deps) => {
        const book = await requireStored(version, deps);
        return reply(200, presentPriceBook(book), { ETag: contentTag([version]) });
      },
    }),
    defineRoute({
      ...base,
      path: `${path}/{version}/diff`,
      operationId: 'comparePriceBooks',
      summary: 'Compare two versions of the price book, price by price',
      params: priceBookPath,
      query: diffQuery,
      compressed: 'each',
      responses: { 200: json(priceBookDiffResponse, { headers: ['ETag'] }) },
      errors,
      handle: async ({ params: { version }, query: { to } }, deps) => {
        const older = await requireStored(version, deps);
        const newer = await readPriceBook(deps.models, to);
        if (!newer) throw validationError([{ field: 'to', error: unknownVersion(to) }]);
        return reply(200, presentDiff(older, newer), { ETag: contentTag([version, to]) });
      },
    }),
  ];
}

async function requireStored(version: string, { models }: Pick<RouteDeps, 'models'>): Promise<StoredPriceBook> {
  const found = await readPriceBook(models, version);
  if (!found) throw new AppError('NOT_FOUND', `Version ${version} of the price book does not exist.`);
  return found;
}
