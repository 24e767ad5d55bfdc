// Labels of values that are not personal data: `order_id=`, `trace `, a unit after the number.
import { classAt, DIGIT, isQuoteOrBlank, isTextWordAt, LOWER } from './characters.ts';
import { findWordStart, hashWord, hashWords } from './keyword-index.ts';
import { findElementName, type NumberContext, type OwnKey } from './number-context.ts';
import { type Candidate, isBareDigits } from './scanned-text.ts';

/** Words of identifiers and quantities. A number that such a word labels is not a finding. */
const NON_PERSONAL_WORDS = hashWords(
  'order orders trace span request req session sess transaction txn txid tx trx invoice ticket tracking track shipment parcel waybill phone tel ' +
    'telephone telefon telefono mobile cell fax msisdn imei imsi iccid meid ecid esn device serial sku ean upc sscc pallet gtin isbn issn asin product item article ' +
    'timestamp timestamps ts epoch created updated expires expiry expiration ttl offset offsets size bytes length len duration elapsed latency millis micros nanos ' +
    'pid tid ppid thread port seq sequence zxid txnid batch job jobid build version rev revision commit hash sha md5 crc checksum digest etag ' +
    'event correlation correlationid traceid spanid requestid orderid sessionid iban bban routing aba swift bic zip zipcode postal postcode ' +
    'lat lon lng latitude longitude amount price total balance qty quantity count counter index idx ray instance pod container cluster arn aws partition ' +
    'shard block blk inode addr address ip mac host channel tweet photo video image object row score rate ratio nonce token guid uuid ' +
    'merchant terminal stan bin parent dataset worker retry lsn xid gtid snowflake sequencenumber bestellung bestellnummer ' +
    'rechnung rechnungsnummer commande facture pedido factura ordine fattura msgid messageid barcode lot lote ' +
    'part parts model policy claim passport license licence ups usps dhl dpd gls tnt ' +
    'itf rt vat siret siren regon krs cvr kvk abn acn uen gstin ytunnus ogrn огрн едрпоу єдрпоу ico orgnr orgnummer organisasjonsnummer organisationsnummer ' +
    'booking confirmation reservation gift giftcard voucher coupon promo redeem redemption activation pairing recovery meeting webinar invitation gutschein gutscheincode cupon ' +
    'docket receipt quote quotation kid relatienummer klantnummer pernr journal seal rma crn kvnr krankenversichertennummer betslip accession idoc kenmerk betalingskenmerk vorgang vorgangsnummer zamowienie zamowienia przesylka przesylki objednavka comanda uzsakymas uzsakymo pasutijums pasutijuma tellimus tellimuse ordre bestilling tilaus заказ заказа бронь замовлення resi beleg belegnr belegnummer belegfeld planilla ubrn mprn mpan lanr omc омс полис dossier loan 送り状番号 お問い合わせ番号 伝票番号 追跡番号 流水号 订单号 单号 交易号 运单号 訂單編號 주문번호 송장번호',
);

/** Words that name such a value only before a word for "number": `customerNo=`. */
const NUMBERED_WORDS = hashWords(
  'customer client member subscriber contract meter reference student pupil loan case file application registration employee payer payee',
);

/** Units of measurement. A number with a unit after it is a quantity. */
const UNITS = hashWords(
  'ns us ms nsec usec msec sec secs seconds milliseconds microseconds nanoseconds bytes kb mb kib mib packets rows',
);

/** Words of a label without a meaning of their own. The words before them decide. */
const STOP_WORDS = hashWords(
  'id ids no nr num number numbers nummer numero numer code ref value val key is was are of the for my your his her',
);
/** Words that end the name of a reference: `paydayRef`, `payment_reference`. */
const REFERENCE_WORDS = hashWords('ref refs reference');
/** Words after the word that ends a key of a database: `personIdExternal`. */
const WORDS_AFTER_ID = hashWords('external internal ext int legacy old new raw');
/** Words that end in `id` and do not name an identifier: `card invalid: 4111…`. */
const WORDS_IN_ID = hashWords(
  'paid prepaid unpaid repaid valid invalid void avoid said aid bid grid hybrid rapid solid android liquid',
);

