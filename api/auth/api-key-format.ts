import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * `mb_<prefix>_<secret>`, hexadecimal. The last eight digits are a CRC-32 of everything before them: a mistyped key is
 * refused without reading the database.
 */
const pattern = /^(?<body>mb_(?<prefix>[0-9a-f]{12})_[0-9a-f]{48})(?<checksum>[0-9a-f]{8})$/;

const checksumOf = (body: string) => crc32(body).toString(16).padStart(8, '0');

export interface NewApiKey {
  /** Sent to the caller once, never stored. */
  key: string;
  prefix: string;
  hash: string;
}

export function makeApiKey(): NewApiKey {
  const prefix = randomBytes(6).toString('hex');
  const body = `mb_${prefix}_${randomBytes(24).toString('hex')}`;
  const key = body + checksumOf(body);
  return { key, prefix, hash: hashOfApiKey(key) };
}

/** The prefix of a key, or null if the text is not a key. */
export function prefixOfApiKey(key: string): string | null {
  const { body, prefix, checksum } = pattern.exec(key)?.groups ?? {};
  return body !== undefined && prefix !== undefined && checksumOf(body) === checksum ? prefix : null;
}

export const hashOfApiKey = (key: string): string => createHash('sha256').update(key).digest('hex');

/** Compares in constant time. */
export function isSameHash(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one, 'hex'), Buffer.from(other, 'hex'));
}
