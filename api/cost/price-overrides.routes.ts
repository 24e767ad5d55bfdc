import { randomUUID } from 'node:crypto';
import { isDuplicateKey } from '../../shared/connections/mongo.ts';
import { summarizeOverride } from '../../shared/cost/own-prices.ts';
import { overridesId, type PriceOverrides } from '../../shared/cost/price-overrides.model.ts';
import type { RouteDeps } from '../app-deps.ts';
import { actorOf, addAuditJob, changeWithIntent } from '../audit/audit-trail.ts';
import { adminAccess } from '../http/access/access-rules.ts';
import { userOf } from '../http/access/caller.ts';
import type { Caller } from '../http/context.ts';
import { entityTag } from '../http/entity-tag.ts';
import { empty, json, reply } from '../http/response.ts';
import { defineRoute, type Route, type RouteSettings } from '../http/route.ts';
import { priceBookTag } from './price-books.routes.ts';
import {
  checkOverrides,
  type NewOverride,
  overridesInput,
  overridesResponse,
  presentOverride,
} from './price-overrides.schema.ts';

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
