import { expect } from 'chai';
import { createScanner } from '../../../workers/pii/scan-personal-data.ts';

/** A text, and its findings as `scheme:text`. */
type Row = readonly [text: string, ...findings: string[]];

/** Compares the findings of a new scanner, so that a test also covers the tables of its shapes. */
function expectFindings(rows: readonly Row[], options?: Parameters<typeof createScanner>[0]): void {
  const scan = createScanner(options);
  expect(
    rows.map(([text]) => [text, ...scan(text).map(({ scheme, start, end }) => `${scheme}:${text.slice(start, end)}`)]),
  ).to.deep.equal(rows);
}

describe('createScanner at the boundaries of numbers', () => {
  it('A scanner reads each written form of a number', () => {
    expectFindings([
      ['nino=AB+12+34+56+C', 'gb_nino:AB+12+34+56+C'],
      ['nino: ab123456c', 'gb_nino:ab123456c'],
      ['x 12345678z', 'es_dni:12345678z'],
      ['x-2482300-w (nie)', 'es_nie:x-2482300-w'],
      ['HKID A123456[3]', 'hk_hkid:A123456[3]'],
      ['HKID A123456(3]'],
      ['HKID A123456[3'],
      ['citizen id 2640875398252', 'th_pin:2640875398252'],
      ['card 4929722653797141123', 'visa:4929722653797141123'],
      ['card 49297226537971411230'],
      ['card=4111+1111+1111+1111', 'visa:4111+1111+1111+1111'],
      ['3782.822463.10005', 'amex:3782.822463.10005'],
      ['4111/1111/1111/1111'],
      ['123_45_6789 ssn'],
      ['ssn_123456789', 'us_ssn:123456789'],
      ['ssn 123_45678'],
      ['1+2345+45678+78+1'],
      ['a123456789'],
      ['ab123456c'],
      ['4111111111111111=25121011000012345678', 'visa:4111111111111111=25121011000012345678'],
    ]);
  });

  it('A grouping that no card has printed needs a keyword', () => {
    expectFindings([
      ['4111 11111111 1111'],
      ['card 4111 11111111 1111', 'visa:4111 11111111 1111'],
      ['4111 1111 11111111'],
      ['card 4111 1111 11111111', 'visa:4111 1111 11111111'],
    ]);
  });

  it('A scanner for some kinds reads track data only if cards are among them', () => {
    const track = '4111111111111111=25121011000012345678';
    expectFindings([[track]], { kinds: ['national_id', 'email'] });
    expectFindings([[track, `visa:${track}`]], { kinds: ['payment_card'] });
  });

  it('A prefix in lower case is a part of the number', () => {
    expectFindings([
      ['nino ab 12 34 56 c', 'gb_nino:ab 12 34 56 c'],
      ['ab 12 34 56 c (nino)', 'gb_nino:ab 12 34 56 c'],
      ['nino kab 12 34 56 c'],
      ['nie x 2482300 w', 'es_nie:x 2482300 w'],
    ]);
  });

  it('One or two letters after a blank or a separator are check letters, and a word is not', () => {
    expectFindings([
      ['DNI 12345678 Z ok', 'es_dni:12345678 Z'],
      ['DNI 12 345 678 Z', 'es_dni:12 345 678 Z'],
      ['DNI 12.345.678.z', 'es_dni:12.345.678.z'],
      ['DNI 12345678- Z', 'ar_dni:12345678'],
      ['DNI 12345678 Zoe', 'ar_dni:12345678'],
      ['DNI 12345678.Then', 'ar_dni:12345678'],
      ['cédula 1556585... ok', 'co_cc:1556585'],
      ['PPS 6433435 FT', 'ie_pps:6433435 FT'],
      ['PPS 6433435 FT.', 'ie_pps:6433435 FT'],
      ['PPS 6433435 FTX'],
    ]);
  });

  it('A slash or a plus beside a word does not continue a number', () => {
    expectFindings([
      ['pesel 44051401359/abc', 'pl_pesel:44051401359'],
      ['pesel 44051401359/Ab', 'pl_pesel:44051401359'],
      ['pesel=44051401359+ok', 'pl_pesel:44051401359'],
      ['DNI 12345678Z/2', 'es_dni:12345678Z'],
      ['DNI 12345678-z/2', 'es_dni:12345678-z'],
      ['A/12345678Z dni', 'es_dni:12345678Z'],
    ]);
  });

  it('A number of seven digits ends at a quote, a comma or a bracket', () => {
    expectFindings([
      ['{"dni":"4565850","id":7}', 'ar_dni:4565850'],
      ['dni 4565850, ok', 'ar_dni:4565850'],
      ['<dni>4565850</dni>', 'ar_dni:4565850'],
      ['order 4565850, ok'],
    ]);
  });

  it('A number of seven digits is read after a label of several words, and before any word', () => {
    expectFindings([
      ['{"cedula_ciudadania":"9131641","ok":1}', 'co_cc:9131641'],
      ['cédula de ciudadanía 9131641, ok', 'co_cc:9131641'],
      ['dni_number="4565850" ok', 'ar_dni:4565850'],
      ['dni: 4565850 argentina', 'ar_dni:4565850'],
      ['dni of the size: 4565850 bytes'],
      ['heap size: 4565850 argentina'],
    ]);
  });

  it('The groups of a chain that no scheme has are not read one by one', () => {
    expectFindings([
      ['ssn a1b2c3d4e5f6a7b8c9d0-123-45-6789'],
      ['ssn a1b2c3d4e5f6a7b8c9d0-12 123-45-6789', 'us_ssn:123-45-6789'],
      ['x-amz-request-id 3C8FE0BA6F3F44A6'],
    ]);
  });

  it('The groups of an IBAN are no number, and a card beside it is one', () => {
    const card = 'visa:4111 1111 1111 1111';
    expectFindings([
      ['card GB29 4111 1111 1111 1111'],
      ['aadhaar AB12 2341 2341 2346'],
      ['NO93 8601 1117 947 4111 1111 1111 1111', card],
      ['IBAN ES91 2100 0418 4502 0005 1332 card 4111 1111 1111 1111', card],
      ['IBAN GB29 NWBK 6016 1331 9268 19, card 4111 1111 1111 1111', card],
      ['AB12 1111 2222 3333 4444 5555 6666 7777 8888 4111 1111 1111 1111 card', card],
    ]);
  });

  it('Groups are no IBAN if they do not begin with a country and two digits or are not of four', () => {
    const card = 'visa:4111 1111 1111 1111';
    expectFindings([
      ['card A129 4111 1111 1111 1111', card],
      ['card 1A29 4111 1111 1111 1111', card],
      ['card ABC9 4111 1111 1111 1111', card],
      ['card AB1C 4111 1111 1111 1111', card],
      ['card GB29 NWBK 6016 abcd 4111 1111 1111 1111', card],
      ['card AB12 4111 1111 11111111', 'visa:4111 1111 11111111'],
      ['card AB12 4111111111111111', 'visa:4111111111111111'],
    ]);
  });
});

