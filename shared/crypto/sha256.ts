import { type BinaryToTextEncoding, hash, timingSafeEqual } from 'node:crypto';

export const sha256 = (content: string | Uint8Array, encoding: BinaryToTextEncoding): string =>
  hash('sha256', content, encoding);

/** Compares digests, so that the time depends neither on the texts nor on their lengths. */
export function isSameSecret(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(sha256(one, 'hex')), Buffer.from(sha256(other, 'hex')));
}

/**
 * A UUID of version 8 (RFC 9562, custom) that follows from a text: the same text always has the
 * same id.
 */
export function digestUuid(text: string): string {
  const digest = sha256(text, 'hex');
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-8${digest.slice(13, 16)}-8${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
}

const uuidPattern = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

export const isUuid = (text: string): boolean => uuidPattern.test(text);
