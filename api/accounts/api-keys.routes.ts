import { randomUUID } from 'node:crypto';
import { type ApiKey, generateApiKey, type NewApiKey } from '../../shared/accounts/api-key.model.ts';
import { deleteDocument } from '../../shared/connections/mongo.ts';
import { second } from '../../shared/durations.ts';
import { AppError } from '../../shared/errors.ts';
import type { RouteModels } from '../app-deps.ts';
import { accountAccess } from '../http/access/access-rules.ts';
import { hasScope, userOf } from '../http/access/caller.ts';
import { insertWithinLimit } from '../http/access/insert-within-limit.ts';
import type { Caller } from '../http/context.ts';
import { contentTag } from '../http/entity-tag.ts';
import { idPath } from '../http/input.ts';
import { readPage } from '../http/paging.ts';
import { empty, json, reply } from '../http/response.ts';
import { defineRoute, type Route, type RouteSettings } from '../http/route.ts';
import {
  type ApiKeyUpdate,
  apiKeyCreate,
  apiKeyListQuery,
  apiKeyListResponse,
  apiKeyResponse,
  apiKeyRotate,
  apiKeyUpdate,
  newApiKeyResponse,
  presentApiKey,
} from './api-keys.schema.ts';

const path = '/api/v1/api-keys';
/** A key cannot manage keys, because it could exceed its own scopes and expiry. */
const common = {
  tag: { name: 'api-keys', description: 'API keys of an account, for programs.' },
  access: accountAccess,
} as const;
/** Routes of one key. */
const one = { ...common, path: `${path}/{id}`, params: idPath } as const;
const unknownKey = { NOT_FOUND: 'The API key does not exist, or belongs to another account.' };
const beyondRole = { FORBIDDEN: 'Only an admin can give a key the scope `admin` or set the tier of a key.' };

/** Maximum number of unexpired keys of an account. */
const maxLiveKeys = 100;

export function apiKeyRoutes({ config }: RouteSettings): Route[] {
  return [
    defineRoute({
      ...common,
      method: 'POST',
      path,
      operationId: 'createApiKey',
      summary: 'Create an API key; only this response contains it',
      audit: { type: 'API_KEY_CREATED' },
      body: { schema: apiKeyCreate, example: { name: 'log shipper', scopes: ['ingest'] } },
      responses: { 201: json(newApiKeyResponse, { headers: ['Location', 'ETag', 'Cache-Control'] }) },
      errors: { ...beyondRole, CONFLICT: 'The account has the maximum number of API keys.' },
      handle: async ({ caller, body, operation }, { models }) => {
        const user = userOf(caller);
        requireGrantable(user, body);
        // The response with the key of an earlier attempt was lost.
        if (operation?.attemptedBefore) await models.apiKey.deleteOne({ _id: operation.id });
        const { key, prefix, hash } = generateApiKey();
        const now = new Date();
        const apiKey: ApiKey = {
          _id: operation?.id ?? randomUUID(),
          ownerId: user.id,
          name: body.name,
          scopes: body.scopes,
          tier: body.tier ?? 'free',
          secrets: [{ prefix, hash, expiresAt: null }],
          expiresAt: body.expires_at,
          lastUsedAt: null,
          revision: 1,
          createdAt: now,
          updatedAt: now,
        };
        await insertWithinLimit<ApiKey>(models.apiKey, apiKey, {
          owner: user.id,
          most: maxLiveKeys,
          counted: { ownerId: user.id, $or: [{ expiresAt: null }, { expiresAt: { $gt: now } }] },
          refuse: () => new AppError('CONFLICT', `An account has at most ${maxLiveKeys} API keys; revoke one first.`),
        });
        const { shown, headers } = presentNewKey(apiKey, key);
        return reply(201, shown, { ...headers, Location: `${path}/${apiKey._id}` });
      },
    }),
    defineRoute({
      ...common,
      method: 'GET',
      path,
      operationId: 'listApiKeys',
      summary: 'List API keys',
      query: apiKeyListQuery(config.pageSize),
      responses: { 200: json(apiKeyListResponse) },
      errors: { FORBIDDEN: 'Only an admin can list the keys of all accounts.' },
      handle: async ({ caller, query }, { models }) => {
        const { id, role } = userOf(caller);
        if (query.all && role !== 'admin')
          throw new AppError('FORBIDDEN', 'Only an admin can list the keys of all accounts.');
        const filter = query.all ? {} : { ownerId: id };
        const list = { filter, sort: { createdAt: -1, _id: -1 }, present: presentApiKey } as const;
        return reply(200, await readPage(models.apiKey, query, list));
      },
    }),
    defineRoute({
      ...one,
      method: 'GET',
      operationId: 'getApiKey',
      summary: 'Read an API key',
      responses: { 200: json(apiKeyResponse, { headers: ['ETag'] }) },
      errors: unknownKey,
      handle: async ({ caller, params }, { models }) => {
        const shown = presentApiKey(await findApiKey(models, userOf(caller), params.id));
        // A use of the key and the end of a grace period change the response, but not the revision.
        return reply(200, shown, { ETag: contentTag(shown) });
      },
    }),
    defineRoute({
      ...one,
      method: 'PATCH',
      operationId: 'updateApiKey',
      summary: 'Change the sent fields of an API key',
      audit: { type: 'API_KEY_UPDATED' },
      body: { schema: apiKeyUpdate, example: { name: 'log shipper of the shop' } },
      responses: { 200: json(apiKeyResponse, { headers: ['ETag'] }) },
      errors: { ...unknownKey, ...beyondRole, INVALID_STATE: 'The key has expired, so its expiry cannot be changed.' },
      handle: async ({ caller, params, body }, { models }) => {
        const shown = presentApiKey(await updateApiKey(models, userOf(caller), params.id, body));
        return reply(200, shown, { ETag: contentTag(shown) });
      },
    }),
    defineRoute({
      ...one,
      method: 'DELETE',
      operationId: 'deleteApiKey',
      summary: 'Revoke an API key',
      audit: { type: 'API_KEY_DELETED' },
      responses: { 204: empty() },
      errors: unknownKey,
      handle: async ({ caller, params: { id } }, { models }) => {
        if (!(await deleteDocument(models.apiKey, { _id: id, ...visibleTo(userOf(caller)) }))) throw notFound(id);
        return reply(204);
      },
    }),
    defineRoute({
      ...one,
      method: 'POST',
      path: `${path}/{id}/rotate`,
      operationId: 'rotateApiKey',
      summary: 'Replace an API key by a new one',
      description: 'The old key is valid for another `grace_seconds`.',
      audit: { type: 'API_KEY_UPDATED', action: 'rotate' },
      body: { schema: apiKeyRotate, optional: true, example: { grace_seconds: 3600 } },
      responses: { 200: json(newApiKeyResponse, { headers: ['ETag', 'Cache-Control'] }) },
      errors: unknownKey,
      handle: async ({ caller, params, body }, { models }) => {
        const newKey = generateApiKey();
        const apiKey = await rotateApiKey(models, userOf(caller), params.id, body.grace_seconds, newKey);
        const { shown, headers } = presentNewKey(apiKey, newKey.key);
        return reply(200, shown, headers);
      },
    }),
  ];
}

