// A text with its keywords, and a number of it that can be personal data.
import { type CodeUnits, characters, execAt } from './characters.ts';
import {
  findIndexedWords,
  findUnspacedKeywords,
  HASH_START,
  hashCharacter,
  hashPhrase,
  hashUnits,
  hashWithNumberSign,
  hashWord,
  type TextKeyword,
} from './keyword-index.ts';
import { isQuotedPrintable } from './normalize-text.ts';
import type { NumberShape } from './number-shapes.ts';

const { CLASSES, DIGIT, FOLDED, FOREIGN, LOWER, UPPER } = characters;

/** A text with its keywords, which are read when the first number needs them. */
export class ScannedText {
  readonly text: string;
  readonly units: CodeUnits;
  #isQuotedPrintable: boolean | undefined;
  #keywords: readonly TextKeyword[] | undefined;
  #wordHashes: ReadonlySet<number> | undefined;

  constructor(text: string, units: CodeUnits) {
    this.text = text;
    this.units = units;
  }

  /** Whether the text shows that it is in quoted-printable. */
  get isQuotedPrintable(): boolean {
    this.#isQuotedPrintable ??= isQuotedPrintable(this.text);
    return this.#isQuotedPrintable;
  }

  /** The hashes of the words in the first characters of the text. */
  get wordHashes(): ReadonlySet<number> {
    this.#wordHashes ??= readWordHashes(this.units, Math.min(this.text.length, MAX_WORDS_LENGTH));
    return this.#wordHashes;
  }

  get keywords(): readonly TextKeyword[] {
    this.#keywords ??= readKeywords(this.text, this.units);
    return this.#keywords;
  }
}

const MAX_WORDS_LENGTH = 1024;

function readWordHashes(units: CodeUnits, length: number): ReadonlySet<number> {
  const hashes = new Set<number>();
  for (let at = 0; at < length; at++) {
    const start = at;
    while (FOLDED[units[at] as number] !== 0) at++;
    if (at > start) hashes.add(hashUnits(units, start, at));
  }
  return hashes;
}

/** A number of a known shape that can be personal data: text[start, end). */
export interface Candidate {
  readonly scanned: ScannedText;
  readonly text: string;
  readonly shape: NumberShape;
  readonly start: number;
  readonly end: number;
  /** The keyword that directly precedes the number: `pesel44051401359`, `ssn_123456789`. */
  readonly attached: TextKeyword | undefined;
  /** The end of the previous finding. */
  readonly lastFindingEnd: number;
}

/** Whether the number has no separators. */
export function hasOneGroup({ shape }: Candidate): boolean {
  return shape.groups.length === 1;
}

/** Whether the number has neither separators nor letters. */
export function isBareDigits({ shape }: Candidate): boolean {
  return shape.groups.length === 1 && !shape.hasLetters;
}

/** The maximum number of characters between two words of a phrase. */
const MAX_PHRASE_GAP = 3;
/** Scripts from this code unit on can have no blanks between words. */
const FIRST_UNSPACED = 0xe00;
/** Initials of at least two words: `p.k.`, `R. F. C.`, `S.S.N`. */
const INITIALS = /(?<!\.)\p{L}\p{M}*\.(?: ?\p{L}\p{M}*\.){0,4}(?:\p{L}\p{M}*)?(?![\p{L}\p{M}])/uy;
const COMMA = 44;
const FULL_STOP = 46;
const BACKSLASH = 92;
/** The folded form of a mark. */
const MARK = 1;
const MIXED_CASE = LOWER | UPPER;

/**
 * Reads the keywords of a text in the order of their starts. A `camelCase` key is read in parts and
 * as a whole, a `snake_case` key in parts only.
 */
function readKeywords(text: string, units: CodeUnits): TextKeyword[] {
  const reader = new KeywordReader(text, units);
  reader.read();
  return reader.keywords;
}

class KeywordReader {
  readonly keywords: TextKeyword[] = [];
  readonly #text: string;
  readonly #units: CodeUnits;

  constructor(text: string, units: CodeUnits) {
    this.#text = text;
    this.#units = units;
  }

  read(): void {
    const units = this.#units;
    const { length } = this.#text;
    let allClasses = 0;
    for (let at = 0; at < length; at++) {
      let folded = FOLDED[units[at] as number] as number;
      if (folded === 0) continue;
      const start = at;
      let hash = HASH_START;
      let classes = 0;
      do {
        classes |= CLASSES[units[at] as number] as number;
        if (folded !== MARK) hash = hashCharacter(hash, folded);
        folded = FOLDED[units[++at] as number] as number;
      } while (folded !== 0);
      if (classes === DIGIT) continue;
      allClasses |= classes;
      const initialsEnd = at === start + 1 && units[at] === FULL_STOP ? this.#addInitials(start) : 0;
      if (initialsEnd > 0) at = initialsEnd - 1;
      else if ((classes & FOREIGN) === 0 && (classes & MIXED_CASE) !== MIXED_CASE) this.#addWord(hash, start, at);
      else this.#addParts(hash, start, at);
    }
    if ((allClasses & FOREIGN) !== 0) this.#addUnspaced();
  }

