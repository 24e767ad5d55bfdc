// The keywords of all schemes by hash, so that the words around a number are looked up without
// building strings.
import { COUNTRIES, NATIONAL_IDS } from '../../shared/pii/national-ids.ts';
import { PAYMENT_CARD_KEYWORDS } from '../../shared/pii/payment-card-kinds.ts';
import { COUNTRY_KEYWORD_ENDINGS, GENERAL_KEYWORDS } from './general-keywords.ts';

/**
 * The target of a keyword: the index of a national id in `NATIONAL_IDS`, or one of these two
 * constants.
 */
export const GENERAL_TARGET = NATIONAL_IDS.length;
export const CARD_TARGET = NATIONAL_IDS.length + 1;

/** Start value of the FNV-1a hash. */
export const HASH_START = 0x811c9dc5 | 0;

/** Adds one character to an FNV-1a hash. */
export function hashCharacter(hash: number, code: number): number {
  return Math.imul(hash ^ code, 16_777_619);
}

/** The hash of a phrase, from the hash of the words so far and the hash of the next word. */
export function hashPhrase(wordsSoFar: number, word: number): number {
  return Math.imul(wordsSoFar ^ 0x5bd1e995, 0x9e3779b1) ^ word;
}

export function hashWord(word: string): number {
  let hash = HASH_START;
  for (let i = 0; i < word.length; i++) hash = hashCharacter(hash, word.charCodeAt(i));
  return hash;
}

function hashWords(list: string): ReadonlySet<number> {
  return new Set(list.split(' ').map(hashWord));
}

/**
 * Words of identifiers and quantities that are not personal data. A number that such a word labels
 * is not a finding.
 */
export const NON_PERSONAL_WORDS = hashWords(
  'order orders trace span request req session sess transaction txn txid tx trx invoice ticket tracking track shipment parcel waybill phone tel ' +
    'telephone telefon telefono mobile cell fax msisdn imei imsi iccid meid device serial sku ean upc gtin isbn issn asin product item article ' +
    'timestamp timestamps ts epoch created updated expires expiry expiration ttl offset offsets size bytes length len duration elapsed latency millis micros nanos ' +
    'pid tid ppid thread port seq sequence zxid txnid batch job jobid build version rev revision commit hash sha md5 crc checksum digest etag ' +
    'event correlation correlationid traceid spanid requestid orderid sessionid iban bban routing aba swift bic zip zipcode postal postcode ' +
    'lat lon lng latitude longitude amount price total balance qty quantity count counter index idx ray instance pod container cluster arn aws partition ' +
    'shard block blk inode addr address ip mac host channel tweet photo video image object row score rate ratio nonce token guid uuid ' +
    'merchant terminal stan bin parent dataset query worker attempt retry lsn xid gtid snowflake sequencenumber bestellung bestellnummer ' +
    'rechnung rechnungsnummer commande facture pedido factura ordine fattura msgid messageid barcode lot lote ' +
    'part parts model policy claim passport license licence ups usps dhl dpd gls tnt',
);

/** Units of measurement. A number with a unit after it is a quantity. */
export const UNITS = hashWords(
  'ns us ms nsec usec msec sec secs seconds milliseconds microseconds nanoseconds bytes kb mb kib mib packets rows',
);

/** Words of a label without a meaning of their own. The words before them decide. */
export const STOP_WORDS = hashWords(
  'id ids no nr num number numbers nummer numero numer code ref value val key is was are of the for my your his her',
);
/** Words between the values of a list. */
export const CONJUNCTIONS = hashWords('and or und oder y et e i och og en');

export interface KeywordIndex {
  /**
   * Targets by the hash of the keyword. Of a million other words, about one has the hash of a
   * keyword.
   */
  readonly targets: ReadonlyMap<number, readonly number[]>;
  /** Hashes of the first words of keywords that are phrases. */
  readonly firstWords: ReadonlySet<number>;
  /**
   * 1 at the last 16 bits of every hash in the two fields above. The check rejects most words
   * before a lookup.
   */
  readonly mayContain: Uint8Array;
  /** Keywords in scripts without blanks between words. The scanner searches the text for them. */
  readonly unspaced: readonly (readonly [string, readonly number[]])[];
}

const UNSPACED_SCRIPT = /[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/u;

const ASCII_ONLY = /^[ -~]*$/u;

/**
 * Converts a word to lower case without accents, so that `Numéro`, `NUMERO` and `numero` are equal.
 */
export function normalizeWord(word: string): string {
  const lower = word.toLowerCase();
  if (ASCII_ONLY.test(lower)) return lower;
  return lower.normalize('NFD').replace(/[\u0300-\u036f]/gu, '');
}

function buildIndex(): KeywordIndex {
  const targets = new Map<number, number[]>();
  const firstWords = new Set<number>();
  const unspaced = new Map<string, number[]>();
  const add = <K>(map: Map<K, number[]>, key: K, target: number): void => {
    const known = map.get(key);
    if (known === undefined) map.set(key, [target]);
    else if (!known.includes(target)) known.push(target);
  };
  const addKeyword = (keyword: string, target: number): void => {
    if (UNSPACED_SCRIPT.test(keyword)) {
      add(unspaced, keyword.replaceAll(' ', ''), target);
      return;
    }
    const words = normalizeWord(keyword).split(' ');
    for (const ending of ['', 's']) {
      add(targets, [...words.slice(0, -1), words.at(-1) + ending].map(hashWord).reduce(hashPhrase), target);
    }
    if (words.length === 1) return;
    firstWords.add(hashWord(words[0] as string));
    // Phrases are also written as one word: `nationalid`, `taxfilenumber`. Initials such as `t c`
    // would be ambiguous.
    const joined = words.join('');
    if (joined.length > 4) add(targets, hashWord(joined), target);
  };
  const adjectives = new Map(COUNTRIES.map((country) => [country.code, country.adjectives]));
  NATIONAL_IDS.forEach(({ keywords, country }, target) => {
    for (const keyword of keywords) addKeyword(keyword, target);
    for (const adjective of adjectives.get(country) ?? []) {
      for (const ending of COUNTRY_KEYWORD_ENDINGS) addKeyword(`${adjective} ${ending}`, target);
    }
  });
  for (const keyword of GENERAL_KEYWORDS) addKeyword(keyword, GENERAL_TARGET);
  for (const keyword of PAYMENT_CARD_KEYWORDS) addKeyword(keyword, CARD_TARGET);
  const mayContain = new Uint8Array(0x10000);
  for (const hash of [...targets.keys(), ...firstWords]) mayContain[hash & 0xffff] = 1;
  return { targets, firstWords, mayContain, unspaced: [...unspaced] };
}

export const KEYWORD_INDEX: KeywordIndex = buildIndex();
