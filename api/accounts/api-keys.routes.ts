import type { ApiKey } from '../../shared/accounts/api-key.model.ts';
import { accountAccess } from '../http/access/access-rules.ts';
import { generateApiKey } from '../http/access/api-key-format.ts';
import { userOf } from '../http/access/caller.ts';
import { contentTag } from '../http/entity-tag.ts';
import { empty, json, reply } from '../http/response.ts';
import { defineRoute, type Route, type RouteSettings, type RouteTag } from '../http/route.ts';
import {
  apiKeyCreate,
  apiKeyListQuery,
  apiKeyListResponse,
  apiKeyPath,
  apiKeyResponse,
  apiKeyRotate,
  apiKeyUpdate,
  newApiKeyResponse,
  presentApiKey,
} from './api-keys.schema.ts';
import { createApiKey, findApiKey, listApiKeys, removeApiKey, rotateApiKey, updateApiKey } from './api-keys.store.ts';

const tag: RouteTag = { name: 'api-keys', description: 'API keys of an account, for programs.' };

const path = '/api/v1/api-keys';
const unknownKey = { NOT_FOUND: 'The API key does not exist, or belongs to another account.' };
const beyondRole = { FORBIDDEN: 'Only an admin can give a key the scope `admin` or set the tier of a key.' };

/**
 * `/api/v1/api-keys`: the keys of an account. A key cannot manage keys, because it could exceed its
 * own scopes and expiry.
 */
export function apiKeyRoutes({ config }: RouteSettings): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path,
      operationId: 'createApiKey',
      tag,
      summary: 'Create an API key; only this response contains it',
      access: accountAccess,
      audit: { type: 'API_KEY_CREATED' },
      body: { schema: apiKeyCreate, example: { name: 'log shipper', scopes: ['ingest'] } },
      responses: { 201: json(newApiKeyResponse, { headers: ['Location', 'ETag', 'Cache-Control'] }) },
      errors: { ...beyondRole, CONFLICT: 'The account has the maximum number of API keys.' },
      handle: async ({ caller, body, operation }, { models }) => {
        const newKey = generateApiKey();
        const apiKey = await createApiKey(models, userOf(caller), body, newKey, operation);
        const { shown, headers } = presentNewKey(apiKey, newKey.key);
        return reply(201, shown, { ...headers, Location: `${path}/${apiKey._id}` });
      },
    }),
    defineRoute({
      method: 'GET',
      path,
      operationId: 'listApiKeys',
      tag,
      summary: 'List API keys',
      access: accountAccess,
      query: apiKeyListQuery(config.pageSize),
      responses: { 200: json(apiKeyListResponse) },
      errors: { FORBIDDEN: 'Only an admin can list the keys of all accounts.' },
      handle: async ({ caller, query }, { models }) => reply(200, await listApiKeys(models, userOf(caller), query)),
    }),
    defineRoute({
      method: 'GET',
      path: `${path}/{id}`,
      operationId: 'getApiKey',
      tag,
      summary: 'Read an API key',
      access: accountAccess,
      params: apiKeyPath,
      responses: { 200: json(apiKeyResponse, { headers: ['ETag'] }) },
      errors: unknownKey,
      handle: async ({ caller, params }, { models }) => {
        const shown = presentApiKey(await findApiKey(models, userOf(caller), params.id));
        // A use of the key and the end of a grace period change the response, but not the revision.
        return reply(200, shown, { ETag: contentTag(shown) });
      },
    }),
    defineRoute({
      method: 'PATCH',
      path: `${path}/{id}`,
      operationId: 'updateApiKey',
      tag,
      summary: 'Change the sent fields of an API key',
      access: accountAccess,
      audit: { type: 'API_KEY_UPDATED' },
      params: apiKeyPath,
      body: { schema: apiKeyUpdate, example: { name: 'log shipper of the shop' } },
      responses: { 200: json(apiKeyResponse, { headers: ['ETag'] }) },
      errors: { ...unknownKey, ...beyondRole, INVALID_STATE: 'The key has expired, so its expiry cannot be changed.' },
      handle: async ({ caller, params, body }, { models }) => {
        const shown = presentApiKey(await updateApiKey(models, userOf(caller), params.id, body));
        return reply(200, shown, { ETag: contentTag(shown) });
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: `${path}/{id}`,
      operationId: 'deleteApiKey',
      tag,
      summary: 'Revoke an API key',
      access: accountAccess,
      audit: { type: 'API_KEY_DELETED' },
      params: apiKeyPath,
      responses: { 204: empty() },
      errors: unknownKey,
      handle: async ({ caller, params }, { models }) => {
        await removeApiKey(models, userOf(caller), params.id);
        return reply(204);
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${path}/{id}/rotate`,
      operationId: 'rotateApiKey',
      tag,
      summary: 'Replace an API key by a new one',
      description: 'The old key is valid for another `grace_seconds`.',
      access: accountAccess,
      audit: { type: 'API_KEY_UPDATED', action: 'rotate' },
      params: apiKeyPath,
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

/** Presents a key together with its full text. Caches must not store these responses. */
function presentNewKey(apiKey: ApiKey, key: string) {
  const shown = presentApiKey(apiKey);
  return { shown: { ...shown, key }, headers: { 'Cache-Control': 'no-store', ETag: contentTag(shown) } };
}
