import { randomUUID } from 'node:crypto';
import type { CustomHelpers } from 'joi';
import { type Static, Type } from 'typebox';
import { isDuplicateKey } from '../../shared/connections/mongo.ts';
import { summarizeOverride } from '../../shared/cost/own-prices.ts';
import type { KnownNames } from '../../shared/cost/price-book.ts';
import { overridesId, type PriceOverride, type PriceOverrides } from '../../shared/cost/price-books.model.ts';
import { bookUnit, inferenceKinds, type PriceLineId, services } from '../../shared/cost/price-line.ts';
import { unknownModel, unknownRegion } from '../../shared/cost/unknown-name.ts';
import { type FieldError, validationError } from '../../shared/errors.ts';
import { mustBeOneOf } from '../../shared/quoted.ts';
import { architectures, queueTypes } from '../../shared/scenarios/assumptions.ts';
import type { RouteDeps } from '../app-deps.ts';
import { actorOf, addAuditJob, changeWithIntent } from '../audit/audit-trail.ts';
import { adminAccess } from '../http/access/access-rules.ts';
import { userOf } from '../http/access/caller.ts';
import type { Caller } from '../http/context.ts';
import { entityTag } from '../http/entity-tag.ts';
import { Joi } from '../http/input.ts';
import { empty, json, reply } from '../http/response.ts';
import { named, nullable, oneOf, present, timestamp, uuid } from '../http/response-types.ts';
import { defineRoute, type Route, type RouteSettings } from '../http/route.ts';
import { priceBookTag } from './price-books.routes.ts';

interface OverrideInput {
  service: PriceLineId['service'];
  discount_percent?: string;
  item?: string;
  kind?: PriceLineId['kind'];
  region?: string | null;
  price?: string;
  note: string;
}

const maxOverrides = 100;

const discount = Joi.string()
  .custom((text: string, helpers: CustomHelpers) => {
    const isValid = /^\d{1,3}(\.\d{1,2})?$/.test(text) && Number(text) > 0 && Number(text) <= 100;
    return isValid ? text : helpers.error('discount.form');
  })
  .messages({
    'discount.form': 'must be decimal text above 0, up to 100, with at most 2 decimals, such as "12.5"',
  });

const price = Joi.string()
  .pattern(/^\d{1,12}(\.\d{1,24})?$/)
  .messages({ 'string.pattern.base': 'must be a decimal number as text, such as "0.35"' });

const override = Joi.object<OverrideInput>({
  service: Joi.string()
    .valid(...services)
    .required(),
  discount_percent: discount.description('A discount on all list prices of the service.'),
  item: Joi.string().max(200).description('`standard` or `fifo`; `requests`, `x86_64` or `arm64`; the id of a model.'),
  kind: Joi.string()
    .valid(...inferenceKinds)
    .description('The kind of an inference price.'),
  region: Joi.string()
    .max(100)
    .allow(null)
    .description('A region code, `geo` or `global`. Default: wherever the item is priced.'),
  price: price.description('In USD: per million requests or invocations, per GB-second, per thousand tokens.'),
  note: Joi.string()
    .allow('')
    .max(500)
    .default('')
    .description('A note, such as the contract that the price comes from.'),
});

const overridesInput = Joi.object<{ overrides: OverrideInput[] }>({
  overrides: Joi.array().items(override).max(maxOverrides).required(),
});

type NewOverride = Omit<PriceOverride, 'id' | 'setBy' | 'setAt'>;

/** @throws AppError VALIDATION_ERROR that lists every override that cannot be applied. */
function checkOverrides(inputs: readonly OverrideInput[], names: KnownNames): NewOverride[] {
  const errors: FieldError[] = [];
  const overrides = inputs.map((input, at) => {
    for (const [field, error] of errorsOf(input, names)) errors.push({ field: `overrides[${at}].${field}`, error });
    return toOverride(input);
  });
  for (const [at, override] of overrides.entries()) {
    const earlier = overrides.slice(0, at).findIndex((other) => priceOf(other) === priceOf(override));
    if (earlier === -1) continue;
    errors.push({ field: `overrides[${at}]`, error: `is for the same price as overrides[${earlier}]` });
  }
  if (errors.length > 0) throw validationError(errors);
  return overrides;
}

function* errorsOf(input: OverrideInput, names: KnownNames): Generator<readonly [keyof OverrideInput, string]> {
  const { service, discount_percent: discount, item, kind, region, price } = input;
  if (discount !== undefined) {
    for (const field of ['item', 'kind', 'region', 'price'] as const) {
      if (input[field] !== undefined) yield [field, 'must be absent with discount_percent'];
    }
    return;
  }
  if (price === undefined) {
    yield ['price', 'is required without discount_percent'];
    return;
  }
  const ofInference = service === 'inference';
  const items: readonly string[] = service === 'queue' ? queueTypes : ['requests', ...architectures];
  const isItem = ofInference ? names.modelIds.has(item ?? '') : items.includes(item ?? '');
  if (item === undefined) yield ['item', 'is required with price'];
  else if (!isItem) yield ['item', ofInference ? unknownModel(item, names) : mustBeOneOf(items, item)];
  if (ofInference !== (kind !== undefined)) yield ['kind', ofInference ? 'is required' : 'must be absent'];
  const isScope = ofInference && (region === 'geo' || region === 'global');
  if (region && !isScope && !names.regionCodes.has(region)) yield ['region', unknownRegion(region, names)];
  const { maxDecimals } = bookUnit({ kind: kindOf(input) });
  const decimals = price.split('.')[1]?.length ?? 0;
  if (decimals > maxDecimals) yield ['price', `must have at most ${maxDecimals} decimals`];
}

