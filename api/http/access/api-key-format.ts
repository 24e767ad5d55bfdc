import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { sha256 } from '../../../shared/crypto/sha256.ts';

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
