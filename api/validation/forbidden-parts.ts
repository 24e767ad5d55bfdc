import type { Fault } from '../../shared/errors.ts';
import { fieldPath } from './field-path.ts';

const deepest = 32;

/** Nobody reads more, and a body of nothing but faults would bring an answer many times its size. */
export const mostFaults = 20;

type Path = readonly (string | number)[];

/**
 * Faults of a parsed value, one a field: NUL characters, halves of surrogate pairs, keys that would reach an object's
 * prototype, and values inside more than 32 others.
 */
export function forbiddenParts(value: unknown): Fault[] {
  const faults = new Map<string, Fault>();
  const add = (path: Path, error: string) => faults.set(fieldPath(path), { field: fieldPath(path), error });
  const text = (part: string, path: Path) => {
    if (part.includes('\0')) add(path, 'must not contain a NUL character');
    else if (!part.isWellFormed()) add(path, 'must be well-formed Unicode');
  };
  const walk = (part: unknown, path: Path): void => {
    if (typeof part === 'string') text(part, path);
    if (typeof part !== 'object' || part === null) return;
    if (path.length >= deepest) {
      add(path.slice(0, 1), 'is nested too deeply');
      return;
    }
    const inList = Array.isArray(part);
    for (const [key, item] of Object.entries(part)) {
      if (faults.size >= mostFaults) return;
      if (key === '__proto__') add([...path, key], 'is not allowed');
      else {
        text(key, path);
        walk(item, [...path, inList ? Number(key) : key]);
      }
    }
  };
  walk(value, []);
  return [...faults.values()].slice(0, mostFaults);
}
