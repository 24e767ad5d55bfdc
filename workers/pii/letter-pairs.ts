// Tables by two upper-case letters, such as the code of a country.
import { characterClasses } from './character-classes.ts';
import { codes } from './character-codes.ts';
import type { ScannedText } from './scanned-text.ts';

const { unitAt } = characterClasses;
const { UPPER_A } = codes;

const LETTERS_OF_ALPHABET = 26;

function pairIndex(first: number, second: number): number {
  return (first - UPPER_A) * LETTERS_OF_ALPHABET + second - UPPER_A;
}

/** The index of two upper-case letters, by which a table has their value without a string. */
export function letterPairAt(text: ScannedText, at: number): number {
  return pairIndex(unitAt(text, at), unitAt(text, at + 1));
}

/** A table of the values by their two letters. */
export function byLetterPair(entries: readonly (readonly [pair: string, value: string])[]): (string | undefined)[] {
  const values = Array.from({ length: LETTERS_OF_ALPHABET ** 2 }, (): string | undefined => undefined);
  for (const [pair, value] of entries) values[pairIndex(pair.charCodeAt(0), pair.charCodeAt(1))] = value;
  return values;
}
