// The context of a number: the keywords near it, and labels of values that are not personal data.
// The words of a text are read once, for the first number. The functions are in one file because
// they share the keywords of the text in module-level arrays. Reading a context allocates no
// memory.
import {
  CARD_TARGET,
  CONJUNCTIONS,
  GENERAL_TARGET,
  HASH_START,
  hashCharacter,
  hashPhrase,
  hashWord,
  KEYWORD_INDEX,
  NON_PERSONAL_WORDS,
  normalizeWord,
  STOP_WORDS,
  UNITS,
} from './keyword-index.ts';

/** The maximum distance between a keyword and a number, in characters. */
const MAX_DISTANCE_BEFORE = 48;
const MAX_DISTANCE_AFTER = 30;
const MAX_OPEN_PHRASES = 6;
const MAX_KEYWORD_LENGTH = 64;
const NOT_NEAR = 1000;

/**
 * The keywords of the text, almost in the order of their starts: a phrase is added when its last
 * word is read.
 */
let hitStarts = new Int32Array(64);
let hitEnds = new Int32Array(64);
const NO_TARGETS: readonly number[] = [];
/**
 * Filled at creation, because V8 discards optimized code for an array when the kind of its elements
 * changes.
 */
let hitTargets: (readonly number[])[] = Array.from({ length: 64 }, () => NO_TARGETS);
let hitCount = 0;
/** Keywords before this index are too far from the current number, and from all later numbers. */
let firstHit = 0;
let hasReadWords = false;

/** The results of `readContext` by target. They are valid where `epochs` has the current epoch. */
const epochs = new Int32Array(CARD_TARGET + 1);
const distances = new Int32Array(CARD_TARGET + 1);
const inOwnKey = new Uint8Array(CARD_TARGET + 1);
const lengths = new Int32Array(CARD_TARGET + 1);
let epoch = 0;
/** Distance of the nearest keyword that names schemes of national ids. */
let nearestSchemeDistance = NOT_NEAR;

let numberStart = 0;
let numberEnd = 0;
let ownKeyStart = -1;
let ownKeyEnd = -1;

/** Must be called before a new text is passed to any other function here. */
export function resetContext(): void {
  hasReadWords = false;
}

/** Classes of code units. Words consist of all classes but `OTHER`. */
const OTHER = 0;
const DIGIT = 1;
const UPPER = 2;
const LOWER = 3;
const FOREIGN = 4;
const CLASSES = new Uint8Array(65536);
for (let code = 0; code < 65536; code++) {
  if (code >= 48 && code <= 57) CLASSES[code] = DIGIT;
  else if (isUpper(code)) CLASSES[code] = UPPER;
  else if (isLower(code)) CLASSES[code] = LOWER;
  else if (isForeign(code)) CLASSES[code] = FOREIGN;
}

/**
 * Whether the character is a letter beyond ASCII, approximately: the largest blocks of other
 * characters are excluded.
 */
function isForeign(code: number): boolean {
  return (
    code >= 0xaa &&
    code !== 0xd7 &&
    code !== 0xf7 &&
    (code < 0x2000 || code > 0x2bff) &&
    (code < 0x3000 || code > 0x303f) &&
    code < 0xff00
  );
}

function isWordCode(code: number): boolean {
  return CLASSES[code] !== OTHER;
}

function isQuoteOrBlank(code: number): boolean {
  return code === 34 || code === 39 || code === 92 || code === 32 || code === 96 || code === 9;
}

