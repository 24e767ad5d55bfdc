import type { Fault } from '../../shared/errors.ts';
import { fieldPath } from './validate.ts';

/**
 * Could the text hold something that `forbiddenParts` would find: an escaped control character, half of a surrogate pair,
 * or a letter that spells a forbidden key? Nearly all bodies are clear of it and are not walked.
 */
const suspicious = /\\u(?:0000|00[2-7]|d[89a-f])|__proto__/i;

const deepest = 32;

/**
 * Faults of a parsed value: NUL characters, halves of surrogate pairs, keys that would reach an object's prototype, and
 * values inside more than 32 others.
 */
export function forbiddenParts(value: unknown, path: (string | number)[] = []): Fault[] {
  if (typeof value === 'string') return faultsOfText(value, path);
  if (typeof value !== 'object' || value === null) return [];
  if (path.length >= deepest) return [{ field: fieldPath(path.slice(0, 1)), error: 'is nested too deeply' }];
  if (Array.isArray(value)) return value.flatMap((item, index) => forbiddenParts(item, [...path, index]));
  return Object.entries(value).flatMap(([key, item]) =>
    key === '__proto__'
      ? [{ field: fieldPath([...path, key]), error: 'is not allowed' }]
      : [...faultsOfText(key, path), ...forbiddenParts(item, [...path, key])],
  );
}

function faultsOfText(text: string, path: (string | number)[]): Fault[] {
  if (text.includes('\0')) return [{ field: fieldPath(path), error: 'must not contain a NUL character' }];
  if (!text.isWellFormed()) return [{ field: fieldPath(path), error: 'must be well-formed Unicode' }];
  return [];
}

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
