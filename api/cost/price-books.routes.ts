import { type Static, type TObject, Type } from 'typebox';
import { bookLines, compareBooks, evidenceOf } from '../../shared/cost/book-lines.ts';
import { presentVersion } from '../../shared/cost/present-cost.ts';
import type { Model, PriceBook, Region } from '../../shared/cost/price-book.ts';
import { secondSource } from '../../shared/cost/price-book-file.ts';
import type { PriceBookVersion } from '../../shared/cost/price-books.model.ts';
import { readPriceBook, type StoredPriceBook } from '../../shared/cost/price-books.ts';
import { bookUnit, inferenceKinds, type PriceLineId, services } from '../../shared/cost/price-line.ts';
import { unknownVersion } from '../../shared/cost/unknown-name.ts';
import { AppError, validationError } from '../../shared/errors.ts';
import { queueTypes } from '../../shared/scenarios/assumptions.ts';
import type { RouteDeps } from '../app-deps.ts';
import { openAccess } from '../http/access/access-rules.ts';
import { contentTag } from '../http/entity-tag.ts';
import { Joi } from '../http/input.ts';
import { type PageQuery, pageFields } from '../http/paging.ts';
import { json, reply } from '../http/response.ts';
import { count, described, named, nullable, oneOf, pageOf, present, timestamp } from '../http/response-types.ts';
import { defineRoute, type Route, type RouteSettings, type RouteTag } from '../http/route.ts';
import { priceBookVersion } from '../scenarios/assumptions.schema.ts';
import { usedPriceBook } from './metrics.schema.ts';

const regionFields = { code: Type.String(), name: Type.String(), partition: Type.String() };
const region = Type.Object({
  ...regionFields,
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

const listOf = <Item extends TObject>($id: string, item: Item) =>
  named($id, { price_book: usedPriceBook, items: Type.Array(item), total: count() });
export const regionListResponse = listOf('RegionList', region);
export const modelListResponse = listOf('ModelList', modelResponse);

const summary = Type.Object({
  version: Type.String({ description: 'The day of the newest evidence, and a digest of the content.' }),
  as_of: Type.String(),
  source: Type.String({
    description: '`code` for a price book that came with the service, else the kind of the applied source.',
  }),
  created_at: timestamp(),
});

const listedPriceBook = described('Versions are never changed or removed.', {
  ...summary.properties,
  regions: count(),
  models: count(),
});
const priceBookListResponse = pageOf(listedPriceBook, { $id: 'PriceBookList' });

/** A decimal number as it is in the book. */
const amount = () => Type.String({ pattern: '^\\d+(\\.\\d+)?$' });
const unitCount = () => Type.String({ pattern: '^\\d+$' });

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
  tiers: Type.Array(Type.Object({ from: unitCount(), to: nullable(unitCount()), price: amount() }), {
    description: 'In USD per unit, for the requests, GB-seconds or tokens of a month above `from`, up to `to`.',
  }),
  complete: Type.Boolean({ description: 'Whether the price above the last tier is known.' }),
  effective_from: nullable(Type.String(), { description: 'Null if the source does not tell it.' }),
  as_of: Type.String({ description: 'The date of the newest evidence.' }),
  sources: Type.Array(Type.String(), { description: 'Ids of `sources`.' }),
  status: oneOf(['ok', 'estimated']),
});

const codes = Type.Array(Type.String());
const sourceFields = { title: Type.String(), publisher: Type.String(), version: Type.String() };