describe('createScanner for the evidence of a number', () => {
  it('A checked number of four groups outweighs the word before it, and one of three does not', () => {
    expectFindings([
      ['order 756.9217.0769.85', 'ch_ahv:756.9217.0769.85'],
      ['order 12.531.909-2', 'cl_rut:12.531.909-2'],
      ['order X-2482300-W', 'es_nie:X-2482300-W'],
      ['part number X2482300W'],
      ['docket 732-33-3498'],
      ['order 2341-2341-2346'],
      ['order 756 9217 0769 85'],
      ['order 710319/2745'],
    ]);
  });

  it('A word that names something else hides a number in a weak form, and the key of another scheme does not', () => {
    expectFindings([
      ['D296136682', 'tw_nid:D296136682'],
      ['lot D296136682'],
      ['national id batch: D296136682'],
      ['national id lot D296136682'],
      ['nino=D296136682', 'tw_nid:D296136682'],
      ['no. kp 780-09-7552', 'us_ssn:780-09-7552'],
    ]);
  });

  it('The word for a card hides numbers in groups of four only', () => {
    expectFindings([
      ['2341-2341-2346', 'in_aadhaar:2341-2341-2346'],
      ['gift card 2341-2341-2346'],
      ['card X-2482300-W', 'es_nie:X-2482300-W'],
      ['card 123-45-6789', 'us_ssn:123-45-6789'],
    ]);
  });

  it('The key of a reference needs a label of the scheme beside it', () => {
    expectFindings([['uid=2341-2341-2346'], ['aadhaar {"uid":"2341-2341-2346"}', 'in_aadhaar:2341-2341-2346']]);
  });

  it('Digits that can be a date of this or the last century need a label within 12 characters', () => {
    expectFindings([
      ['dni del socio: 20010101', 'ar_dni:20010101'],
      ['dni del cliente 20010101'],
      ['dni of this customer 19000101'],
      ['dni of this customer 20351231'],
      ['dni of this customer 18991231', 'ar_dni:18991231'],
      ['dni of this customer 20360101', 'ar_dni:20360101'],
      ['dni of this customer 20011301', 'ar_dni:20011301'],
    ]);
  });

  it('Digits in groups after an ambiguous label are a number from eight digits on', () => {
    expectFindings([['cc 1.234.567'], ['cc 12.345.678', 'co_cc:12.345.678']]);
  });

  it('A failed check near a number hides it unless its own scheme has passed the check', () => {
    expectFindings([
      ['dni 12345678 check digit failed'],
      ['pesel X-2482300-W check digit failed'],
      [`dni 12345678 ${'.'.repeat(80)} check digit failed`, 'ar_dni:12345678'],
      ['nie X-2482300-W check digit failed', 'es_nie:X-2482300-W'],
      ['X-2482300-W check digit failed', 'es_nie:X-2482300-W'],
    ]);
  });

  it('The word id hides a card directly before it, also in a long text', () => {
    expectFindings([
      [`id 4111111111111111 not found ${'.'.repeat(80)}`],
      ['found ids (4111111111111111)'],
      ['id a 4111111111111111', 'visa:4111111111111111'],
    ]);
  });

  it('The country at the end of a key decides between schemes', () => {
    expectFindings([
      ['national_id=37605030299', 'ee_ik:37605030299'],
      ['national_id_lt=37605030299', 'lt_ak:37605030299'],
      ['national_id_ee=37605030299', 'ee_ik:37605030299'],
      ['national_id_fi=37605030299'],
    ]);
  });

  it('The key of a number outweighs other keywords, and of these a nearer one a farther one', () => {
    expectFindings([
      ['isikukood=37605030299 asmens kodas', 'ee_ik:37605030299'],
      ['asmens_kodas=37605030299 isikukood', 'lt_ak:37605030299'],
      ['isikukood asmens_kodas=37605030299', 'lt_ak:37605030299'],
      ['asmens kodas of the customer was changed, new isikukood 37605030299', 'ee_ik:37605030299'],
      ['order_card=4111111111111111', 'visa:4111111111111111'],
      ['order_id: 4111111111111111 card'],
    ]);
  });

  it('A number that is attached to other text needs a keyword within 24 characters', () => {
    expectFindings([
      [`pesel${' '.repeat(22)}x-44051401359`, 'pl_pesel:44051401359'],
      [`pesel${'.'.repeat(23)}x-44051401359`],
    ]);
  });

  it('A number of eleven characters with letters and check digits needs no keyword in a path', () => {
    expectFindings([
      ['GET /users/131052A308T', 'fi_hetu:131052A308T'],
      ['GET /users/X2482300W'],
      ['GET /person/S1234567D'],
      ['MyInfo GET /person/S1234567D', 'sg_nric:S1234567D'],
    ]);
  });

  it('A number within the local part of an address is a part of the address', () => {
    expectFindings([
      ['ssn 123-45-6789.joe@example.com', 'email:123-45-6789.joe@example.com'],
      ['a123-45-6789@example.com 123-45-6789', 'email:a123-45-6789@example.com', 'us_ssn:123-45-6789'],
      ['A123456(3)"joe smith"@example.com', 'hk_hkid:A123456(3)', 'email:"joe smith"@example.com'],
    ]);
  });
});

