// The key words of all schemes by hash, so that reading the words around a number makes no strings.
import { COUNTRY_ADJECTIVES, COUNTRY_KEY_WORD_ENDINGS } from '../../shared/pii-kinds/country-key-words.ts';
import { PAYMENT_CARD_KEY_WORDS } from '../../shared/pii-kinds/payment-card-kinds.ts';
import { GENERAL_KEY_WORDS, PII_KINDS } from '../../shared/pii-kinds/pii-kinds.ts';
import { COUNTRY_OF_SCHEME, NATIONAL_ID_RULES } from './national-ids/national-id-rules.ts';

/** Targets of key words: a rule's index in `NATIONAL_ID_RULES`, or one of these two. */
export const GENERAL_TARGET = NATIONAL_ID_RULES.length;
export const CARD_TARGET = NATIONAL_ID_RULES.length + 1;

/** FNV-1a, one character at a time; begins with this. */
export const HASH_START = 0x811c9dc5 | 0;

export function hashCharacter(hash: number, code: number): number {
  return Math.imul(hash ^ code, 16_777_619);
}

/** The hash of a phrase from the hash of its beginning and that of its next word. */
export function hashPhrase(beginning: number, word: number): number {
  return Math.imul(beginning ^ 0x5bd1e995, 0x9e3779b1) ^ word;
}

export function hashWord(word: string): number {
  let hash = HASH_START;
  for (let i = 0; i < word.length; i++) hash = hashCharacter(hash, word.charCodeAt(i));
  return hash;
}

function hashes(list: string): ReadonlySet<number> {
  return new Set(list.split(' ').map(hashWord));
}

/** Parts of a key (or the word right before a number) that say what the number is: not a person's. */
export const OTHER_THINGS = hashes(
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

/** What a number counts when it stands before one of these. */
export const UNITS = hashes(
  'ns us ms nsec usec msec sec secs seconds milliseconds microseconds nanoseconds bytes kb mb kib mib packets rows',
);

/** Last words of a key that say nothing by themselves: the words before them count too. */
export const EMPTY_WORDS = hashes(
  'id ids no nr num number numbers nummer numero numer code ref value val key is was are of the for my your his her',
);
export const LIST_WORDS = hashes('and or und oder y et e i och og en');

export interface KeyWordIndex {
  /** Targets by the hash of the word or phrase. One word of a log in a million has the hash of a key word by chance. */
  readonly targets: ReadonlyMap<number, readonly number[]>;
  /** First words of key words with several. */
  readonly first: ReadonlySet<number>;
  /** By the last 16 bits of a word's hash: whether one of the two above can have it. Most words of a log end here. */
  readonly mayHave: Uint8Array;
  /** Key words in scripts that do not put blanks between words: searched as they are. */
  readonly unspaced: readonly (readonly [string, readonly number[]])[];
}

const UNSPACED_SCRIPT = /[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/u;

const ASCII_ONLY = /^[ -~]*$/u;

/** Lower case without accents, so that `Numéro`, `NUMERO` and `numero` are one word. */
export function fold(word: string): string {
  const lower = word.toLowerCase();
  if (ASCII_ONLY.test(lower)) return lower;
  return lower.normalize('NFD').replace(/[\u0300-\u036f]/gu, '');
}

function buildIndex(): KeyWordIndex {
  const targets = new Map<number, number[]>();
  const first = new Set<number>();
  const unspaced = new Map<string, number[]>();
  const add = <K>(map: Map<K, number[]>, key: K, target: number): void => {
    const known = map.get(key);
    if (known === undefined) map.set(key, [target]);
    else if (!known.includes(target)) known.push(target);
  };
  const addKeyWord = (keyWord: string, target: number): void => {
    if (UNSPACED_SCRIPT.test(keyWord)) {
      add(unspaced, keyWord.replaceAll(' ', ''), target);
      return;
    }
    const words = fold(keyWord).split(' ');
    for (const ending of ['', 's']) {
      add(targets, [...words.slice(0, -1), words.at(-1) + ending].map(hashWord).reduce(hashPhrase), target);
    }
    if (words.length === 1) return;
    first.add(hashWord(words[0] as string));
    // `nationalid`, `taxfilenumber`: written together. Initials such as `t c` are not.
    const together = words.join('');
    if (together.length > 4) add(targets, hashWord(together), target);
  };
  NATIONAL_ID_RULES.forEach((rule, target) => {
    const kind = PII_KINDS.find((row) => row.scheme === rule.scheme);
    for (const keyWord of kind?.keywords ?? []) addKeyWord(keyWord, target);
    for (const adjective of COUNTRY_ADJECTIVES[COUNTRY_OF_SCHEME.get(rule.scheme) ?? ''] ?? []) {
      for (const ending of COUNTRY_KEY_WORD_ENDINGS) addKeyWord(`${adjective} ${ending}`, target);
    }
  });
  for (const keyWord of GENERAL_KEY_WORDS) addKeyWord(keyWord, GENERAL_TARGET);
  for (const keyWord of PAYMENT_CARD_KEY_WORDS) addKeyWord(keyWord, CARD_TARGET);
  const mayHave = new Uint8Array(0x10000);
  for (const hash of [...targets.keys(), ...first]) mayHave[hash & 0xffff] = 1;
  return { targets, first, mayHave, unspaced: [...unspaced] };
}

export const KEY_WORDS: KeyWordIndex = buildIndex();