/** Finds the number's own key, which is the key directly before it: `key=`, `key: "`. */
function readOwnKey(text: string): void {
  ownKeyStart = -1;
  ownKeyEnd = -1;
  let at = numberStart - 1;
  const lowest = Math.max(0, numberStart - 8);
  while (at >= lowest) {
    const code = text.charCodeAt(at);
    if (
      !isQuoteOrBlank(code) &&
      code !== 40 &&
      code !== 91 &&
      code !== 123 &&
      code !== 60 &&
      code !== 35 &&
      code !== 62
    )
      break;
    at--;
  }
  if (at < 0) return;
  const delimiter = text.charCodeAt(at);
  if (delimiter !== 61 && delimiter !== 58) return;
  at--;
  for (
    let skipped = 0;
    at >= 0 && skipped < 4 && (isQuoteOrBlank(text.charCodeAt(at)) || text.charCodeAt(at) === 93);
    skipped++
  )
    at--;
  const end = at + 1;
  const bound = Math.max(0, end - 40);
  while (at >= bound) {
    const code = text.charCodeAt(at);
    if (!isWordCode(code) && code !== 95 && code !== 45 && code !== 46) break;
    at--;
  }
  const start = at + 1;
  if (start === end || !hasLetter(text, start, end)) return;
  ownKeyStart = start;
  ownKeyEnd = end;
}

function hasLetter(text: string, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (text.charCodeAt(i) > 64) return true;
  return false;
}

function hashOf(text: string, start: number, end: number): number {
  let hash = HASH_START;
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code > 127) return hashWord(normalizeWord(text.slice(start, end)));
    hash = hashCharacter(hash, code >= 65 && code <= 90 ? code | 32 : code);
  }
  return hash;
}

function isUpper(code: number): boolean {
  return code >= 65 && code <= 90;
}

function isLower(code: number): boolean {
  return code >= 97 && code <= 122;
}

function addHit(targets: readonly number[] | undefined, start: number, end: number): void {
  if (targets === undefined) return;
  if (hitCount === hitStarts.length) {
    const [starts, ends, known] = [hitStarts, hitEnds, hitTargets];
    hitStarts = new Int32Array(hitCount * 2);
    hitEnds = new Int32Array(hitCount * 2);
    hitStarts.set(starts);
    hitEnds.set(ends);
    hitTargets = Array.from({ length: hitCount * 2 }, (_, i) => known[i] ?? NO_TARGETS);
  }
  hitStarts[hitCount] = start;
  hitEnds[hitCount] = end;
  hitTargets[hitCount] = targets;
  hitCount++;
}

/** Phrases that the next word can continue. */
const phraseStarts = new Int32Array(MAX_OPEN_PHRASES);
const phraseHashes = new Int32Array(MAX_OPEN_PHRASES);
let phraseCount = 0;
let lastWordEnd = 0;

/** Reads the next word of the text, and adds the keywords that end with this word to the hits. */
function addWord(hash: number, start: number, end: number): void {
  if (phraseCount > 0) {
    if (start - lastWordEnd > 3) phraseCount = 0;
    for (let i = 0; i < phraseCount; i++) {
      phraseHashes[i] = hashPhrase(phraseHashes[i] as number, hash);
      addHit(KEYWORD_INDEX.targets.get(phraseHashes[i] as number), phraseStarts[i] as number, end);
    }
  }
  lastWordEnd = end;
  if (KEYWORD_INDEX.mayContain[hash & 0xffff] === 0) return;
  addHit(KEYWORD_INDEX.targets.get(hash), start, end);
  if (!KEYWORD_INDEX.firstWords.has(hash)) return;
  if (phraseCount === MAX_OPEN_PHRASES) {
    phraseStarts.copyWithin(0, 1);
    phraseHashes.copyWithin(0, 1);
    phraseCount--;
  }
  phraseStarts[phraseCount] = start;
  phraseHashes[phraseCount] = hash;
  phraseCount++;
}

/**
 * Reads the words of the text. A `camelCase` key is read in parts and as a whole, a `snake_case`
 * key in parts only.
 */
