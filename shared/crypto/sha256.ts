import { type BinaryToTextEncoding, hash, timingSafeEqual } from 'node:crypto';

export const sha256 = (content: string | Uint8Array, encoding: BinaryToTextEncoding): string =>
  hash('sha256', content, encoding);

/** Compares digests, so that the time depends neither on the texts nor on their lengths. */
export function isSameSecret(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(sha256(one, 'hex')), Buffer.from(sha256(other, 'hex')));
}
