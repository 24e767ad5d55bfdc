// Which key words stand near a number, and whether its own key says that it is something else. A line's words are read once, when
// its first number asks; each number then looks at the key words within its reach. The file is long because its
// functions share the line's words in arrays of the module: nothing is allocated for a number.
import {
  CARD_TARGET,
  EMPTY_WORDS,
  fold,
  GENERAL_TARGET,
  HASH_START,
  hashCharacter,
  hashPhrase,
  hashWord,
  KEY_WORDS,
  LIST_WORDS,
  OTHER_THINGS,
  UNITS,
} from './key-word-index.ts';

/** How far a key word may stand from a number. */
const REACH_BEFORE = 48;
const REACH_AFTER = 30;
const MOST_WORDS = 6;
const LONGEST_KEY_WORD = 64;
const NOT_NEAR = 1000;

/** The key words of the line, by where they begin. */
let hitStarts = new Int32Array(64);
let hitEnds = new Int32Array(64);
const NO_TARGETS: readonly number[] = [];
/** Filled from the start: a list that grows or changes its kind costs the compiled code that reads it. */
let hitTargets: (readonly number[])[] = Array.from({ length: 64 }, () => NO_TARGETS);
let hitCount = 0;
/** Key words before this one are out of reach for this number and all that follow. */
let firstHit = 0;
let isPrepared = false;

/** What `readContext` found, by target; valid where the mark is the present one. */
const marks = new Int32Array(CARD_TARGET + 1);
const distances = new Int32Array(CARD_TARGET + 1);
const owns = new Uint8Array(CARD_TARGET + 1);
const lengths = new Int32Array(CARD_TARGET + 1);
let mark = 0;
/** The nearest key word that names schemes and is no general word. */
let nearestScheme = NOT_NEAR;

let subjectStart = 0;
let subjectEnd = 0;
let ownKeyStart = -1;
let ownKeyEnd = -1;

/** To be called before the first question about a text. */
export function beginText(): void {
  isPrepared = false;
}

/** Classes of code units: what a word is made of. */
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

/** Letters beyond ASCII, roughly: no punctuation, no symbols. */
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

