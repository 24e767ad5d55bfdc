import type { Model } from 'mongoose';
import { createPartSchema, createSchema, type ModelSource } from '../connections/mongo.ts';
import { day, minute, second } from '../durations.ts';

export const scopes = [
  'notebooks:read',
  'notebooks:write',
  'scenarios:read',
  'scenarios:write',
  'ingest',
  'reports:read',
  'reports:write',
  'admin',
] as const;
export type Scope = (typeof scopes)[number];

/** In order from the lowest to the highest. */
export const tiers = ['free', 'premium', 'enterprise'] as const;
export type Tier = (typeof tiers)[number];

interface ApiKeySecret {
  /** The beginning of the key. The row is found by it. */
  prefix: string;
  /** SHA-256 of the whole key, hexadecimal. */
  hash: string;
  /** When a rotated key expires; null for the newest key. */
  expiresAt: Date | null;
}

export interface ApiKey {
  _id: string;
  ownerId: string;
  name: string;
  scopes: Scope[];
  tier: Tier;
  /** The newest key first, then the rotated keys that are still valid. */
  secrets: ApiKeySecret[];
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  /** Incremented by every change, but not by a use of the key. */
  revision: number;
  createdAt: Date;
  updatedAt: Date;
}

type ApiKeyModel = Model<ApiKey>;

const secret = createPartSchema<ApiKeySecret>({
  prefix: { type: String, required: true },
  hash: { type: String, required: true },
  expiresAt: { type: Date, default: null },
});

const schema = createSchema<ApiKey>(
  {
    _id: { type: String, required: true },
    ownerId: { type: String, required: true },
    name: { type: String, required: true },
    scopes: { type: [String], required: true },
    tier: { type: String, enum: tiers, required: true },
    secrets: { type: [secret], required: true },
    expiresAt: { type: Date, default: null },
    lastUsedAt: { type: Date, default: null },
    revision: { type: Number, required: true },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  { collection: 'api_keys', strict: 'throw' },
);

// Serves the check of credentials in every request with a key.
schema.index({ 'secrets.prefix': 1 }, { unique: true });
// Serve the lists of a user's keys and of all keys. The id makes the order total, so that pages do
// not repeat or skip.
schema.index({ ownerId: 1, createdAt: 1, _id: 1 });
schema.index({ createdAt: 1, _id: 1 });
// Removes keys 30 days after their expiry. Until then their owner sees in the list why a program is
// refused.
schema.index({ expiresAt: 1 }, { expireAfterSeconds: (30 * day) / second });

export function createApiKeyModel(connection: ModelSource): ApiKeyModel {
  return connection.model<ApiKey>('ApiKey', schema);
}

/** Records that a key was used, at most once a minute over all processes. */
export async function recordLastUse(model: ApiKeyModel, { _id, lastUsedAt }: Pick<ApiKey, '_id' | 'lastUsedAt'>) {
  const now = new Date();
  const before = new Date(now.getTime() - minute);
  if (lastUsedAt && lastUsedAt > before) return;
  await model.updateOne({ _id, $or: [{ lastUsedAt: null }, { lastUsedAt: { $lte: before } }] }, { lastUsedAt: now });
}