function readWords(text: string): void {
  hasReadWords = true;
  hitCount = 0;
  firstHit = 0;
  phraseCount = 0;
  let hasUnspacedScript = false;
  let at = 0;
  const { length } = text;
  while (at < length) {
    let code = text.charCodeAt(at);
    let kind = CLASSES[code] as number;
    if (kind === OTHER) {
      at++;
      continue;
    }
    let start = at;
    let hash = HASH_START;
    let previous = OTHER;
    let isCamelCase = false;
    let digits = 0;
    let isAscii = true;
    do {
      if (kind === LOWER) hash = hashCharacter(hash, code);
      else if (kind === DIGIT) {
        digits++;
        hash = hashCharacter(hash, code);
      } else if (kind === UPPER) {
        if (previous === LOWER || (previous === UPPER && at + 1 < length && CLASSES[text.charCodeAt(at + 1)] === LOWER))
          isCamelCase = true;
        hash = hashCharacter(hash, code | 32);
      } else {
        isAscii = false;
        if (code > 0xdff) hasUnspacedScript = true;
      }
      previous = kind;
      at++;
      if (at === length) break;
      code = text.charCodeAt(at);
      kind = CLASSES[code] as number;
    } while (kind !== OTHER);
    if (digits === at - start) continue;
    if (start > 0 && text.charCodeAt(start - 1) === 92 && at - start > 2) {
      // The letter of an escape such as \n or \t is not a part of the word after it.
      const first = text.charCodeAt(start);
      if (first === 110 || first === 114 || first === 116) {
        start++;
        hash = hashOf(text, start, at);
      }
    }
    if (!isAscii) hash = hashOf(text, start, at);
    if (isCamelCase && digits === 0) addCamelCaseWord(text, start, at, hash);
    else addWord(hash, start, at);
  }
  if (hasUnspacedScript) addUnspaced(text);
}

/** Adds the parts of a `camelCase` word, and the whole. */
function addCamelCaseWord(text: string, start: number, end: number, hash: number): void {
  addHit(KEYWORD_INDEX.targets.get(hash), start, end);
  let partStart = start;
  for (let i = start + 1; i < end; i++) {
    if (!isUpper(text.charCodeAt(i))) continue;
    if (!isLower(text.charCodeAt(i - 1)) && !(i + 1 < end && isLower(text.charCodeAt(i + 1)))) continue;
    addWord(hashOf(text, partStart, i), partStart, i);
    partStart = i;
  }
  addWord(hashOf(text, partStart, end), partStart, end);
}

/** Adds the keywords in scripts without blanks, and restores the order of the hits. */
function addUnspaced(text: string): void {
  for (const [keyword, targets] of KEYWORD_INDEX.unspaced) {
    for (let at = text.indexOf(keyword); at >= 0; at = text.indexOf(keyword, at + keyword.length))
      addHit(targets, at, at + keyword.length);
  }
  const order = Array.from({ length: hitCount }, (_, i) => i).sort(
    (a, b) => (hitStarts[a] as number) - (hitStarts[b] as number),
  );
  const [starts, ends, targets] = [
    hitStarts.slice(0, hitCount),
    hitEnds.slice(0, hitCount),
    hitTargets.slice(0, hitCount),
  ];
  order.forEach((from, to) => {
    hitStarts[to] = starts[from] as number;
    hitEnds[to] = ends[from] as number;
    hitTargets[to] = targets[from] as readonly number[];
  });
}

/**
 * Whether any keyword is near text[start, end). The numbers of a text must be passed from left to
 * right.
 */
export function hasKeywordNear(text: string, start: number, end: number): boolean {
  if (!hasReadWords) readWords(text);
  while (firstHit < hitCount && (hitStarts[firstHit] as number) < start - MAX_DISTANCE_BEFORE - 2 * MAX_KEYWORD_LENGTH)
    firstHit++;
  for (let i = firstHit; i < hitCount && (hitStarts[i] as number) <= end + MAX_DISTANCE_AFTER; i++) {
    if ((hitEnds[i] as number) >= start - MAX_DISTANCE_BEFORE) return true;
  }
  return false;
}

