// A text with its findings and keywords, and a number of it that can be personal data.
import { type CodeUnits, characters, execAt } from './characters.ts';
import type { Finding } from './finding.ts';
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

/** A text, its findings so far, and its keywords, which are read when numbers need them. */
export class ScannedText {
  readonly text: string;
  readonly units: CodeUnits;
  /** Whether the escapes of the text are decoded. */
  readonly isNormalized: boolean;
  readonly findings: Finding[] = [];
  /** The end of the last finding. The next finding cannot begin before it. */
  lastFindingEnd = 0;
  #isQuotedPrintable: boolean | undefined;
  #keywords: KeywordReader | undefined;
  #wordHashes: ReadonlySet<number> | undefined;

  constructor(text: string, units: CodeUnits, isNormalized: boolean) {
    this.text = text;
    this.units = units;
    this.isNormalized = isNormalized;
  }

  /** @returns the end of the finding. */
  add(finding: Finding): number {
    this.findings.push(finding);
    this.lastFindingEnd = finding.end;
    return finding.end;
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

  /** Whether the keywords of the text, or of its beginning, have been read. */
  get hasReadKeywords(): boolean {
    return this.#keywords !== undefined;
  }

  /** The keywords in the order of their starts: those that begin before `end`, or more. */
  keywordsBefore(end: number): readonly TextKeyword[] {
    this.#keywords ??= new KeywordReader(this.text, this.units);
    return this.#keywords.readBefore(end);
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
const BLANK = 32;
const HASH = 35;
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
class KeywordReader {
  readonly #text: string;
  readonly #units: CodeUnits;
  readonly #keywords: TextKeyword[] = [];
  #at = 0;
  // The last word that was read.
  #hash = 0;
  #classes = 0;

  constructor(text: string, units: CodeUnits) {
    this.#text = text;
    this.#units = units;
  }

  /** Reads on, to `end` at least. @returns the keywords so far. */
  readBefore(end: number): readonly TextKeyword[] {
    const units = this.#units;
    const bound = Math.min(end, this.#text.length);
    let at = this.#at;
    while (at < bound) {
      if (FOLDED[units[at] as number] === 0) at++;
      else at = this.#addWords(at);
    }
    this.#at = at;
    return this.#keywords;
  }

  /** Adds the keywords that begin in the word or initials at `start`. @returns their end. */
  #addWords(start: number): number {
    let end = this.#readWord(start);
    const classes = this.#classes;
    if (classes === DIGIT) return end;
    const count = this.#keywords.length;
    const initialsEnd = end === start + 1 && this.#units[end] === FULL_STOP ? this.#addInitials(start) : 0;
    if (initialsEnd > 0) end = initialsEnd;
    else if (hasParts(classes)) this.#addParts(this.#hash, start, end);
    else this.#addWord(this.#hash, start, end);
    if ((classes & FOREIGN) !== 0) this.#addUnspaced(start, end, count);
    return end;
  }

  /** Reads the hash and the classes of the word at `start`. @returns its end. */
  #readWord(start: number): number {
    const units = this.#units;
    let at = start;
    let hash = HASH_START;
    let classes = 0;
    for (let folded = FOLDED[units[at] as number] as number; folded !== 0; ) {
      classes |= CLASSES[units[at] as number] as number;
      if (folded !== MARK) hash = hashCharacter(hash, folded);
      folded = FOLDED[units[++at] as number] as number;
    }
    this.#hash = hash;
    this.#classes = classes;
    return at;
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
    const units = this.#units;
    const words = findIndexedWords(hash);
    if (words === undefined) {
      // The letter of an escape such as \n is not a part of the word after it.
      if (units[start - 1] === BACKSLASH && end - start > 2 && 'nrt'.includes(this.#text.charAt(start)))
        this.#addWord(hashUnits(units, start + 1, end), start + 1, end);
      return;
    }
    if (words.targets !== undefined) this.#keywords.push({ start, end, targets: words.targets });
    if (!words.isBeginning) return;
    const next = units[end] === BLANK ? units[end + 1] : units[end];
    if (next === HASH) this.#add(hashWithNumberSign(hash), start, end);
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
      const wordEnd = this.#readWord(next);
      const partEnd = hasParts(this.#classes) ? this.#findPartEnd(next, wordEnd) : wordEnd;
      hash = hashPhrase(hash, partEnd === wordEnd ? this.#hash : hashUnits(units, next, partEnd));
      const words = findIndexedWords(hash);
      if (words === undefined) return;
      phraseEnd = partEnd;
      if (words.targets !== undefined) this.#keywords.push({ start, end: phraseEnd, targets: words.targets });
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

  /**
   * Adds the keywords in scripts without blanks in text[start, end), and restores the order of the
   * keywords from the index `first` on.
   */
  #addUnspaced(start: number, end: number, first: number): void {
    const keywords = this.#keywords;
    const count = keywords.length;
    for (let at = start; at < end; at++) {
      const code = this.#units[at] as number;
      if (code < FIRST_UNSPACED) continue;
      for (const { keyword, targets } of findUnspacedKeywords(code))
        if (this.#text.startsWith(keyword, at)) keywords.push({ start: at, end: at + keyword.length, targets });
    }
    if (keywords.length === count) return;
    for (const keyword of keywords.splice(first).sort((a, b) => a.start - b.start)) keywords.push(keyword);
  }

  #add(hash: number, start: number, end: number): void {
    const targets = findIndexedWords(hash)?.targets;
    if (targets !== undefined) this.#keywords.push({ start, end, targets });
  }
}

/** Whether a word with these classes can have parts: in `camelCase`, or in several scripts. */
function hasParts(classes: number): boolean {
  return (classes & FOREIGN) !== 0 || (classes & MIXED_CASE) === MIXED_CASE;
}

function isLatin(code: number): boolean {
  return code < 0x300 || (code >= 0x1e00 && code < 0x1f00);
}
