// Which key words stand near a number, and whether its own key says that it is something else. Asked only for numbers that have
// passed every other check, so it may allocate; each call looks at a bounded window.
import { PAYMENT_CARD_KEY_WORDS } from '../../shared/pii-kinds/payment-card-kinds.ts';
import { GENERAL_KEY_WORDS, PII_KINDS } from '../../shared/pii-kinds/pii-kinds.ts';
import { NATIONAL_ID_RULES } from './national-ids/national-id-rules.ts';

/** How far a key word may stand from a number. */
const REACH_BEFORE = 48;
const REACH_AFTER = 30;
const LONGEST_KEY_WORD = 44;
const MOST_WORDS = 6;

/** Targets of key words: a rule's index in `NATIONAL_ID_RULES`, or one of these two. */
export const GENERAL_TARGET = NATIONAL_ID_RULES.length;
export const CARD_TARGET = NATIONAL_ID_RULES.length + 1;

/** Parts of a key (or the word right before a number) that say what the number is: not a person's. */
const OTHER_THINGS = new Set(
  (
    'order orders trace span request req session sess transaction txn txid tx trx invoice ticket tracking track shipment parcel waybill phone tel ' +
    'telephone telefon telefono mobile cell fax msisdn imei imsi iccid meid device serial sku ean upc gtin isbn issn asin product item article ' +
    'timestamp timestamps ts epoch created updated expires expiry expiration ttl offset offsets size bytes length len duration elapsed latency millis micros nanos ' +
    'pid tid ppid thread port seq sequence zxid txnid batch job jobid build version rev revision commit hash sha md5 crc checksum digest etag ' +
    'event correlation correlationid traceid spanid requestid orderid sessionid iban bban routing aba swift bic zip zipcode postal postcode ' +
    'lat lon lng latitude longitude amount price total balance qty quantity count counter index idx ray instance pod container cluster arn aws partition ' +
    'shard block blk inode addr address ip mac host channel tweet photo video image object row score rate ratio nonce token guid uuid ' +
    'merchant terminal stan bin parent dataset query worker attempt retry lsn xid gtid snowflake sequencenumber bestellung bestellnummer ' +
    'rechnung rechnungsnummer commande facture pedido factura ordine fattura msgid messageid barcode lot lote'
  ).split(' '),
);

/** Last words of a key that say nothing by themselves: the words before them count too. */
const EMPTY_WORDS = new Set(
  'id ids no nr num number numbers nummer numero numer code ref value val key is was are of the for my your his her'.split(
    ' ',
  ),
);
const LIST_WORDS = new Set('and or und oder y et e i och og en'.split(' '));

interface KeyWordIndex {
  readonly targets: ReadonlyMap<string, readonly number[]>;
  /** First words of key words with several. */
  readonly first: ReadonlySet<string>;
  /** Key words in scripts that do not put blanks between words: searched as they are. */
  readonly unspaced: readonly (readonly [string, readonly number[]])[];
}

