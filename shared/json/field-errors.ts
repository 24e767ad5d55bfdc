import { isUtf8 } from 'node:buffer';
import { type AppError, type FieldError, validationError } from '../errors.ts';
import { shortened } from '../quoted.ts';

/** Names that a sender makes up can be as long as the body. */
const maxNameLength = 128;

/** `['usage', 'model']` becomes `usage.model`, `[3, 'message']` `[3].message`. */
export function fieldPath(path: readonly (string | number)[], whole = 'body'): string {
  if (path.length === 0) return whole;
  return path
    .map((part, index) =>
      typeof part === 'number' ? `[${part}]` : `${index === 0 ? '' : '.'}${shortened(part, maxNameLength)}`,
    )
    .join('');
}

const maxDepth = 32;

/** Bounds the response: that to a body of errors would be many times its size. */
export const maxFieldErrors = 20;

type Path = readonly (string | number)[];

/**
 * The errors of a parsed value that no schema covers, one per field: NUL characters, unpaired
 * surrogates, keys that would reach an object's prototype, and nesting deeper than 32 levels.
 */
export function forbiddenParts(value: unknown): FieldError[] {
  const errors = new Map<string, FieldError>();
  const add = (path: Path, error: string) => errors.set(fieldPath(path), { field: fieldPath(path), error });
  const text = (part: string, path: Path) => {
    if (part.includes('\0')) add(path, 'must not contain a NUL character');
    else if (!part.isWellFormed()) add(path, 'must be well-formed Unicode');
  };
  const walk = (part: unknown, path: Path): void => {
    if (typeof part === 'string') text(part, path);
    if (typeof part !== 'object' || part === null) return;
    if (path.length >= maxDepth) {
      add(path.slice(0, 1), 'is nested too deeply');
      return;
    }
    const inList = Array.isArray(part);
    for (const [key, item] of Object.entries(part)) {
      if (errors.size >= maxFieldErrors) return;
      if (key === '__proto__') add([...path, key], 'is not allowed');
      else {
        text(key, path);
        walk(item, [...path, inList ? Number(key) : key]);
      }
    }
  };
  walk(value, []);
  return [...errors.values()].slice(0, maxFieldErrors);
}

export function bodyError(error: string): AppError {
  return validationError([{ field: 'body', error }]);
}

/** @throws AppError VALIDATION_ERROR */
export function requireUtf8(bytes: Buffer): void {
  if (!isUtf8(bytes)) throw bodyError('must be valid UTF-8');
}