/** Whether the keyword at text[start, end) is the key of another value: `sin=0.5 id=…`. */
function belongsToAnotherValue(text: string, start: number, end: number): boolean {
  if (ownKeyStart >= 0 && start >= ownKeyStart && end <= ownKeyEnd) return false;
  let at = end;
  const bound = Math.min(numberStart, end + 24);
  while (at < bound && (isWordCode(text.charCodeAt(at)) || text.charCodeAt(at) === 95 || text.charCodeAt(at) === 45))
    at++;
  while (at < bound && isQuoteOrBlank(text.charCodeAt(at))) at++;
  const delimiter = at < bound ? text.charCodeAt(at) : 0;
  if (delimiter === 61 || delimiter === 58) {
    if (ownKeyStart >= 0 && ownKeyStart > at) {
      // In {"ssn": {"value": "…"}}, the inner key belongs to the outer key.
      let inner = at + 1;
      while (
        inner < ownKeyStart &&
        (isQuoteOrBlank(text.charCodeAt(inner)) || text.charCodeAt(inner) === 123 || text.charCodeAt(inner) === 91)
      )
        inner++;
      if (inner < ownKeyStart) return true;
    } else if (delimiter === 61) {
      const next = text.charCodeAt(at + 1);
      // In `pan=0.73 4111…`, the value after `=` ends at the next blank, unless the value is quoted
      // or a list.
      if (next !== 32 && next !== 34 && next !== 39 && next !== 91 && next !== 40 && next !== 123 && next !== 92) {
        for (let i = at + 1; i < numberStart; i++) if (text.charCodeAt(i) === 32) return true;
      }
    }
  }
  return belongsToEarlierNumber(text, end);
}

/**
 * Whether a run of seven or more digits and a word after it are between the keyword and the number.
 */
function belongsToEarlierNumber(text: string, from: number): boolean {
  let run = 0;
  let seenNumber = false;
  let wordStart = -1;
  for (let i = from; i <= numberStart; i++) {
    const code = i < numberStart ? text.charCodeAt(i) : 32;
    const isDigit = code >= 48 && code <= 57;
    run = isDigit ? run + 1 : 0;
    if (run >= 7) seenNumber = true;
    if (!isDigit && isWordCode(code)) {
      if (wordStart < 0) wordStart = i;
    } else if (wordStart >= 0) {
      if (seenNumber && !CONJUNCTIONS.has(hashOf(text, wordStart, i))) return true;
      wordStart = -1;
    }
  }
  return false;
}

/** Whether the keyword that ends at `end` is a key or a part of a key: `ssn=…`. */
function isKey(text: string, end: number): boolean {
  const bound = Math.min(text.length, end + 24);
  let at = end;
  while (at < bound && (isWordCode(text.charCodeAt(at)) || text.charCodeAt(at) === 95)) at++;
  while (at < bound && isQuoteOrBlank(text.charCodeAt(at))) at++;
  const code = at < text.length ? text.charCodeAt(at) : 0;
  return code === 61 || code === 58;
}

/**
 * Whether a digit or a colon is between the number and `start`. A number at the beginning of a line
 * with several fields is a time. A colon directly after the number does not count:
 * `44051401359: PESEL`.
 */
function hasFieldBefore(text: string, start: number): boolean {
  const ownColon = text.charCodeAt(numberEnd) === 58 && text.charCodeAt(numberEnd + 1) === 32 ? 1 : 0;
  for (let i = numberEnd + ownColon; i < start; i++) {
    const code = text.charCodeAt(i);
    if (code >= 48 && code <= 58) return true;
  }
  return false;
}

/**
 * Registers a keyword for its targets if it is near enough and does not belong to another value.
 */
