import { characterClasses } from './character-classes.ts';
import { codes } from './character-codes.ts';
import { isInClosingTag } from './element-name.ts';
import { type Initials, readInitials } from './initials.ts';
import { FIRST_AMBIGUOUS_TARGET, findWords, KEYWORD_INDEX } from './keyword-index.ts';
import type { ScannedText } from './scanned-text.ts';
import { isAccent, isLatin } from './scripts.ts';
import { findTimestampEnd } from './timestamp.ts';
import { HASH_START, hashCharacter, hashPhrase, hashWord, hashWordAt } from './word-hash.ts';

const { CLASSES, codeAt, DIGIT, FOREIGN, isLower, isUpper, LOWER, TEXT_WORD, UPPER, unitAt } = characterClasses;
const { BACKSLASH, BLANK, CASE_BIT, DOT, HASH, LESS_THAN, SLASH } = codes;

/** The maximum distance between a keyword and a number, in characters. */
export const MAX_DISTANCE_BEFORE = 48;
export const MAX_DISTANCE_AFTER = 30;
/** The same for a keyword that is the value of a type: `<ID>1…</ID><ID_Type>CPR</ID_Type>`. */
export const MAX_TYPE_DISTANCE = 72;

const MAX_KEYWORD_LENGTH = 64;
const MAX_OPEN_PHRASES = 6;
/** The maximum number of characters between two words of a phrase. */
const MAX_PHRASE_GAP = 3;
/** Scripts from this code unit on can have no blanks between words. */
const FIRST_UNSPACED = 0xe00;
/** An object identifier, such as that of a scheme in FHIR: `urn:oid:1.2.246.21`. */
const OID = /[12]\.\d{1,3}\.\d{1,3}(?:\.\d{1,8}){1,12}(?![\d.])/uy;
/** Letters that form an escape with a backslash before them, such as \n. */
const ESCAPE_LETTERS = 'nrt';

/** text[start, end). */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** A keyword at text[start, end). */
export interface TextKeyword extends Span {
  readonly targets: readonly number[];
}

/** The keywords of a text. Its words are read once, when the first number needs them. */
export class TextKeywords {
  /**
   * The keywords, almost in the order of their starts: a phrase is added when its last word is
   * read.
   */
  all: TextKeyword[] = [];
  /** Keywords before this index are too far from the current number, and from all later numbers. */
  first = 0;
  /** Whether the words of the text have been read. */
  isRead = false;

  /**
   * The starts of phrases that the next word can continue, and the hashes of their words so far.
   */
  readonly #phraseStarts = new Int32Array(MAX_OPEN_PHRASES);
  readonly #phraseHashes = new Int32Array(MAX_OPEN_PHRASES);
  #openPhrases = 0;
  #lastWordEnd = 0;

  /** Must be called before a new text is passed. */
  reset(): void {
    this.isRead = false;
  }

  /**
   * Whether any keyword is near text[start, end). The numbers of a text must be passed from left to
   * right.
   */
  isNear(text: ScannedText, start: number, end: number): boolean {
    if (!this.isRead) this.#read(text);
    const { all } = this;
    const firstStart = start - MAX_DISTANCE_BEFORE - 2 * MAX_KEYWORD_LENGTH;
    while (this.first < all.length && (all[this.first] as TextKeyword).start < firstStart) this.first++;
    for (let i = this.first; i < all.length; i++) {
      const keyword = all[i] as TextKeyword;
      if (keyword.start > end + MAX_TYPE_DISTANCE) return false;
      if (keyword.end >= start - MAX_DISTANCE_BEFORE) return true;
    }
    return false;
  }

  /**
   * The name of a column, `column`, with the targets of the longest keyword in it. An ambiguous
   * label has to end the name. The column is not after the current number.
   */
  findWithin(text: ScannedText, { start, end }: Span): TextKeyword | undefined {
    if (!this.isRead) this.#read(text);
    const { all } = this;
    let i = this.first;
    while (i > 0 && (all[i - 1] as TextKeyword).start > start - MAX_KEYWORD_LENGTH) i--;
    let longest: TextKeyword | undefined;
    for (; i < all.length && (all[i] as TextKeyword).start < end; i++) {
      const keyword = all[i] as TextKeyword;
      if (keyword.start < start || keyword.end > end) continue;
      if (longest === undefined || keyword.end - keyword.start > longest.end - longest.start) longest = keyword;
    }
    if (longest === undefined) return undefined;
    const endsName = longest.end === end;
    const targets = longest.targets.filter((target) => endsName || target < FIRST_AMBIGUOUS_TARGET);
    return targets.length === 0 ? undefined : { start, end, targets };
  }