/** The kind of a price that is not one of inference follows from its item. */
function kindOf({ service, item, kind = 'input' }: OverrideInput): PriceLineId['kind'] {
  if (service === 'inference') return kind;
  return service === 'queue' || item === 'requests' ? 'request' : 'gb_second';
}

function toOverride(input: OverrideInput): NewOverride {
  const { service, discount_percent: discountPercent = null, item = '', region = null, price } = input;
  return {
    service,
    discountPercent,
    price: price === undefined ? null : { item, kind: kindOf(input), region, amount: price },
    note: input.note,
  };
}

/** The same text for overrides of the same price. */
const priceOf = ({ service, price }: NewOverride): string =>
  JSON.stringify([service, price && [price.item, price.kind, price.region]]);

export const overrideResponse = named('PriceOverride', {
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
});

const overridesResponse = named('PriceOverrides', { overrides: Type.Array(overrideResponse) });

export function presentOverride(override: PriceOverride): Static<typeof overrideResponse> {
  const { id, price: own } = override;
  const { item = null, kind = null, region = null, amount: price = null } = own ?? {};
  return present(overrideResponse, override, { id, item, kind, region, price, unit: own && bookUnit(own).name });
}

const path = '/api/v1/price-overrides';

/** `/api/v1/price-overrides`: the own prices and discounts of the installation. */
export function priceOverrideRoutes({ priceBooks }: RouteSettings): Route[] {
  const base = { path, tag: priceBookTag, access: adminAccess } as const;
  return [
    defineRoute({
      ...base,
      method: 'GET',
      operationId: 'getPriceOverrides',
      summary: 'Read the own prices and discounts of the installation',
      responses: { 200: json(overridesResponse, { headers: ['ETag'] }) },
      handle: async (_, { priceBooks }) => replyWith((await priceBooks.readOverrides()) ?? noOverrides),
    }),
    defineRoute({
      ...base,
      method: 'PUT',
      operationId: 'setPriceOverrides',
      summary: 'Replace the own prices and discounts of the installation',
      description:
        'They apply in every scenario and version of the price book. An own price comes before a discount, and a price of a region before one of all regions. The explanation shows the list price and the override as two lines. An override that does not change keeps its `set_by` and `set_at`.',
      body: {
        name: 'PriceOverridesInput',
        schema: overridesInput,
        example: {
          overrides: [
            { service: 'function', discount_percent: '12.5', note: 'Enterprise agreement' },
            { service: 'queue', item: 'standard', price: '0.35', note: '' },
          ],
        },
      },
      responses: { 200: json(overridesResponse, { headers: ['ETag'] }) },
      handle: async (request, deps) => {
        const wanted = checkOverrides(request.body.overrides, priceBooks);
        return replyWith(await changeOverrides(wanted, request, deps));
      },
    }),
    defineRoute({
      ...base,
      method: 'DELETE',
      operationId: 'deletePriceOverrides',
      summary: 'Remove all own prices and discounts',
      responses: { 204: empty() },
      handle: async (request, deps) => {
        await changeOverrides([], request, deps);
        return reply(204);
      },
    }),
  ];
}

const replyWith = ({ overrides, revision }: Omit<PriceOverrides, '_id'>) =>
  reply(200, { overrides: overrides.map(presentOverride) }, { ETag: entityTag(revision) });

/** Revision 0: none was ever set. */
const noOverrides: Omit<PriceOverrides, '_id'> = { overrides: [], revision: 0 };

async function changeOverrides(
  wanted: readonly NewOverride[],
  { caller, requestId }: { caller: Caller; requestId: string },
  deps: RouteDeps,
) {
  const actor = actorOf(caller, requestId);
  const event = { actor, type: 'PRICE_OVERRIDES_UPDATED', before: {} } as const;
  const after = () => ({ overrides: wanted.map(summarizeOverride) });
  const changed = await changeWithIntent(deps, { ...event, after }, () =>
    replaceOverrides(deps, wanted, userOf(caller).id),
  );
  await deps.priceBooks.readOverrides();
  await addAuditJob(deps, requestId);
  return changed;
}

/**
 * Replaces all overrides, by one write. An override that does not change keeps its id, and who set
 * it. The last one of concurrent changes stays.
 */
async function replaceOverrides(
  { models: { priceOverrides }, priceBooks }: RouteDeps,
  wanted: readonly NewOverride[],
  setBy: string,
): Promise<Omit<PriceOverrides, '_id'>> {
  for (;;) {
    const stored = (await priceBooks.readOverrides()) ?? noOverrides;
    const known = new Map(stored.overrides.map((override) => [contentOf(override), override]));
    const setAt = new Date();
    const overrides = wanted.map(
      (override) => known.get(contentOf(override)) ?? { id: randomUUID(), ...override, setBy, setAt },
    );
    const revision = stored.revision + 1;
    const filter = { _id: overridesId, revision: stored.revision } as const;
    try {
      // Without the document, the filter matches nothing, and the upsert inserts it once.
      const { matchedCount, upsertedCount } = await priceOverrides.updateOne(
        filter,
        { $set: { overrides, revision } },
        { upsert: stored.revision === 0 },
      );
      if (matchedCount + upsertedCount > 0) return { overrides, revision };
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }
}

const contentOf = ({ service, discountPercent, price, note }: NewOverride): string =>
  JSON.stringify([service, discountPercent, price, note]);