const UNSPACED_SCRIPT = /[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/u;

/** Lower case without accents, so that `Numéro`, `NUMERO` and `numero` are one word. */
function fold(word: string): string {
  const lower = word.toLowerCase();
  for (let i = 0; i < lower.length; i++) {
    if (lower.charCodeAt(i) > 127) return lower.normalize('NFD').replace(/[\u0300-\u036f]/gu, '');
  }
  return lower;
}

function buildIndex(): KeyWordIndex {
  const targets = new Map<string, number[]>();
  const first = new Set<string>();
  const unspaced = new Map<string, number[]>();
  const add = (map: Map<string, number[]>, word: string, target: number): void => {
    const known = map.get(word);
    if (known === undefined) map.set(word, [target]);
    else if (!known.includes(target)) known.push(target);
  };
  const addKeyWord = (keyWord: string, target: number): void => {
    if (UNSPACED_SCRIPT.test(keyWord)) {
      add(unspaced, keyWord.replaceAll(' ', ''), target);
      return;
    }
    const words = fold(keyWord).split(' ');
    add(targets, words.join(' '), target);
    add(targets, `${words.join(' ')}s`, target);
    if (words.length > 1) {
      first.add(words[0] as string);
      // `nationalid`, `taxfilenumber`: written together. Initials such as `t c` are not.
      if (words.join('').length > 4) add(targets, words.join(''), target);
    }
  };
  NATIONAL_ID_RULES.forEach((rule, target) => {
    const kind = PII_KINDS.find((row) => row.scheme === rule.scheme);
    for (const keyWord of kind?.keywords ?? []) addKeyWord(keyWord, target);
  });
  for (const keyWord of GENERAL_KEY_WORDS) addKeyWord(keyWord, GENERAL_TARGET);
  for (const keyWord of PAYMENT_CARD_KEY_WORDS) addKeyWord(keyWord, CARD_TARGET);
  return { targets, first, unspaced: [...unspaced] };
}

const INDEX = buildIndex();

const FAR = 1000;
/** What `readContext` found last; the next call overwrites it. */
export interface NumberContext {
  /** Distance in characters of the nearest key word of a target; 1,000 and more: none. */
  readonly distance: Int32Array;
  /** The target's key word is (part of) the number's own key. */
  readonly own: Uint8Array;
  /** Whether the number's own key (`order_id=`), or the word before it (`order `), says that it is another thing; `id`: its key is no more than that. */
  otherThing: 'no' | 'key' | 'word' | 'id';
}

const context: NumberContext = {
  distance: new Int32Array(NATIONAL_ID_RULES.length + 2),
  own: new Uint8Array(NATIONAL_ID_RULES.length + 2),
  otherThing: 'no',
};

const words: string[] = [];
const wordStarts: number[] = [];
const wordEnds: number[] = [];

let subjectStart = 0;
let subjectEnd = 0;
let ownKeyStart = -1;
let ownKeyEnd = -1;

function isWordCode(code: number): boolean {
  if (code < 128) return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
  return (
    code >= 0xaa &&
    code !== 0xd7 &&
    code !== 0xf7 &&
    (code < 0x2000 || code > 0x2bff) &&
    (code < 0x3000 || code > 0x303f) &&
    code < 0xff00
  );
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
  if (start === end || /^[\d.-]+$/u.test(text.slice(start, end))) return;
  ownKeyStart = start;
  ownKeyEnd = end;
}

/** Cuts text[from, to) into lower-case words; `camelCase` and `snake_case` keys into their parts. */
function readWords(text: string, from: number, to: number): void {
  words.length = 0;
  wordStarts.length = 0;
  wordEnds.length = 0;
  let at = from;
  while (at < to) {
    if (!isWordCode(text.charCodeAt(at))) {
      at++;
      continue;
    }
    const start = at;
    let humps = 0;
    let digits = false;
    while (at < to) {
      const code = text.charCodeAt(at);
      if (!isWordCode(code)) break;
      if (code >= 48 && code <= 57) digits = true;
      if (at > start && code >= 65 && code <= 90) {
        const before = text.charCodeAt(at - 1);
        if (before >= 97 && before <= 122) humps++;
        else if (
          at + 1 < to &&
          before >= 65 &&
          before <= 90 &&
          text.charCodeAt(at + 1) >= 97 &&
          text.charCodeAt(at + 1) <= 122
        )
          humps++;
      }
      at++;
    }
    // An escape such as \n or \t before a word is no part of it.
    let wordStart = start;
    if (start > 0 && text.charCodeAt(start - 1) === 92 && at - start > 2 && 'nrt'.includes(text.charAt(start)))
      wordStart++;
    const whole = fold(text.slice(wordStart, at));
    if (humps > 0 && !digits) {
      note(INDEX.targets.get(whole), text, wordStart, at);
      let partStart = wordStart;
      for (let i = wordStart + 1; i <= at; i++) {
        const code = i < at ? text.charCodeAt(i) : 65;
        if (code < 65 || code > 90) continue;
        const before = text.charCodeAt(i - 1);
        const after = i + 1 < at ? text.charCodeAt(i + 1) : 0;
        if (i < at && !(before >= 97 && before <= 122) && !(after >= 97 && after <= 122)) continue;
        words.push(fold(text.slice(partStart, i)));
        wordStarts.push(partStart);
        wordEnds.push(i);
        partStart = i;
      }
    } else {
      words.push(whole);
      wordStarts.push(wordStart);
      wordEnds.push(at);
    }
  }
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
      if (seenNumber && !LIST_WORDS.has(text.slice(wordStart, i).toLowerCase())) return true;
      wordStart = -1;
    }
  }
  return false;
}

function note(targets: readonly number[] | undefined, text: string, start: number, end: number): void {
  if (targets === undefined) return;
  let distance: number;
  let own = 0;
  if (end <= subjectStart) {
    distance = subjectStart - end;
    if (distance > REACH_BEFORE || belongsToAnotherValue(text, start, end)) return;
    if (ownKeyStart >= 0 && start >= ownKeyStart && end <= ownKeyEnd) own = 1;
  } else {
    distance = start - subjectEnd;
    if (distance > REACH_AFTER) return;
    // A key of the next value, `123456789 ssn=…`, says nothing about this one.
    let at = end;
    while (at < text.length && at < end + 24 && (isWordCode(text.charCodeAt(at)) || text.charCodeAt(at) === 95)) at++;
    while (at < text.length && at < end + 24 && isQuoteOrBlank(text.charCodeAt(at))) at++;
    const code = at < text.length ? text.charCodeAt(at) : 0;
    if (code === 61 || code === 58) return;
  }
  // A longer key word at the same place counts more: `social security` before `security`.
  for (const target of targets) {
    if (distance < (context.distance[target] as number)) context.distance[target] = distance;
    if (own === 1) context.own[target] = 1;
  }
}