  /**
   * Reads the words of the text. A `camelCase` key is read in parts and as a whole, a `snake_case`
   * key in parts only.
   */
  #read(text: ScannedText): void {
    this.isRead = true;
    this.all = [];
    this.first = 0;
    this.#openPhrases = 0;
    let hasUnspacedScript = false;
    // A timestamp at the beginning contains no keyword.
    let at = findTimestampEnd(text, 0);
    const { length } = text;
    while (at < length) {
      let code = unitAt(text, at);
      let kind = (CLASSES[code] as number) & TEXT_WORD;
      if (kind === 0) {
        at++;
        continue;
      }
      let start = at;
      let hash = HASH_START;
      const firstKind = kind;
      /** The classes of the characters after the first. */
      let nextKinds = 0;
      // Without a branch for every class of characters. An upper-case letter gets its `CASE_BIT`.
      do {
        hash = hashCharacter(hash, code | ((kind & UPPER) * (CASE_BIT / UPPER)));
        at++;
        if (at === length) break;
        code = unitAt(text, at);
        kind = (CLASSES[code] as number) & TEXT_WORD;
        nextKinds |= kind;
      } while (kind !== 0);
      const kinds = firstKind | nextKinds;
      if (kinds === DIGIT) {
        if (at === start + 1 && code === DOT && canBeOid(text, start)) at = this.#addOid(text, start);
        continue;
      }
      if (at === start + 1 && code === DOT) {
        const initials = readInitials(text, start);
        if (initials !== undefined) {
          this.#addInitials(text, initials);
          at = initials.end;
          continue;
        }
      }
      if (start > 0 && unitAt(text, start - 1) === BACKSLASH && beginsWithEscapeLetter(text, start, at)) {
        start++;
        hash = hashWordAt(text, start, at);
      }
      const isAscii = (kinds & FOREIGN) === 0;
      if (!isAscii) hasUnspacedScript ||= isUnspaced(text, start, at);
      const isCamelCase = (nextKinds & UPPER) !== 0 && (kinds & LOWER) !== 0 && hasParts(text, start, at);
      if (isAscii && !isCamelCase) this.#addWord(text, hash, start, at);
      else this.#addParts(text, isAscii ? hash : hashWordAt(text, start, at), start, at, isCamelCase);
    }
    if (hasUnspacedScript) this.#addUnspaced(text);
  }

  /** Adds the keywords that end with the next word of the text. */
  #addWord(text: ScannedText, hash: number, start: number, end: number): void {
    if (this.#openPhrases > 0) this.#continuePhrases(text, hash, start, end);
    this.#lastWordEnd = end;
    const words = findWords(hash);
    if (words === undefined) return;
    this.#add(words.targets, start, end);
    if (!words.isBeginning) return;
    if (isNumberSignAt(text, end)) this.#add(findWords(hashCharacter(hash, HASH))?.targets, start, end);
    this.#openPhrase(start, hash);
  }

  #openPhrase(start: number, hash: number): void {
    if (this.#openPhrases === MAX_OPEN_PHRASES) {
      this.#phraseStarts.copyWithin(0, 1);
      this.#phraseHashes.copyWithin(0, 1);
      this.#openPhrases--;
    }
    this.#phraseStarts[this.#openPhrases] = start;
    this.#phraseHashes[this.#openPhrases++] = hash;
  }

  #continuePhrases(text: ScannedText, hash: number, start: number, end: number): void {
    const left = unitAt(text, start - 1);
    // A slash separates the parts of a path, but not initials: `K/P`. A closing tag ends a phrase,
    // `</OrderId><Number>`, unlike an opening one: `<Rodne><Cislo>`.
    const isParted =
      (left === SLASH && end - start > 1) || (left === LESS_THAN && isInClosingTag(text, this.#lastWordEnd));
    if (isParted || start - this.#lastWordEnd > MAX_PHRASE_GAP) {
      this.#openPhrases = 0;
      return;
    }
    const starts = this.#phraseStarts;
    const hashes = this.#phraseHashes;
    let open = 0;
    for (let i = 0; i < this.#openPhrases; i++) {
      const phraseStart = starts[i] as number;
      const phraseHash = hashPhrase(hashes[i] as number, hash);
      const words = findWords(phraseHash);
      if (words === undefined) continue;
      this.#add(words.targets, phraseStart, end);
      if (!words.isBeginning) continue;
      starts[open] = phraseStart;
      hashes[open++] = phraseHash;
    }
    this.#openPhrases = open;
  }

  /**
   * Adds the parts of a word by their script, `CustomerСнилс`, and the parts of a `camelCase`
   * word and the whole, which has the given hash.
   */
  #addParts(text: ScannedText, hash: number, start: number, end: number, isCamelCase: boolean): void {
    if (isCamelCase) this.#add(findWords(hash)?.targets, start, end);
    let partStart = start;
    let wasLatin = isLatin(unitAt(text, start));
    for (let i = start + 1; i < end; i++) {
      const code = unitAt(text, i);
      const isScriptChange = isLatin(code) !== wasLatin && !isAccent(code);
      if (!isScriptChange && !(isCamelCase && beginsCamelCasePart(text, i, end))) continue;
      this.#addWord(text, hashWordAt(text, partStart, i), partStart, i);
      partStart = i;
      if (isScriptChange) wasLatin = !wasLatin;
    }
    this.#addWord(text, partStart === start ? hash : hashWordAt(text, partStart, end), partStart, end);
  }

  /** Adds initials with and without their full stops. */
  #addInitials(text: ScannedText, { letters, start, end }: Initials): void {
    this.#add(findWords(hashInitials(letters))?.targets, start, end);
    this.#addWord(text, hashWord(letters), start, end);
  }

  /** Adds the object identifier at `start` if it names a scheme. @returns where the words go on. */
  #addOid(text: ScannedText, start: number): number {
    OID.lastIndex = start;
    const oid = OID.exec(text)?.[0];
    if (oid === undefined) return start + 1;
    this.#add(KEYWORD_INDEX.oids.get(oid), start, start + oid.length);
    return start + oid.length;
  }

  /** Adds the keywords in scripts without blanks, and restores the order. */
  #addUnspaced(text: ScannedText): void {
    for (let at = 0; at < text.length; at++) {
      const code = unitAt(text, at);
      const keywords = code < FIRST_UNSPACED ? undefined : KEYWORD_INDEX.unspaced.get(code);
      if (keywords === undefined) continue;
      for (const { keyword, targets } of keywords)
        if (text.startsWith(keyword, at)) this.#add(targets, at, at + keyword.length);
    }
    this.all.sort((a, b) => a.start - b.start);
  }

  #add(targets: readonly number[] | undefined, start: number, end: number): void {
    if (targets !== undefined) this.all.push({ start, end, targets });
  }
}

