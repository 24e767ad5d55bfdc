import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Model } from 'mongoose';
import { defineModel } from '../connections/mongo.ts';
import { sha256 } from '../crypto/sha256.ts';
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

/**
 * `mb_<prefix>_<secret>`, hexadecimal. The last eight digits are a CRC-32 of everything before
 * them, so a mistyped key is refused without reading the database.
 */
const pattern = /^(?<body>mb_(?<prefix>[0-9a-f]{12})_[0-9a-f]{48})(?<checksum>[0-9a-f]{8})$/;

const checksumOf = (body: string) => crc32(body).toString(16).padStart(8, '0');

export interface NewApiKey {
  /** Sent to the caller once, never stored. */
  key: string;
  prefix: string;
  hash: string;
}

const prefixBytes = 6;
const secretBytes = 24;

export function generateApiKey(): NewApiKey {
  const bytes = randomBytes(prefixBytes + secretBytes);
  const prefix = bytes.subarray(0, prefixBytes).toString('hex');
  const body = `mb_${prefix}_${bytes.subarray(prefixBytes).toString('hex')}`;
  const key = body + checksumOf(body);
  return { key, prefix, hash: hashOfApiKey(key) };
}

/** The prefix of a key, or null if the text is not a key. */
export function prefixOfApiKey(key: string): string | null {
  const { body, prefix, checksum } = pattern.exec(key)?.groups ?? {};
  return body !== undefined && prefix !== undefined && checksumOf(body) === checksum ? prefix : null;
}

/** Whether a text is meant as a key, mistyped or not. No access token begins so. */
export const looksLikeApiKey = (text: string): boolean => text.startsWith('mb_');

export const hashOfApiKey = (key: string): string => sha256(key, 'hex');
