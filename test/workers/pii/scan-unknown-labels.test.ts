import { expect } from 'chai';
import { found } from './found.ts';

const CARD = '4111111111111111';
const CHINESE_ID = '11010119900307803X';
const FRENCH_ID = '180126955222380';

describe('createScanner for bare digits with a label that it does not know', () => {
  it('The scanner ignores a card under a key, an element or a column with another name', () => {
    for (const text of [
      `pspReference=${CARD} success=true`,
      `{ref: "${CARD}"}`,
      `<AcctSvcrRef>${CARD}</AcctSvcrRef>`,
      `<Data Name="SessionKey">${CARD}</Data>`,
      `{"label":"deviceId","value":"${CARD}"}`,
      `name="assetTag" value="${CARD}"`,
      `ORC|RE|709057265|${CARD}`,
      `35=D|11=${CARD}|55=SAP`,
      `[gc][${CARD}] overhead`,
      `?20EREF+${CARD}?32JANE`,
      `Duplicate entry '${CARD}' for key 'orders.ref'`,
      `http_requests_total{code="200"} ${CARD} 1781770274253`,
      `伝票番号=${CARD}`,
      `{"type":"invoice","number":"${CARD}","country":"SG"}`,
    ])
      expect(found(text), text).to.deep.equal([]);
  });

  it('The scanner ignores a card after a word that names something else, and after any before a number sign', () => {
    for (const text of [
      `my confirmation is ${CARD}`,
      `Бронь № ${CARD} снята`,
      `流水号 ${CARD}`,
      `booking ${CARD} confirmed`,
      `student no. ${CARD}`,
      `BIR form 1701 ref no ${CARD}`,
      `Vorgangsnr. ${CARD}`,
      `my order id is ${CARD} thanks`,
      `PO number ${CARD}`,
      `Belegfeld1 ${CARD}`,
      `nomor resi ${CARD}`,
      `docket 7 receipt number ${CARD} filer`,
      `ext ref ${CARD} block 7`,
      `linked RMA ${CARD} sprint 7`,
      `Kundennr. 7, Vorgang ${CARD}`,
      `Заказ ${CARD} передан`,
    ])
      expect(found(text), text).to.deep.equal([]);
  });

  it('The scanner finds a card after neutral words, names and keys, and beside its expiry date', () => {
    for (const text of [
      CARD,
      `paid with ${CARD}`,
      `Zahlung mit ${CARD}`,
      `Jane Doe ${CARD} is a customer`,
      `acct=${CARD}`,
      `{"value":"${CARD}"}`,
      `GET /search?q=${CARD}&page=2`,
      `reference ${CARD} 12/29`,
      `column|${CARD}|1229|`,
      `DE002=${CARD}`,
      `PORTEUR=${CARD}&DATEVAL=1229`,
      `{"ident":"${CARD}","expiryMonth":"07"}`,
      `{"cvv":"123","ident":"${CARD}"}`,
      `{Ident:${CARD} ExpMonth:6 ExpYear:2033}`,
      `%{ident: "${CARD}", month: 8, year: 2029}`,
      `{"ident":"${CARD}","month":"08","year":"29"}`,
      `6204,"Robert Parker",${CARD},12/32,16.31`,
      `VALUES ('Grace Marsh','${CARD}','12/29')`,
      `<Ident>${CARD}</Ident><Expires>10/28</Expires>`,
      `ident=${CARD} validite=1029`,
      `CB=${CARD} montant=797.89`,
      `CRD-NUM=${CARD}`,
      `refund file 57|${CARD}|978`,
      `{"type":"visa","number":"${CARD}"}`,
      `her number is ${CARD}`,
      `cardmember number ${CARD}`,
      `account number ${CARD}`,
      `{"label":"card","value":"${CARD}"}`,
    ])
      expect(found(text), text).to.have.length(1);
  });

  it('The scanner finds a card in what people write, and in fields of free text', () => {
    for (const text of [
      `please use ${CARD} instead`,
      `she said ${CARD}`,
      `caller quoted ${CARD}`,
      `Kunde nannte ${CARD}`,
      `note: ${CARD}`,
      `kart sahibi ${CARD} verdi`,
      `TLV 5A ${CARD} 5F24 291231`,
      `the unheard-of ${CARD}`,
      `comment="${CARD}"`,
      `{"description":"${CARD}"}`,
      `Bemerkung: ${CARD}`,
    ])
      expect(found(text), text).to.have.length(1);
  });

  it('The scanner reads national ids that need no keyword in the same way', () => {
    for (const id of [CHINESE_ID, FRENCH_ID]) {
      for (const text of [`odometer=${id}`, `განცხადება № ${id}`]) expect(found(text), text).to.deep.equal([]);
      for (const text of [
        id,
        `user ${id} signed in`,
        `username=${id}`,
        `patient ${id} admitted`,
        `document number ${id}`,
      ])
        expect(found(text), text).to.have.length(1);
    }
  });

  it('The scanner finds a card in groups after any word', () => {
    for (const text of ['token 4111 1111 1111 1111', 'please do not send 2204 2904 0392 2138', '6759 3877 9704 6464'])
      expect(found(text), text).to.have.length(1);
  });

  it('The scanner reads the word for a card in many languages', () => {
    for (const word of [
      'kredi kartı numarası',
      'số thẻ',
      'क्रेडिट कार्ड',
      'номер картки',
      'kártyaszáma',
      'քարտ',
      'kad kredit',
      'کارڈ',
    ])
      expect(found(`${word} 2200172078289353`), word).to.have.length(1);
  });
});