/** Whether a part of the `camelCase` word that ends at `end` begins at `at`: `Ssn` in `userSsn`. */
export function beginsCamelCasePart(text: ScannedText, at: number, end: number): boolean {
  if (!isUpper(unitAt(text, at))) return false;
  return isLower(unitAt(text, at - 1)) || (at + 1 < end && isLower(unitAt(text, at + 1)));
}

/**
 * Whether the word text[start, end) has parts in `camelCase`. Digits within a word are those of a
 * hash or a token, which has no parts.
 */
function hasParts(text: ScannedText, start: number, end: number): boolean {
  let last = end;
  while (CLASSES[unitAt(text, last - 1)] === DIGIT) last--;
  let isCamelCase = false;
  let previous = 0;
  for (let at = start; at < last; at++) {
    const kind = CLASSES[unitAt(text, at)] as number;
    if (kind === DIGIT) return false;
    if ((previous === LOWER || previous === UPPER) && beginsCamelCasePart(text, at, end)) isCamelCase = true;
    previous = kind;
  }
  return isCamelCase;
}

/** Whether text[start, end) has a letter of a script that can have no blanks between words. */
function isUnspaced(text: ScannedText, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (unitAt(text, at) >= FIRST_UNSPACED) return true;
  return false;
}

/** The hash of initials with their full stops: `s.s.n.` for `ssn`. */
function hashInitials(letters: string): number {
  let hash = HASH_START;
  for (let i = 0; i < letters.length; i++) hash = hashCharacter(hashCharacter(hash, letters.charCodeAt(i)), DOT);
  return hash;
}

/** Whether a third number follows the two at `start`, unlike in `HTTP/1.1`. */
function canBeOid(text: ScannedText, start: number): boolean {
  let at = start + 2;
  while (at < text.length && CLASSES[unitAt(text, at)] === DIGIT) at++;
  return at + 1 < text.length && unitAt(text, at) === DOT;
}

/** Whether the letter of an escape such as \n or \t precedes a word in text[start, end). */
function beginsWithEscapeLetter(text: string, start: number, end: number): boolean {
  return end - start > 2 && ESCAPE_LETTERS.includes(text.charAt(start));
}

/** Whether `#` follows the word that ends at `end`: `SS#`, `SS #`. */
function isNumberSignAt(text: ScannedText, end: number): boolean {
  const next = codeAt(text, end);
  return next === HASH || (next === BLANK && codeAt(text, end + 1) === HASH);
}