function registerKeyword(text: string, targets: readonly number[], start: number, end: number): void {
  let distance: number;
  let own = 0;
  if (end <= numberStart) {
    distance = numberStart - end;
    if (distance > MAX_DISTANCE_BEFORE || belongsToAnotherValue(text, start, end)) return;
    // The keyword `Peru DNI` can begin before the key `DNI:`.
    if (ownKeyStart >= 0 && end > ownKeyStart && end <= ownKeyEnd) own = 1;
  } else if (start >= numberEnd) {
    distance = start - numberEnd;
    if (distance > MAX_DISTANCE_AFTER || (numberStart === 0 && hasFieldBefore(text, start))) return;
  } else return;
  if (distance < nearestSchemeDistance && targets[0] !== CARD_TARGET && !targets.includes(GENERAL_TARGET))
    nearestSchemeDistance = distance;
  for (const target of targets) {
    if (epochs[target] !== epoch) {
      epochs[target] = epoch;
      distances[target] = distance;
      inOwnKey[target] = own;
      lengths[target] = end - start;
    } else {
      if (distance <= (distances[target] as number)) {
        lengths[target] = Math.max(end - start, distance === distances[target] ? (lengths[target] as number) : 0);
        distances[target] = distance;
      }
      if (own === 1) inOwnKey[target] = 1;
    }
  }
}

/**
 * Reads the keywords around text[start, end). The functions below describe this number until the
 * next call.
 */
export function readContext(text: string, start: number, end: number): void {
  epoch++;
  nearestSchemeDistance = NOT_NEAR;
  numberStart = start;
  numberEnd = end;
  readOwnKey(text);
  if (!hasKeywordNear(text, start, end)) return;
  // The key of the next value, `123456789 ssn=…`, and everything after it do not describe this
  // number.
  let nextKey = end + MAX_DISTANCE_AFTER + 1;
  for (let i = firstHit; i < hitCount && (hitStarts[i] as number) < nextKey; i++) {
    if ((hitStarts[i] as number) >= end && isKey(text, hitEnds[i] as number)) nextKey = hitStarts[i] as number;
  }
  for (let i = firstHit; i < hitCount && (hitStarts[i] as number) < nextKey; i++) {
    registerKeyword(text, hitTargets[i] as readonly number[], hitStarts[i] as number, hitEnds[i] as number);
  }
}

/** Distance of the target's nearest keyword in characters; 1,000 if there is none. */
export function keywordDistance(target: number): number {
  return epochs[target] === epoch ? (distances[target] as number) : NOT_NEAR;
}

/**
 * Length of the target's nearest keyword in characters; the longer of two keywords at the same
 * distance; 0 if there is no keyword.
 */
export function keywordLength(target: number): number {
  return epochs[target] === epoch ? (lengths[target] as number) : 0;
}

/**
 * Whether a general keyword is near, and every keyword of a scheme is farther. `documento CPF`
 * names a scheme.
 */
export function isGeneralKeywordNearest(): boolean {
  return isKeywordNear(GENERAL_TARGET) && keywordDistance(GENERAL_TARGET) < nearestSchemeDistance;
}

export function isKeywordNear(target: number): boolean {
  return epochs[target] === epoch;
}

/** Whether the number's own key contains a keyword of the target. */
export function isInOwnKey(target: number): boolean {
  return epochs[target] === epoch && inOwnKey[target] === 1;
}

/**
 * Whether the number's own key is `id` or `ids` (if `isWholeKey`), or a longer key that ends in
 * `id` or `ids` (if not).
 */
function isIdKey(text: string, isWholeKey: boolean): boolean {
  let end = ownKeyEnd;
  if (end - ownKeyStart > 2 && (text.charCodeAt(end - 1) | 32) === 115) end--;
  if ((text.charCodeAt(end - 1) | 32) !== 100 || end - ownKeyStart < 2 || (text.charCodeAt(end - 2) | 32) !== 105)
    return false;
  const rest = end - 2 - ownKeyStart;
  return (rest === 0 || (rest === 1 && text.charCodeAt(ownKeyStart) === 95)) === isWholeKey;
}

/**
 * Finds the last word before `end` whose last character is at `lowest` or later. Sets `wordEnd`.
 * @returns the start of the word, or -1.
 */
