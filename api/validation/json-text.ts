import type { Fault } from '../../shared/errors.ts';
import { fieldPath } from './validate.ts';

/** Could the text hold something that `forbiddenParts` would find? Clear bodies, nearly all, are not walked. */
const suspicious = /\\u(?:0000|d[89a-f]|005f)|__proto__/i;

/** Faults of a parsed value: NUL characters, halves of surrogate pairs, and keys that would reach an object's prototype. */
export function forbiddenParts(value: unknown, path: (string | number)[] = []): Fault[] {
  if (typeof value === 'string') return faultsOfText(value, path);
  if (Array.isArray(value)) return value.flatMap((item, index) => forbiddenParts(item, [...path, index]));
  if (typeof value !== 'object' || value === null) return [];
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

/** Parses JSON text that came from outside. */
export function parseJson(text: string): { value: unknown } | { faults: Fault[] } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { faults: [{ field: 'body', error: 'must be valid JSON' }] };
  }
  const faults = suspicious.test(text) || text.includes('\0') ? forbiddenParts(value) : [];
  return faults.length > 0 ? { faults } : { value };
}
