// Hashes of words, so that the words of a text are looked up without building strings.
import { codes } from './character-codes.ts';

const { BEYOND_ASCII, CASE_BIT, UPPER_A, UPPER_Z } = codes;

const ASCII_ONLY = /^[ -~]*$/u;

/** The start value of the FNV-1a hash. */
export const HASH_START = 0x811c9dc5 | 0;

/** Adds one character to an FNV-1a hash. */
export function hashCharacter(hash: number, code: number): number {
  return Math.imul(hash ^ code, 16_777_619);
}

/** The hash of a phrase, from the hash of the words so far and the hash of the next word. */
export function hashPhrase(wordsSoFar: number, word: number): number {
  return Math.imul(wordsSoFar ^ 0x5bd1e995, 0x9e3779b1) ^ word;
}

/** The hash of a word that is in lower case and without accents. */
export function hashWord(word: string): number {
  let hash = HASH_START;
  for (let i = 0; i < word.length; i++) hash = hashCharacter(hash, word.charCodeAt(i));
  return hash;
}

/** The hash of the word text[start, end), regardless of case and accents. */
export function hashWordAt(text: string, start: number, end: number): number {
  let hash = HASH_START;
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code >= BEYOND_ASCII) return hashWord(normalizeWord(text.slice(start, end)));
    hash = hashCharacter(hash, code >= UPPER_A && code <= UPPER_Z ? code | CASE_BIT : code);
  }
  return hash;
}

/**
 * Converts a word to lower case without accents, so that `Numéro`, `NUMERO` and `numero` are equal.
 */
export function normalizeWord(word: string): string {
  const lower = word.toLowerCase();
  if (ASCII_ONLY.test(lower)) return lower;
  return lower.normalize('NFD').replace(/[\u0300-\u036f]/gu, '');
}
