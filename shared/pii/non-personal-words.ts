// The words that name a value which is not personal data, and words without a meaning of their own.
import { hashWords } from './words.ts';

/** Words of identifiers and quantities. A number that such a word labels is not a finding. */
export const NON_PERSONAL_WORDS = hashWords(
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
export const NUMBERED_WORDS = hashWords(
  'customer client member subscriber contract meter reference student pupil loan case file application registration employee payer payee',
);

/** Units of measurement. A number with a unit after it is a quantity. */
export const UNITS = hashWords(
  'ns us ms nsec usec msec sec secs seconds milliseconds microseconds nanoseconds bytes kb mb kib mib packets rows',
);

/** Words of a label without a meaning of their own. The words before them decide. */
export const STOP_WORDS = hashWords(
  'id ids no nr num number numbers nummer numero numer code ref value val key is was are of the for my your his her',
);
/** Words that end the name of a reference: `paydayRef`, `payment_reference`. */
export const REFERENCE_WORDS = hashWords('ref refs reference');
/** Words after the word that ends a key of a database: `personIdExternal`. */
export const WORDS_AFTER_ID = hashWords('external internal ext int legacy old new raw');
/** Words that end in `id` and do not name an identifier: `card invalid: 4111…`. */
export const WORDS_IN_ID = hashWords(
  'paid prepaid unpaid repaid valid invalid void avoid said aid bid grid hybrid rapid solid android liquid',
);
/** Words between an ambiguous label and its number: persons, and what encloses a value. */
export const NEUTRAL_WORDS = hashWords(
  'patient paciente pacient client cliente customer holder titular employee empleado trabajador payer platnyka ' +
    'de del td th dd b n r s u string value val query optional some parameters params args bind binds the duplicate key is 1',
);
