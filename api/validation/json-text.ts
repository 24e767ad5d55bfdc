import type { FieldError } from '../../shared/errors.ts';

/**
 * Finds every text in which `forbiddenParts` could find an error: an escaped control character, an escaped surrogate, or
 * an escaped letter of a forbidden key. Nearly all bodies have none and are not walked.
 */
const suspicious = /\\u(?:0000|00[2-7]|d[89a-f])|__proto__/i;

export interface ParsedJson {
  value: unknown;
  /** Whether `forbiddenParts` has to check the value. */
  isSuspicious: boolean;
}

/** Parses JSON text from outside. */
export function parseJson(text: string): ParsedJson | { errors: FieldError[] } {
  if (text.trim() === '') return { errors: [{ field: 'body', error: 'is required' }] };
  try {
    return { value: JSON.parse(text) as unknown, isSuspicious: suspicious.test(text) || text.includes('\0') };
  } catch {
    return { errors: [{ field: 'body', error: 'must be valid JSON' }] };
  }
}