describe('createScanner for the rule of a finding', () => {
  it('The rule of a finding is the evidence that decided', () => {
    const scan = createScanner();
    const rules = {
      '4111 1111 1111 1111': 'checksum',
      'card 4111 11111111 1111': 'context',
      '4111111111111111=25121011000012345678': 'checksum',
      'joe@example.com': 'format',
    };
    expect(Object.fromEntries(Object.keys(rules).map((text) => [text, scan(text)[0]?.rule]))).to.deep.equal(rules);
  });
});

describe('createScanner at the ends of the ranges of issuers', () => {
  it('The first and the last numbers of a range are cards of its brand', () => {
    expectFindings([
      ['2221000000000009', 'mastercard:2221000000000009'],
      ['2720990000000007', 'mastercard:2720990000000007'],
      ['card 2721000000000004'],
      ['5599990000000008', 'mastercard:5599990000000008'],
      ['4999990000000007', 'visa:4999990000000007'],
      ['349999000000003', 'amex:349999000000003'],
      ['379999000000006', 'amex:379999000000006'],
      ['6011990000000006', 'discover:6011990000000006'],
      ['6599990000000006', 'discover:6599990000000006'],
      ['30599900000006', 'diners:30599900000006'],
      ['30959900000002', 'diners:30959900000002'],
      ['39999900000009', 'diners:39999900000009'],
      ['3589990000000005', 'jcb:3589990000000005'],
      ['6299990000000009', 'unionpay:6299990000000009'],
      ['card 2200000000000004', 'mir:2200000000000004'],
      ['card 2204990000000002', 'mir:2204990000000002'],
      ['card 2205000000000009'],
      ['card 199999000000004', 'other_card:199999000000004'],
      ['card 100000000000009', 'other_card:100000000000009'],
      ['card 2199990000000009'],
    ]);
  });
});