function findWordBefore(text: string, end: number, lowest: number): number {
  let at = end - 1;
  while (at >= lowest && !isWordCode(text.charCodeAt(at))) at--;
  if (at < lowest) return -1;
  wordEnd = at + 1;
  let capitalAt = -1;
  while (at > 0 && isWordCode(text.charCodeAt(at - 1)) && wordEnd - at < 40) {
    if (isUpper(text.charCodeAt(at)) && isLower(text.charCodeAt(at - 1))) {
      capitalAt = at;
      break;
    }
    at--;
  }
  return capitalAt >= 0 ? capitalAt : at;
}

/** The end of the word that `findWordBefore` found. */
let wordEnd = 0;

/** A keyword within this distance names the number: `SSN 123…`, `ssn is 123…`. */
const NAMING_DISTANCE = 4;

/**
 * Whether a unit follows the number, `6363953901127 ns`, and no keyword names the number
 * (`SSN 123456789 us citizen`).
 */
function isQuantity(text: string): boolean {
  if (Math.min(nearestSchemeDistance, keywordDistance(CARD_TARGET)) <= NAMING_DISTANCE) return false;
  const start = numberEnd + 1;
  if (text.charCodeAt(numberEnd) !== 32 || start >= text.length) return false;
  let end = start;
  while (end < text.length && end - start < 13 && isWordCode(text.charCodeAt(end))) end++;
  // Units are in lower case: `MS` is a title, `US` is a country.
  return isLower(text.charCodeAt(start)) && UNITS.has(hashOf(text, start, end));
}

/**
 * The label that marks a number as not personal data. `key`: the number's own key (`order_id=`) or
 * its unit. `word`: the word before the number (`order `). `id`: the number's own key is only `id`,
 * so a payment card needs a keyword.
 */
export type NonPersonalLabel = 'none' | 'key' | 'word' | 'id';

/**
 * Finds the label of the number that was passed to `readContext`. `isBare`: the number has no
 * separators.
 */
export function findNonPersonalLabel(text: string, isBare: boolean): NonPersonalLabel {
  if (ownKeyStart >= 0) {
    // The value of `user_id=` is a key of a database table.
    if (isBare && isIdKey(text, false)) return 'key';
    let isFirst = true;
    for (let end = ownKeyEnd; end > ownKeyStart; ) {
      const start = findWordBefore(text, end, ownKeyStart);
      if (start < 0) break;
      const hash = hashOf(text, start, wordEnd);
      if (NON_PERSONAL_WORDS.has(hash)) return 'key';
      // In `order id: `, the key has no meaning without the word before it.
      if (isFirst && start === ownKeyStart && start > 0 && text.charCodeAt(start - 1) === 32 && STOP_WORDS.has(hash)) {
        const before = findWordBefore(text, start - 1, start - 2);
        if (before >= 0 && NON_PERSONAL_WORDS.has(hashOf(text, before, wordEnd))) return 'key';
      }
      isFirst = false;
      end = start;
    }
    return isBare && isIdKey(text, true) ? 'id' : 'none';
  }
  if (isBare && isQuantity(text)) return 'key';
  for (let at = numberStart - 1; at >= 0 && !isWordCode(text.charCodeAt(at)); at--) {
    const code = text.charCodeAt(at);
    if (numberStart - at > 4) return 'none';
    if (!isQuoteOrBlank(code) && code !== 35 && code !== 40 && code !== 46 && code !== 91 && code !== 47 && code !== 45)
      return 'none';
  }
  const start = findWordBefore(text, numberStart, Math.max(0, numberStart - 5));
  if (start < 0) return 'none';
  const hash = hashOf(text, start, wordEnd);
  if (NON_PERSONAL_WORDS.has(hash)) return 'word';
  if (!STOP_WORDS.has(hash) || start < 2 || (text.charCodeAt(start - 1) !== 32 && text.charCodeAt(start - 1) !== 95))
    return 'none';
  const before = findWordBefore(text, start - 1, start - 2);
  return before >= 0 && NON_PERSONAL_WORDS.has(hashOf(text, before, wordEnd)) ? 'word' : 'none';
}
