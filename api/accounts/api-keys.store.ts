import { randomUUID } from 'node:crypto';
import type { ApiKey } from '../../shared/accounts/api-key.model.ts';
import { deleteDocument } from '../../shared/connections/mongo.ts';
import { second } from '../../shared/durations.ts';
import { AppError } from '../../shared/errors.ts';
import type { RouteModels } from '../app-deps.ts';
import type { NewApiKey } from '../http/access/api-key-format.ts';
import { hasScope } from '../http/access/caller.ts';
import type { Caller, Operation } from '../http/context.ts';
import { readPage } from '../http/paging.ts';
import { type ApiKeyCreate, type ApiKeyListQuery, type ApiKeyUpdate, presentApiKey } from './api-keys.schema.ts';

/** The database operations of the API key routes, with the errors for callers. */

/** Maximum number of unexpired keys of an account. */
const maxLiveKeys = 100;

type User = NonNullable<Caller['user']>;

/** A member finds the keys of its own account, an admin finds all keys. */
const visibleTo = ({ id, role }: User) => (role === 'admin' ? {} : { ownerId: id });

export async function createApiKey(
  models: RouteModels,
  user: User,
  fields: ApiKeyCreate,
  { prefix, hash }: NewApiKey,
  operation?: Operation,
): Promise<ApiKey> {
  requireGrantable(user, fields);
  // The response with the key of an earlier attempt was lost.
  if (operation?.attemptedBefore) await models.apiKey.deleteOne({ _id: operation.id });
  const now = new Date();
  const apiKey: ApiKey = {
    _id: operation?.id ?? randomUUID(),
    ownerId: user.id,
    name: fields.name,
    scopes: fields.scopes,
    tier: fields.tier ?? 'free',
    secrets: [{ prefix, hash, expiresAt: null }],
    expiresAt: fields.expires_at,
    lastUsedAt: null,
    revision: 1,
    createdAt: now,
    updatedAt: now,
  };
  await models.apiKey.create(apiKey);
  await requireFreeSlot(models, apiKey);
  return apiKey;
}

/**
 * Removes the new key again if the account has too many. The keys are counted after the insert, so
 * that concurrent requests never exceed the limit. All of them can be refused although one more key
 * is allowed.
 */
async function requireFreeSlot({ apiKey: model }: RouteModels, { _id, ownerId }: ApiKey): Promise<void> {
  const others = await model.countDocuments({
    _id: { $ne: _id },
    ownerId,
    $or: [{ expiresAt: null }, { expiresAt: { $gt: new Date() } }],
  });
  if (others < maxLiveKeys) return;
  await model.deleteOne({ _id });
  throw new AppError('CONFLICT', `An account has at most ${maxLiveKeys} API keys; revoke one first.`);
}

export async function listApiKeys({ apiKey }: RouteModels, user: User, query: ApiKeyListQuery) {
  if (query.all && user.role !== 'admin') {
    throw new AppError('FORBIDDEN', 'Only an admin can list the keys of all accounts.');
  }
  const filter = query.all ? {} : { ownerId: user.id };
  return readPage(apiKey, query, { filter, sort: { createdAt: -1, _id: -1 }, present: presentApiKey });
}

export async function findApiKey({ apiKey }: RouteModels, user: User, id: string): Promise<ApiKey> {
  const found = await apiKey.findOne({ _id: id, ...visibleTo(user) }).lean<ApiKey>();
  if (!found) throw notFound(id);
  return found;
}

export async function updateApiKey(
  models: RouteModels,
  user: User,
  id: string,
  changes: ApiKeyUpdate,
): Promise<ApiKey> {
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

/** Revokes a key by removing it. */
export async function removeApiKey({ apiKey }: RouteModels, user: User, id: string): Promise<void> {
  if (!(await deleteDocument(apiKey, { _id: id, ...visibleTo(user) }))) throw notFound(id);
}

/**
 * Adds a new key. An older key is valid until the end of the grace period, or until its own expiry
 * if that is earlier.
 */
export async function rotateApiKey(
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
    // Without a result, the key has changed concurrently. The next round reads it again.
    if (apiKey) return apiKey;
  }
}

/** Refuses a scope that the user does not have, and a tier unless the user is an admin. */
function requireGrantable(user: User, { scopes = [], tier }: ApiKeyUpdate): void {
  const beyond = scopes.find((scope) => !hasScope({ key: null, user }, scope));
  if (beyond !== undefined) throw new AppError('FORBIDDEN', `Only an admin can give a key the scope ${beyond}.`);
  if (tier !== undefined && user.role !== 'admin')
    throw new AppError('FORBIDDEN', "Only an admin can set a key's tier.");
}

function notFound(id: string): AppError {
  return new AppError('NOT_FOUND', `API key ${id} does not exist.`);
}
