import { MAX_GROUPS } from './number-shapes.ts';

/** The maximum number of words in a prefix. */
export const MAX_PREFIX_WORDS = 2;

/**
 * The groups of the number that is being read, in text order. The arrays begin with unused entries
 * for the words of a prefix, so that a prefix can be added and removed without moving the groups.
 */
export class NumberGroups {
  readonly starts = new Int32Array(MAX_PREFIX_WORDS + MAX_GROUPS);
  readonly ends = new Int32Array(MAX_PREFIX_WORDS + MAX_GROUPS);
  readonly codes = new Int32Array(MAX_PREFIX_WORDS + MAX_GROUPS);
  /** The separator after each group; 0 after the last group. */
  readonly separators = new Int32Array(MAX_PREFIX_WORDS + MAX_GROUPS);
  /** The index of the first group. */
  first = MAX_PREFIX_WORDS;
  count = 0;

  /** Removes the prefix, and all but the first `count` groups after it. */
  reset(count: number): void {
    this.first = MAX_PREFIX_WORDS;
    this.count = count;
  }

  addPrefix(start: number, end: number, code: number, separator: number): void {
    this.first--;
    this.set(this.first, start, end, code, separator);
    this.count++;
  }

  set(index: number, start: number, end: number, code: number, separator: number): void {
    this.starts[index] = start;
    this.ends[index] = end;
    this.codes[index] = code;
    this.separators[index] = separator;
  }
}
