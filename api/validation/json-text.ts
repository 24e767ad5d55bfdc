import type { Fault } from '../../shared/errors.ts';

/**
 * Could the text hold something that `forbiddenParts` would find: an escaped control character, half of a surrogate pair,
 * or a letter that spells a forbidden key? Nearly all bodies are clear of it and are not walked.
 */
const suspicious = /\\u(?:0000|00[2-7]|d[89a-f])|__proto__/i;

export interface ParsedJson {
  value: unknown;
  /** Must `forbiddenParts` be asked? */
  isSuspicious: boolean;
}

/** Parses JSON text that came from outside. */
export function parseJson(text: string): ParsedJson | { faults: Fault[] } {
  if (text.trim() === '') return { faults: [{ field: 'body', error: 'is required' }] };
  try {
    return { value: JSON.parse(text) as unknown, isSuspicious: suspicious.test(text) || text.includes('\0') };
  } catch {
    return { faults: [{ field: 'body', error: 'must be valid JSON' }] };
  }
}
