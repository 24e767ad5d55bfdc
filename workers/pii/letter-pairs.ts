// Tables by two upper-case letters, such as the code of a country.
import { codes } from './character-codes.ts';

const { UPPER_A } = codes;

const LETTERS_OF_ALPHABET = 26;

/** The index of two upper-case letters, by which a table has their value without a string. */
export function letterPairAt(text: string, at: number): number {
  return (text.charCodeAt(at) - UPPER_A) * LETTERS_OF_ALPHABET + text.charCodeAt(at + 1) - UPPER_A;
}

/** A table of the values by their two letters. */
export function byLetterPair(entries: readonly (readonly [pair: string, value: string])[]): (string | undefined)[] {
  const values = Array.from({ length: LETTERS_OF_ALPHABET ** 2 }, (): string | undefined => undefined);
  for (const [pair, value] of entries) values[letterPairAt(pair, 0)] = value;
  return values;
}
