import type { Model } from 'mongoose';
import { defineModel } from '../connections/mongo.ts';
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

export const createApiKeyModel = defineModel<ApiKey>('api_keys', [
  // Serves the check of credentials in every request with a key.
  [{ 'secrets.prefix': 1 }, { unique: true }],
  // Serve the lists of a user's keys and of all keys. The id makes the order total, so that pages
  // do not repeat or skip.
  [{ ownerId: 1, createdAt: 1, _id: 1 }],
  [{ createdAt: 1, _id: 1 }],
  // Removes keys 30 days after their expiry. Until then their owner sees in the list why a program
  // is refused.
  [{ expiresAt: 1 }, { expireAfterSeconds: (30 * day) / second }],
]);

/** Records that a key was used, at most once a minute over all processes. */
export async function recordLastUse(model: ApiKeyModel, { _id, lastUsedAt }: Pick<ApiKey, '_id' | 'lastUsedAt'>) {
  const now = new Date();
  const before = new Date(now.getTime() - minute);
  if (lastUsedAt && lastUsedAt > before) return;
  await model.updateOne({ _id, $or: [{ lastUsedAt: null }, { lastUsedAt: { $lte: before } }] }, { lastUsedAt: now });
}