const priceBookResponse = named('PriceBook', {
  ...summary.properties,
  currency: Type.Unsafe<string>({ type: 'string', const: 'USD' }),
  regions: Type.Array(Type.Object(regionFields)),
  models: Type.Array(
    Type.Object({ id: Type.String(), name: Type.String(), provider: Type.String(), status: Type.String() }),
  ),
  sources: Type.Array(Type.Object({ id: Type.String(), ...sourceFields })),
  unverified: described('Regions without a price of their own.', { queue: codes, function: codes }),
  prices: Type.Array(shownPrice, {
    description: 'A price is `estimated` if only a second source has its model.',
  }),
});
const priceChange = Type.Object({
  type: oneOf(['change', 'addition', 'removal']),
  ...price,
  tier: Type.Object({ from: unitCount(), to: nullable(unitCount()) }),
  old: nullable(amount()),
  new: nullable(amount()),
  percent: nullable(Type.String({ pattern: '^[+-]\\d+\\.\\d\\d$' }), {
    description: 'The change in per cent of the old price.',
  }),
  as_of: nullable(Type.String(), { description: 'The date of the evidence of the new price.' }),
  sources: Type.Array(Type.Object(sourceFields), { description: 'The sources of the new price.' }),
});

const versionName = Type.Object({ version: Type.String(), as_of: Type.String() });

const priceBookDiffResponse = named('PriceBookDiff', {
  from: versionName,
  to: versionName,
  items: Type.Array(priceChange),
  total: count(),
});

function presentRegion(own: Region, { tiers }: PriceBook): Static<typeof region> {
  const hasPrice = (item: string) => tiers({ service: 'queue', scope: own.code, item, kind: 'request' }).length > 0;
  return { ...own, queue_types: queueTypes.filter(hasPrice) };
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

function presentPriceBook({ stored, file }: StoredPriceBook): Static<typeof priceBookResponse> {
  const { models } = file.inference;
  const without = (prices: object) =>
    file.regions.map(({ code }) => code).filter((code) => !Object.hasOwn(prices, code));
  const secondSources = new Set(models.filter(({ status }) => status === secondSource).map(({ id }) => id));
  return {
    ...present(summary, stored, { version: stored._id }),
    currency: file.currency,
    regions: file.regions,
    models: models.map(({ id, name, provider, status }) => ({ id, name, provider, status })),
    sources: file.sources.map(({ id, title, publisher, version }) => ({ id, title, publisher, version })),
    unverified: { queue: without(file.queue.regions), function: without(file.function.regions) },
    prices: [...bookLines(file).values()].map((line) => {
      const { effective_from = null, as_of = '', sources = [] } = evidenceOf(file, line) ?? {};
      return {
        ...presentLine(line),
        tiers: line.steps.map(({ from, to, amount }) => ({ ...presentTier({ from, to }), price: amount })),
        complete: line.isComplete,
        effective_from,
        as_of,
        sources,
        status: secondSources.has(line.item) ? 'estimated' : 'ok',
      };
    }),
  };
}

function presentDiff(older: StoredPriceBook, newer: StoredPriceBook): Static<typeof priceBookDiffResponse> {
  const name = ({ stored, file }: StoredPriceBook) => ({ version: stored._id, as_of: file.as_of });
  const sources = new Map(
    newer.file.sources.map(({ id, title, publisher, version }) => [id, { title, publisher, version }]),
  );
  const items = compareBooks(older.file, newer.file).map((change) => {
    const evidence = change.new === null ? undefined : evidenceOf(newer.file, change);
    return {
      type: change.type,
      ...presentLine(change),
      tier: presentTier(change),
      old: change.old,
      new: change.new,
      percent: change.percent,
      as_of: evidence?.as_of ?? null,
      sources: (evidence?.sources ?? []).flatMap((id) => sources.get(id) ?? []),
    };
  });
  return { from: name(older), to: name(newer), items, total: items.length };
}

function presentLine({ service, scope, item, kind }: PriceLineId) {
  return { service, region: scope, item, kind, unit: bookUnit({ kind }).name };
}

const presentTier = ({ from, to }: { from: bigint; to: bigint | null }) => ({
  from: String(from),
  to: to === null ? null : String(to),
});

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
        const items = versions.map((version) => {
          const { _id, regions, models } = version;
          return present(listedPriceBook, version, { version: _id, regions: regions.length, models: models.length });
        });
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