  /** The end of the part of a word, in `camelCase` or of one script, that begins at `start`. */
  #findPartEnd(start: number, end: number): number {
    const units = this.#units;
    const wasLatin = isLatin(units[start] as number);
    for (let at = start + 1; at < end; at++) {
      const code = units[at] as number;
      if (isLatin(code) !== wasLatin && FOLDED[code] !== MARK) return at;
      if (CLASSES[code] !== UPPER) continue;
      if (CLASSES[units[at - 1] as number] === LOWER || (at + 1 < end && CLASSES[units[at + 1] as number] === LOWER))
        return at;
    }
    return end;
  }

  /** Adds the keywords of a word in `camelCase` or in several scripts, and of its parts. */
  #addParts(hash: number, start: number, end: number): void {
    let partEnd = this.#findPartEnd(start, end);
    if (partEnd === end) return this.#addWord(hash, start, end);
    this.#add(hash, start, end);
    for (let partStart = start; partStart < end; partStart = partEnd) {
      partEnd = this.#findPartEnd(partStart, end);
      this.#addWord(hashUnits(this.#units, partStart, partEnd), partStart, partEnd);
    }
  }

  /** Adds the keywords that begin with the word text[start, end). */
  #addWord(hash: number, start: number, end: number): void {
    const text = this.#text;
    const words = findIndexedWords(hash);
    if (words === undefined) {
      // The letter of an escape such as \n is not a part of the word after it.
      if (this.#units[start - 1] === BACKSLASH && end - start > 2 && 'nrt'.includes(text.charAt(start)))
        this.#addWord(hashUnits(this.#units, start + 1, end), start + 1, end);
      return;
    }
    if (words.targets !== undefined) this.keywords.push({ start, end, targets: words.targets });
    if (!words.isBeginning) return;
    if (text.charAt(end) === '#' || text.startsWith(' #', end)) this.#add(hashWithNumberSign(hash), start, end);
    this.#addPhrases(hash, start, end);
  }

  /** Adds the keywords that continue the word at text[start, end). */
  #addPhrases(firstHash: number, start: number, end: number): void {
    const units = this.#units;
    let hash = firstHash;
    let phraseEnd = end;
    for (;;) {
      let next = phraseEnd;
      while (next <= phraseEnd + MAX_PHRASE_GAP && FOLDED[units[next] as number] === 0 && units[next] !== COMMA) next++;
      if (next > phraseEnd + MAX_PHRASE_GAP || units[next] === COMMA) return;
      let wordEnd = next + 1;
      while (FOLDED[units[wordEnd] as number] !== 0) wordEnd++;
      const partEnd = this.#findPartEnd(next, wordEnd);
      hash = hashPhrase(hash, hashUnits(units, next, partEnd));
      const words = findIndexedWords(hash);
      if (words === undefined) return;
      phraseEnd = partEnd;
      if (words.targets !== undefined) this.keywords.push({ start, end: phraseEnd, targets: words.targets });
      if (!words.isBeginning) return;
    }
  }

  /** Adds the initials at `start`, with and without their full stops. @returns their end, or 0. */
  #addInitials(start: number): number {
    const initials = execAt(INITIALS, this.#text, start)?.[0];
    const letters = initials?.replaceAll(/[. ]/gu, '');
    if (initials === undefined || letters === undefined || letters.length < 2) return 0;
    const end = start + initials.length;
    this.#add(hashWord(letters.replaceAll(/\p{L}\p{M}*/gu, '$&.')), start, end);
    this.#addWord(hashWord(letters), start, end);
    return end;
  }

  /** Adds the keywords in scripts without blanks, and restores the order. */
  #addUnspaced(): void {
    const text = this.#text;
    const count = this.keywords.length;
    for (let at = 0; at < text.length; at++) {
      const code = this.#units[at] as number;
      if (code < FIRST_UNSPACED) continue;
      for (const { keyword, targets } of findUnspacedKeywords(code))
        if (text.startsWith(keyword, at)) this.keywords.push({ start: at, end: at + keyword.length, targets });
    }
    if (this.keywords.length > count) this.keywords.sort((a, b) => a.start - b.start);
  }

  #add(hash: number, start: number, end: number): void {
    const targets = findIndexedWords(hash)?.targets;
    if (targets !== undefined) this.keywords.push({ start, end, targets });
  }
}

function isLatin(code: number): boolean {
  return code < 0x300 || (code >= 0x1e00 && code < 0x1f00);
}
