import { sha256 } from './sha256.ts';

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