/** A keyword within this distance names the number: `SSN 123…`, `ssn is 123…`. */
const NAMING_DISTANCE = 4;
/** So many words without a meaning of their own can be before a number: `order id is`. */
const MAX_STOP_WORDS = 3;
/** The maximum number of characters between a word and the number that it labels. */
const MAX_LABEL_GAP = 4;
/** The same between a keyword and such a label that it outweighs: `SSN for user_id 123`. */
const MAX_KEYWORD_GAP = 8;
const TYPE_FIELD = /["'](?:type|kind)["']\s?:\s?["']([\w-]{2,30})["'],\s?["']$/u;
const ID_WORD = /(?:\w*(?:_|[a-z](?=I))[Ii][Dd]|\w+ID|\w*[a-z](?:_r|R)ef) $/u;
/** A number of the key `pid` that is too long for the id of a process is the id of a person. */
const MIN_PERSON_ID_LENGTH = 11;
const PERSON_ID = hashWord('pid');
const ROW = hashWord('row');
const TOKEN = hashWord('token');
/** `PO number`. In other languages, `po` is a preposition. */
const PURCHASE_ORDER = hashWord('po');

/**
 * The label that marks a number as not personal data. `key`: the number's own key (`order_id=`),
 * the name of its XML element without a keyword near, or its unit. `word`: the word before the
 * number (`order `). `id`: the number's own key is only `id`, so a payment card needs a keyword.
 */
export type NonPersonalLabel = 'none' | 'key' | 'word' | 'id';

export function findNonPersonalLabel(number: Candidate, context: NumberContext): NonPersonalLabel {
  const { text, start } = number;
  if (context.ownKey !== undefined) return findLabelInKey(number, context.ownKey);
  const isBare = isBareDigits(number);
  const element = findElementName(text, start);
  if (element !== undefined && context.keywordDistance > start - element.start + NAMING_DISTANCE) {
    const label = findLabelInKey(number, element);
    if (label !== 'none' && (isBare || context.keywordDistance === Infinity)) return label;
  }
  if (isBare && isQuantity(number, context)) return 'key';
  return isLabelledByWord(number) || (isBare && isLabelledByIdWord(number, context)) ? 'word' : 'none';
}

/**
 * Finds a label in the number's own key. Any word of the key can label bare digits. Only the last
 * word with a meaning of its own labels other forms: `session.user=123-45-6789`.
 */
function findLabelInKey(number: Candidate, key: OwnKey): NonPersonalLabel {
  const { text, shape } = number;
  if (shape.length >= MIN_PERSON_ID_LENGTH && hashWord(text, key.start, key.end) === PERSON_ID) return 'none';
  const idKey = classifyIdKey(text, key);
  // The value of `user_id=` is a key of a database table.
  if (idKey === 'prefixed') return 'key';
  const isBare = isBareDigits(number);
  let areStopWords = true;
  for (let end = key.end, isLast = true; end > key.start; isLast = false) {
    const wordEnd = findWordEnd(text, end, key.start);
    if (wordEnd < 0) break;
    const start = findWordStart(text, wordEnd);
    const hash = hashWord(text, start, wordEnd);
    if (isNonPersonal(text, start, wordEnd, hash)) return 'key';
    if (!isLast && areStopWords && NUMBERED_WORDS.has(hash)) return 'key';
    areStopWords &&= STOP_WORDS.has(hash);
    // In `order id: `, the key has no meaning without the word before it.
    if (
      isLast &&
      areStopWords &&
      start === key.start &&
      text.charAt(start - 1) === ' ' &&
      endsNonPersonal(text, start - 1)
    )
      return 'key';
    if (!isBare && !areStopWords) break;
    end = start;
  }
  if (idKey === 'id') return 'id';
  return isNumberOfType(text, key) ? 'key' : 'none';
}

/** Whether the field before the key `number` names another type: `"type":"invoice","number":"…`. */
function isNumberOfType(text: string, { start, end }: OwnKey): boolean {
  if (text.slice(start, end) !== 'number') return false;
  const type = TYPE_FIELD.exec(text.slice(Math.max(0, start - 48), start))?.[1];
  return type !== undefined && endsNonPersonal(type, type.length);
}

/** Whether the last word before the number, or the word before stop words, is not personal. */
function isLabelledByWord(number: Candidate): boolean {
  const { text, start: numberStart } = number;
  let end = numberStart;
  while (end > 0 && !isTextWordAt(text, end - 1)) {
    if (numberStart - end >= MAX_LABEL_GAP || !canFollowLabel(text.charAt(end - 1))) return false;
    end--;
  }
  if (end === 0) return false;
  const start = findWordStart(text, end);
  const hash = hashWord(text, start, end);
  if (hash === ROW && /^["'][;,\t|]/u.test(text.charAt(numberStart - 1) + text.charAt(number.end))) return false;
  if (hash === PERSON_ID && number.shape.length >= MIN_PERSON_ID_LENGTH) return false;
  // A token can be a piece of text.
  if (hash === TOKEN && !isBareDigits(number)) return false;
  return isNonPersonal(text, start, end, hash) || (STOP_WORDS.has(hash) && isNumberOfAnything(text, start));
}

/** Whether a word that is not personal precedes the stop word at `start`: `order id is`. */
function isNumberOfAnything(text: string, start: number): boolean {
  let wordStart = start;
  for (let words = 0; words < MAX_STOP_WORDS && wordStart > 1; words++) {
    const end = wordStart - 1;
    if (!' _'.includes(text.charAt(end)) || !isTextWordAt(text, end - 1)) return false;
    wordStart = findWordStart(text, end);
    const hash = hashWord(text, wordStart, end);
    if (isNonPersonal(text, wordStart, end, hash) || hash === PURCHASE_ORDER) return true;
    if (!STOP_WORDS.has(hash)) return false;
  }
  return false;
}

/**
 * Whether a key of a database table precedes the number: `user_id 123`. A keyword within it or
 * before it outweighs it: `citizen_id 123`, `NHS patient_id 123`.
 */
function isLabelledByIdWord({ text, start }: Candidate, context: NumberContext): boolean {
  if (text.charAt(start - 1) !== ' ' || !/[iI][dD]|ef/u.test(text.slice(Math.max(0, start - 3), start - 1)))
    return false;
  const word = ID_WORD.exec(text.slice(Math.max(0, start - 41), start))?.[0];
  return word !== undefined && word.length + MAX_KEYWORD_GAP < context.keywordDistance;
}

/** Whether the word that ends at `end` is not personal. */
function endsNonPersonal(text: string, end: number): boolean {
  if (!isTextWordAt(text, end - 1)) return false;
  const start = findWordStart(text, end);
  return isNonPersonal(text, start, end, hashWord(text, start, end));
}

/**
 * Whether the word with the given hash is not personal. Digits at its end do not count: `gtin14`.
 */
function isNonPersonal(text: string, start: number, end: number, hash: number): boolean {
  if (NON_PERSONAL_WORDS.has(hash)) return true;
  let lettersEnd = end;
  while (lettersEnd > start && classAt(text, lettersEnd - 1) === DIGIT) lettersEnd--;
  return lettersEnd < end && lettersEnd > start && NON_PERSONAL_WORDS.has(hashWord(text, start, lettersEnd));
}

/** The end of the last word before `before` whose last character is at `lowest` or later, or -1. */
function findWordEnd(text: string, before: number, lowest: number): number {
  for (let at = before - 1; at >= lowest; at--) if (isTextWordAt(text, at)) return at + 1;
  return -1;
}

/** Whether the character can be between a label and its number: `order #123`, `注文「123`. */
function canFollowLabel(character: string): boolean {
  return isQuoteOrBlank(character) || '#№([./-「'.includes(character);
}

/**
 * `id`: the key is `id`, `ids` or `_id`. `prefixed`: it is longer and ends in `id`, `ids` or a word
 * for a reference. `personIdExternal` ends in `id` in this sense.
 */
function classifyIdKey(text: string, { start, end: keyEnd }: OwnKey): 'id' | 'prefixed' | 'other' {
  let end = keyEnd;
  const lastStart = findWordStart(text, end);
  if (lastStart > start) {
    const last = hashWord(text, lastStart, end);
    if (REFERENCE_WORDS.has(last)) return 'prefixed';
    if (WORDS_AFTER_ID.has(last)) end = isTextWordAt(text, lastStart - 1) ? lastStart : lastStart - 1;
  }
  const key = text.slice(start, end);
  if (!/ids?$/iu.test(key)) return 'other';
  if (/^_?ids?$/iu.test(key)) return 'id';
  const last = end - (key.endsWith('s') ? 1 : 0);
  return WORDS_IN_ID.has(hashWord(text, findWordStart(text, last), last)) ? 'other' : 'prefixed';
}

/** Whether a unit follows the number, `6363953901127 ns`, and no keyword names the number. */
function isQuantity({ text, end }: Candidate, context: NumberContext): boolean {
  if (text.charAt(end) !== ' ' || classAt(text, end + 1) !== LOWER || context.namingDistance <= NAMING_DISTANCE)
    return false;
  let unitEnd = end + 1;
  while (unitEnd - end < 14 && isTextWordAt(text, unitEnd)) unitEnd++;
  return UNITS.has(hashWord(text, end + 1, unitEnd));
}