function matchWords(text: string): void {
  for (let i = 0; i < words.length; i++) {
    let phrase = words[i] as string;
    note(INDEX.targets.get(phrase), text, wordStarts[i] as number, wordEnds[i] as number);
    if (!INDEX.first.has(phrase)) continue;
    for (let j = i + 1; j < words.length && j < i + MOST_WORDS; j++) {
      if ((wordStarts[j] as number) - (wordEnds[j - 1] as number) > 3) break;
      phrase += ` ${words[j]}`;
      note(INDEX.targets.get(phrase), text, wordStarts[i] as number, wordEnds[j] as number);
    }
  }
}

/** Whether the words at the end of text[…subjectStart) name another thing: `order_id=`, `phone: `, `tracking number `. */
function namesAnotherThing(text: string, isBare: boolean): boolean {
  let last = words.length - 1;
  if (last < 0) return false;
  const gapStart = wordEnds[last] as number;
  if (ownKeyStart >= 0) {
    // `user_id=` and the like: a bare number there is a key of a table.
    if (isBare && /[a-z0-9][-_.]?ids?$/iu.test(text.slice(ownKeyStart, ownKeyEnd))) return true;
    for (let i = last; i >= 0 && (wordStarts[i] as number) >= ownKeyStart; i--) {
      if (OTHER_THINGS.has(words[i] as string)) return true;
      if ((wordStarts[i] as number) > ownKeyStart || !EMPTY_WORDS.has(words[i] as string)) continue;
      last = i - 1;
      return last >= 0 && ownKeyStart - (wordEnds[last] as number) <= 1 && OTHER_THINGS.has(words[last] as string);
    }
    return false;
  }
  for (let i = gapStart; i < subjectStart; i++) {
    const code = text.charCodeAt(i);
    if (!isQuoteOrBlank(code) && code !== 35 && code !== 40 && code !== 46 && code !== 91 && code !== 47 && code !== 45)
      return false;
  }
  if (subjectStart - gapStart > 4) return false;
  if (
    EMPTY_WORDS.has(words[last] as string) &&
    last > 0 &&
    (wordStarts[last] as number) - (wordEnds[last - 1] as number) <= 1
  )
    last--;
  return OTHER_THINGS.has(words[last] as string);
}

/** Reads the key words around text[start, end), which is `isBare` when it has no separators. The answer is shared and valid until the next call. */
export function readContext(text: string, start: number, end: number, isBare: boolean): NumberContext {
  context.distance.fill(FAR);
  context.own.fill(0);
  subjectStart = start;
  subjectEnd = end;
  readOwnKey(text);
  let from = Math.max(0, start - REACH_BEFORE - LONGEST_KEY_WORD);
  // A word that the window cuts in two is not read: its tail could be a key word by accident.
  while (from > 0 && from < start && isWordCode(text.charCodeAt(from - 1))) from++;
  readWords(text, from, start);
  matchWords(text);
  context.otherThing = namesAnotherThing(text, isBare) ? (ownKeyStart >= 0 ? 'key' : 'word') : 'no';
  if (
    context.otherThing === 'no' &&
    isBare &&
    ownKeyStart >= 0 &&
    /^_?ids?$/iu.test(text.slice(ownKeyStart, ownKeyEnd))
  ) {
    context.otherThing = 'id';
  }
  const to = Math.min(text.length, end + REACH_AFTER + LONGEST_KEY_WORD);
  readWords(text, end, to);
  matchWords(text);
  for (const [keyWord, targets] of INDEX.unspaced) {
    const before = text.slice(Math.max(0, start - REACH_BEFORE), start).lastIndexOf(keyWord);
    const after = text.slice(end, Math.min(text.length, end + REACH_AFTER)).indexOf(keyWord);
    if (before < 0 && after < 0) continue;
    for (const target of targets) context.distance[target] = Math.min(context.distance[target] as number, 10);
  }
  return context;
}

/** Whether a key word of the target stands near. */
export function isNear(target: number): boolean {
  return (context.distance[target] as number) < FAR;
}