type User = NonNullable<Caller['user']>;

/** A member finds the keys of its own account, an admin finds all keys. */
const visibleTo = ({ id, role }: User) => (role === 'admin' ? {} : { ownerId: id });

/** Refuses a scope that the user does not have, and a tier unless the user is an admin. */
function requireGrantable(user: User, { scopes = [], tier }: ApiKeyUpdate): void {
  const beyond = scopes.find((scope) => !hasScope({ key: null, user }, scope));
  if (beyond !== undefined) throw new AppError('FORBIDDEN', `Only an admin can give a key the scope ${beyond}.`);
  if (tier !== undefined && user.role !== 'admin')
    throw new AppError('FORBIDDEN', "Only an admin can set a key's tier.");
}

/** Presents a key together with its full text. Caches must not store these responses. */
function presentNewKey(apiKey: ApiKey, key: string) {
  const shown = presentApiKey(apiKey);
  return { shown: { ...shown, key }, headers: { 'Cache-Control': 'no-store', ETag: contentTag(shown) } };
}

async function findApiKey({ apiKey }: RouteModels, user: User, id: string): Promise<ApiKey> {
  const found = await apiKey.findOne({ _id: id, ...visibleTo(user) }).lean<ApiKey>();
  if (!found) throw notFound(id);
  return found;
}

async function updateApiKey(models: RouteModels, user: User, id: string, changes: ApiKeyUpdate): Promise<ApiKey> {
  requireGrantable(user, changes);
  const { expires_at: expiresAt, ...fields } = changes;
  // An expired key does not count among the live keys of its account.
  const now = new Date();
  const unexpired = expiresAt === undefined ? {} : { $or: [{ expiresAt: null }, { expiresAt: { $gt: now } }] };
  const updated = await models.apiKey
    .findOneAndUpdate(
      { _id: id, ...visibleTo(user), ...unexpired },
      {
        $set: { ...fields, ...(expiresAt === undefined ? {} : { expiresAt }), updatedAt: now },
        $inc: { revision: 1 },
      },
      { returnDocument: 'after' },
    )
    .lean<ApiKey>();
  if (updated) return updated;
  await findApiKey(models, user, id);
  throw new AppError('INVALID_STATE', 'The key has expired: its expiry cannot be changed. Create a new key.');
}

/**
 * Adds a new key. An older key is valid until the end of the grace period, or until its own expiry
 * if that is earlier.
 */
async function rotateApiKey(
  models: RouteModels,
  user: User,
  id: string,
  graceSeconds: number,
  { prefix, hash }: NewApiKey,
): Promise<ApiKey> {
  for (;;) {
    const current = await findApiKey(models, user, id);
    const now = new Date();
    const graceEnd = new Date(now.getTime() + graceSeconds * second);
    const older = current.secrets
      .map((secret) => ({
        ...secret,
        expiresAt: secret.expiresAt !== null && secret.expiresAt < graceEnd ? secret.expiresAt : graceEnd,
      }))
      .filter(({ expiresAt }) => expiresAt > now);
    const apiKey = await models.apiKey
      .findOneAndUpdate(
        { _id: id, revision: current.revision },
        { $set: { secrets: [{ prefix, hash, expiresAt: null }, ...older], updatedAt: now }, $inc: { revision: 1 } },
        { returnDocument: 'after' },
      )
      .lean<ApiKey>();
    if (apiKey) return apiKey;
  }
}

const notFound = (id: string) => new AppError('NOT_FOUND', `API key ${id} does not exist.`);