/** Finds `key=`, `key: "` and the like right before the number. */
function readOwnKey(text: string): void {
  ownKeyStart = -1;
  ownKeyEnd = -1;
  let at = subjectStart - 1;
  const lowest = Math.max(0, subjectStart - 8);
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
    if (code > 127) return hashWord(fold(text.slice(start, end)));
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

/** The last words that begin a phrase, to be continued by the next word. */
const openStarts = new Int32Array(MOST_WORDS);
const openHashes = new Int32Array(MOST_WORDS);
let openCount = 0;
let lastWordEnd = 0;

/** Takes the next word of the line; gives key words that it ends to the list. */
function addWord(hash: number, start: number, end: number): void {
  if (openCount > 0) {
    if (start - lastWordEnd > 3) openCount = 0;
    for (let i = 0; i < openCount; i++) {
      openHashes[i] = hashPhrase(openHashes[i] as number, hash);
      addHit(KEY_WORDS.targets.get(openHashes[i] as number), openStarts[i] as number, end);
    }
  }
  lastWordEnd = end;
  if (KEY_WORDS.mayHave[hash & 0xffff] === 0) return;
  addHit(KEY_WORDS.targets.get(hash), start, end);
  if (!KEY_WORDS.first.has(hash)) return;
  if (openCount === MOST_WORDS) {
    openStarts.copyWithin(0, 1);
    openHashes.copyWithin(0, 1);
    openCount--;
  }
  openStarts[openCount] = start;
  openHashes[openCount] = hash;
  openCount++;
}

/** Reads the words of the text, `camelCase` and `snake_case` keys as their parts and as a whole. */
function prepare(text: string): void {
  isPrepared = true;
  hitCount = 0;
  firstHit = 0;
  openCount = 0;
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
    let humps = false;
    let digits = 0;
    let isAscii = true;
    do {
      if (kind === LOWER) hash = hashCharacter(hash, code);
      else if (kind === DIGIT) {
        digits++;
        hash = hashCharacter(hash, code);
      } else if (kind === UPPER) {
        if (previous === LOWER || (previous === UPPER && at + 1 < length && CLASSES[text.charCodeAt(at + 1)] === LOWER))
          humps = true;
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
      // An escape such as \n or \t before a word is no part of it.
      const first = text.charCodeAt(start);
      if (first === 110 || first === 114 || first === 116) {
        start++;
        hash = hashOf(text, start, at);
      }
    }
    if (!isAscii) hash = hashOf(text, start, at);
    if (humps && digits === 0) addHumps(text, start, at, hash);
    else addWord(hash, start, at);
  }
  if (hasUnspacedScript) addUnspaced(text);
}

/** The parts of `camelCase`, and the whole. */
function addHumps(text: string, start: number, end: number, hash: number): void {
  addHit(KEY_WORDS.targets.get(hash), start, end);
  let partStart = start;
  for (let i = start + 1; i < end; i++) {
    if (!isUpper(text.charCodeAt(i))) continue;
    if (!isLower(text.charCodeAt(i - 1)) && !(i + 1 < end && isLower(text.charCodeAt(i + 1)))) continue;
    addWord(hashOf(text, partStart, i), partStart, i);
    partStart = i;
  }
  addWord(hashOf(text, partStart, end), partStart, end);
}

/** Adds the key words of scripts without blanks, in their places. */
function addUnspaced(text: string): void {
  for (const [keyWord, targets] of KEY_WORDS.unspaced) {
    for (let at = text.indexOf(keyWord); at >= 0; at = text.indexOf(keyWord, at + keyWord.length))
      addHit(targets, at, at + keyWord.length);
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

/** Whether any key word at all stands within reach of text[start, end). Numbers are asked about from left to right. */
export function hasKeyWordNear(text: string, start: number, end: number): boolean {
  if (!isPrepared) prepare(text);
  while (firstHit < hitCount && (hitStarts[firstHit] as number) < start - REACH_BEFORE - 2 * LONGEST_KEY_WORD)
    firstHit++;
  for (let i = firstHit; i < hitCount && (hitStarts[i] as number) <= end + REACH_AFTER; i++) {
    if ((hitEnds[i] as number) >= start - REACH_BEFORE) return true;
  }
  return false;
}

/** Whether the key word that ends at `end` is a key of another value: `sin=0.5 id=…`. */
function belongsToAnotherValue(text: string, start: number, end: number): boolean {
  if (ownKeyStart >= 0 && start >= ownKeyStart && end <= ownKeyEnd) return false;
  let at = end;
  const bound = Math.min(subjectStart, end + 24);
  while (at < bound && (isWordCode(text.charCodeAt(at)) || text.charCodeAt(at) === 95 || text.charCodeAt(at) === 45))
    at++;
  while (at < bound && isQuoteOrBlank(text.charCodeAt(at))) at++;
  const delimiter = at < bound ? text.charCodeAt(at) : 0;
  if (delimiter === 61 || delimiter === 58) {
    if (ownKeyStart >= 0 && ownKeyStart > at) {
      // {"ssn": {"value": "…"}}: the inner key belongs to the outer one.
      let inner = at + 1;
      while (
        inner < ownKeyStart &&
        (isQuoteOrBlank(text.charCodeAt(inner)) || text.charCodeAt(inner) === 123 || text.charCodeAt(inner) === 91)
      )
        inner++;
      if (inner < ownKeyStart) return true;
    } else if (delimiter === 61) {
      const next = text.charCodeAt(at + 1);
      // `pan=0.73 4111…`: the value of `=` ends with the next blank, unless it is quoted or a list.
      if (next !== 32 && next !== 34 && next !== 39 && next !== 91 && next !== 40 && next !== 123 && next !== 92) {
        for (let i = at + 1; i < subjectStart; i++) if (text.charCodeAt(i) === 32) return true;
      }
    }
  }
  return isUsedUp(text, end);
}

/** Whether another long number stands between the key word and this one, with words after it. */
function isUsedUp(text: string, from: number): boolean {
  let run = 0;
  let seenNumber = false;
  let wordStart = -1;
  for (let i = from; i <= subjectStart; i++) {
    const code = i < subjectStart ? text.charCodeAt(i) : 32;
    const isDigit = code >= 48 && code <= 57;
    run = isDigit ? run + 1 : 0;
    if (run >= 7) seenNumber = true;
    if (!isDigit && isWordCode(code)) {
      if (wordStart < 0) wordStart = i;
    } else if (wordStart >= 0) {
      if (seenNumber && !LIST_WORDS.has(hashOf(text, wordStart, i))) return true;
      wordStart = -1;
    }
  }
  return false;
}

/** Whether the key word that ends at `end` is (part of) a key with a value of its own, `ssn=…`. */
function isKey(text: string, end: number): boolean {
  const bound = Math.min(text.length, end + 24);
  let at = end;
  while (at < bound && (isWordCode(text.charCodeAt(at)) || text.charCodeAt(at) === 95)) at++;
  while (at < bound && isQuoteOrBlank(text.charCodeAt(at))) at++;
  const code = at < text.length ? text.charCodeAt(at) : 0;
  return code === 61 || code === 58;
}

/**
 * Whether a number or a colon stands between the number and `start`: what begins a line and has fields behind it is a time.
 * The number's own colon is none, `44051401359: PESEL`.
 */
function hasFieldBefore(text: string, start: number): boolean {
  const ownColon = text.charCodeAt(subjectEnd) === 58 && text.charCodeAt(subjectEnd + 1) === 32 ? 1 : 0;
  for (let i = subjectEnd + ownColon; i < start; i++) {
    const code = text.charCodeAt(i);
    if (code >= 48 && code <= 58) return true;
  }
  return false;
}

/** Counts a key word within reach, unless it speaks of another value. */
function note(text: string, targets: readonly number[], start: number, end: number): void {
  let distance: number;
  let own = 0;
  if (end <= subjectStart) {
    distance = subjectStart - end;
    if (distance > REACH_BEFORE || belongsToAnotherValue(text, start, end)) return;
    // `Peru DNI:` as much as `DNI:`.
    if (ownKeyStart >= 0 && end > ownKeyStart && end <= ownKeyEnd) own = 1;
  } else if (start >= subjectEnd) {
    distance = start - subjectEnd;
    if (distance > REACH_AFTER || (subjectStart === 0 && hasFieldBefore(text, start))) return;
  } else return;
  if (distance < nearestScheme && targets[0] !== CARD_TARGET && !targets.includes(GENERAL_TARGET))
    nearestScheme = distance;
  for (const target of targets) {
    if (marks[target] !== mark) {
      marks[target] = mark;
      distances[target] = distance;
      owns[target] = own;
      lengths[target] = end - start;
    } else {
      if (distance <= (distances[target] as number)) {
        lengths[target] = Math.max(end - start, distance === distances[target] ? (lengths[target] as number) : 0);
        distances[target] = distance;
      }
      if (own === 1) owns[target] = 1;
    }
  }
}

/** Reads the key words around text[start, end). The answers of the functions below are about this number until the next call. */
export function readContext(text: string, start: number, end: number): void {
  mark++;
  nearestScheme = NOT_NEAR;
  subjectStart = start;
  subjectEnd = end;
  readOwnKey(text);
  if (!hasKeyWordNear(text, start, end)) return;
  // The words of the next value's key, `123456789 ssn=…`, and all after it say nothing about this one.
  let nextKey = end + REACH_AFTER + 1;
  for (let i = firstHit; i < hitCount && (hitStarts[i] as number) < nextKey; i++) {
    if ((hitStarts[i] as number) >= end && isKey(text, hitEnds[i] as number)) nextKey = hitStarts[i] as number;
  }
  for (let i = firstHit; i < hitCount && (hitStarts[i] as number) < nextKey; i++) {
    note(text, hitTargets[i] as readonly number[], hitStarts[i] as number, hitEnds[i] as number);
  }
}

/** Distance in characters of the target's nearest key word; 1,000: none. */
export function distanceOf(target: number): number {
  return marks[target] === mark ? (distances[target] as number) : NOT_NEAR;
}

/** Length of the nearest key word: of two at the same place the longer one says more. */
export function lengthOf(target: number): number {
  return marks[target] === mark ? (lengths[target] as number) : 0;
}

/** Whether a general word is near, and no scheme is named nearer: `documento CPF` says which. */
export function isGeneralWordNear(): boolean {
  return isNear(GENERAL_TARGET) && distanceOf(GENERAL_TARGET) < nearestScheme;
}

export function isNear(target: number): boolean {
  return marks[target] === mark;
}

/** Whether the target's key word is (part of) the number's own key. */
export function isOwnKey(target: number): boolean {
  return marks[target] === mark && owns[target] === 1;
}

/** Whether the own key ends in `id` or `ids`; `alone`: and is no more than that. */
function ownKeyIsId(text: string, alone: boolean): boolean {
  let end = ownKeyEnd;
  if (end - ownKeyStart > 2 && (text.charCodeAt(end - 1) | 32) === 115) end--;
  if ((text.charCodeAt(end - 1) | 32) !== 100 || end - ownKeyStart < 2 || (text.charCodeAt(end - 2) | 32) !== 105)
    return false;
  const rest = end - 2 - ownKeyStart;
  return (rest === 0 || (rest === 1 && text.charCodeAt(ownKeyStart) === 95)) === alone;
}

/** The word that ends right before `end`, at most two characters away: its start, or -1. Its end is left in `wordEnd`. */
function wordBefore(text: string, end: number, lowest: number): number {
  let at = end - 1;
  while (at >= lowest && !isWordCode(text.charCodeAt(at))) at--;
  if (at < lowest) return -1;
  wordEnd = at + 1;
  let humpAt = -1;
  while (at > 0 && isWordCode(text.charCodeAt(at - 1)) && wordEnd - at < 40) {
    if (isUpper(text.charCodeAt(at)) && isLower(text.charCodeAt(at - 1))) {
      humpAt = at;
      break;
    }
    at--;
  }
  return humpAt >= 0 ? humpAt : at;
}

let wordEnd = 0;

/** So near is a word that names the number: `SSN 123…`, `ssn is 123…`. */
const NAMING = 4;

/** Whether a unit stands behind the number, `6363953901127 ns`, and no word names it: `SSN 123456789 us citizen`. */
function isMeasure(text: string): boolean {
  if (Math.min(nearestScheme, distanceOf(CARD_TARGET)) <= NAMING) return false;
  const start = subjectEnd + 1;
  if (text.charCodeAt(subjectEnd) !== 32 || start >= text.length) return false;
  let end = start;
  while (end < text.length && end - start < 13 && isWordCode(text.charCodeAt(end))) end++;
  // `MS JANE` is a title, `US` a country.
  return isLower(text.charCodeAt(start)) && UNITS.has(hashOf(text, start, end));
}

/**
 * Whether the number's own key (`order_id=`: `key`), or the word before it (`order `: `word`), says that it is another thing;
 * `id`: its key is no more than that. A number `isBare` when it has no separators.
 */
export function otherThing(text: string, isBare: boolean): 'no' | 'key' | 'word' | 'id' {
  if (ownKeyStart >= 0) {
    // `user_id=` and the like: a bare number there is a key of a table.
    if (isBare && ownKeyIsId(text, false)) return 'key';
    let isFirst = true;
    for (let end = ownKeyEnd; end > ownKeyStart; ) {
      const start = wordBefore(text, end, ownKeyStart);
      if (start < 0) break;
      const hash = hashOf(text, start, wordEnd);
      if (OTHER_THINGS.has(hash)) return 'key';
      // `order id: `: the key alone is empty, the word before it is not.
      if (isFirst && start === ownKeyStart && start > 0 && text.charCodeAt(start - 1) === 32 && EMPTY_WORDS.has(hash)) {
        const before = wordBefore(text, start - 1, start - 2);
        if (before >= 0 && OTHER_THINGS.has(hashOf(text, before, wordEnd))) return 'key';
      }
      isFirst = false;
      end = start;
    }
    return isBare && ownKeyIsId(text, true) ? 'id' : 'no';
  }
  if (isBare && isMeasure(text)) return 'key';
  for (let at = subjectStart - 1; at >= 0 && !isWordCode(text.charCodeAt(at)); at--) {
    const code = text.charCodeAt(at);
    if (subjectStart - at > 4) return 'no';
    if (!isQuoteOrBlank(code) && code !== 35 && code !== 40 && code !== 46 && code !== 91 && code !== 47 && code !== 45)
      return 'no';
  }
  const start = wordBefore(text, subjectStart, Math.max(0, subjectStart - 5));
  if (start < 0) return 'no';
  const hash = hashOf(text, start, wordEnd);
  if (OTHER_THINGS.has(hash)) return 'word';
  if (!EMPTY_WORDS.has(hash) || start < 2 || (text.charCodeAt(start - 1) !== 32 && text.charCodeAt(start - 1) !== 95))
    return 'no';
  const before = wordBefore(text, start - 1, start - 2);
  return before >= 0 && OTHER_THINGS.has(hashOf(text, before, wordEnd)) ? 'word' : 'no';
}
