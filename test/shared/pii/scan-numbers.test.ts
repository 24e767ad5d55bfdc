import { describeRows } from './rows.ts';

describeRows('the boundaries of payment cards', [
  ['paid 4111 1111 1111 1111 12 345', 'visa:4111 1111 1111 1111'],
  ['paid 4111 1111 1111 1111 12 345 9.50', 'visa:4111 1111 1111 1111'],
  ['paid 4111 1111 1111 1111 12 345 123456789012345678901234', 'visa:4111 1111 1111 1111'],
  ['paid 4111 1111 1111 1111;12;345;9', 'visa:4111 1111 1111 1111'],
  ['paid 4111 1111 1111 1111;12 345 9', 'visa:4111 1111 1111 1111'],
  ['paid 4111 1111 1111 1111    ok', 'visa:4111 1111 1111 1111'],
  ['paid 4111 1111 1111 1111   1  2  3', 'visa:4111 1111 1111 1111'],
  ['paid 4111 1111 1111 1111 by Ann at noon', 'visa:4111 1111 1111 1111'],
  ['1234 4111-1111-1111-1111 ok', 'visa:4111-1111-1111-1111'],
  ['cpu 4111 1111 1111 1111 0 0 0'],
  ['cpu 4111 1111 1111 1111 12345 idle'],
  ['cpu 4111 1111 1111 1111 0 0 0 0'],
  ['cpu  4111 1111 1111 1111  0 0 0'],
  ['cpu  4111 1111 1111 1111  0  0  0'],
  ['cpu 4111 1111 1111 1111 0 0 0 idle'],
  ['1234 4111 1111 1111 1111 1234 1234 1234 1234'],
  ['1234 4111 1111 1111 1111 5500 0000 0000 00041'],
  ['1234 4111 1111 1111 1111;5500 0000 0000 0004 ok', 'mastercard:5500 0000 0000 0004'],
  ['4111111111111111&cvv=123', 'visa:4111111111111111'],
  ['x-4111111111111111&cvv=123'],
  ['4222222222222=25121011000012345678', 'visa:4222222222222=25121011000012345678'],
  ['4929722653797141123=25121011000012345678', 'visa:4929722653797141123=25121011000012345678'],
  ['4111111111111111d25121011000012345678f', 'visa:4111111111111111d25121011000012345678f'],
  ['36999900000002=25121011000012345678', 'diners:36999900000002=25121011000012345678'],
  ['4111111111111111^DOE/JOHN^25121011000000?', 'visa:4111111111111111'],
  ['A4111111111111111^DOE/JOHN^25121011000000?'],
  ['xB4111111111111111^DOE/JOHN^25121011000000?'],
  ['x.4111111111111111=25121011000012345678'],
]);

describeRows('formats of particular systems', [
  ['FP CCVI4111111111111111/2912/N830510', 'visa:4111111111111111'],
  ['5-CC/*VI4111111111111111¥03/31 FORM OF PAYMENT', 'visa:4111111111111111'],
  ['F.VI4111111111111111*D0331', 'visa:4111111111111111'],
  ['FOP CC/VI4111111111111111/D0331', 'visa:4111111111111111'],
  ['F002 (PAN) -> 2200000000000004', 'mir:2200000000000004'],
  ['<field id="11" value="4222222222222"/>'],
  ['15A=2200000000000004 9F24 280131'],
  ['2200000000000004 5F24AB'],
  ['PID|1||331437507^^^USSSA^SS||Doe', 'us_ssn:331437507'],
  ['tipo_documento=CC numero_documento=1967448632', 'co_cc:1967448632'],
  ['joe@example.com-failed', 'email:joe@example.com'],
  ['f12=2200000000000004'],
  ['F2.1=2200000000000004'],
  ['CA4111111111111111'],
  ['FVI4111111111111111'],
  ['4111111111111*1111'],
  ['app@db.eu-west-1'],
  ['app@ip-10.us-east-1.compute.internal'],
  ['{"system":"urn:oid:2.16.840.1.113883.4.19","value":"331437507"}'],
  ['run,name\nDoe,23268842-4'],
  ['run: ok\n23268842-4'],
  ['redeem code 8738-9062-6412'],
  ['BSN||Sharma^Ruth||19830622|F'],
  ['BSN: 19830622', 'nl_bsn:19830622'],
  ['IRD ref 66751899', 'nz_ird:66751899'],
  ['<CAKx1abcDEF=_xyz+z@mail.gmail.com>'],
  ['Message-ID: <a1b2c3@mail.gmail.com>'],
]);

const TRACKS = [
  'visa:%B4111111111111111^DOE/JOHN^25121011000000000000000000000000?',
  'amex:%B371449635398431^O BRIEN/ANNE MRS      ^27032010000000000?',
  'mastercard:B5555555555554444^DOE/JOHN^2512101',
  'visa:;4111111111111111=25121011000012345678?',
  'mastercard:5555555555554444=2512101123456789',
  'visa:4111111111111111D25121011000012345678F',
  'visa:%25B4111111111111111%5EDOE%2FJOHN%5E25121011000000',
];

describeRows(
  'track data and the text around it',
  TRACKS.flatMap((finding) => {
    const track = finding.slice(finding.indexOf(':') + 1);
    return [`swipe ${track} ok`, `{"data":"${track}"}`, `track=${track}`].map((text) => [text, finding] as const);
  }),
);

describeRows('track data', [
  [
    '%B4111111111111111^DOE/JOHN^25121011000000000000000000000000?;4111111111111111=25121011000012345678?',
    'visa:%B4111111111111111^DOE/JOHN^25121011000000000000000000000000?',
    'visa:;4111111111111111=25121011000012345678?',
  ],
  ['4111111111111112=25121011000012345678'],
  ['%B4111111111111112^DOE/JOHN^25121011000000?'],
  ['a4111111111111111=25121011000012345678'],
  ['0.4111111111111111=25121011000012345678'],
  ['4111111111111111D25121011000012345678Fxyz'],
  ['4111111111111111D9'],
  ['1700000000000000=2512101'],
]);

describeRows('A scanner reads each written form of a number', [
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

describeRows('A grouping that no card has printed needs a keyword', [
  ['4111 11111111 1111'],
  ['card 4111 11111111 1111', 'visa:4111 11111111 1111'],
  ['4111 1111 11111111'],
  ['card 4111 1111 11111111', 'visa:4111 1111 11111111'],
]);

describeRows('A prefix in lower case is a part of the number', [
  ['nino ab 12 34 56 c', 'gb_nino:ab 12 34 56 c'],
  ['ab 12 34 56 c (nino)', 'gb_nino:ab 12 34 56 c'],
  ['nino kab 12 34 56 c'],
  ['nie x 2482300 w', 'es_nie:x 2482300 w'],
]);

describeRows('One or two letters after a blank or a separator are check letters, and a word is not', [
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

describeRows('A slash or a plus beside a word does not continue a number', [
  ['pesel 44051401359/abc', 'pl_pesel:44051401359'],
  ['pesel 44051401359/Ab', 'pl_pesel:44051401359'],
  ['pesel=44051401359+ok', 'pl_pesel:44051401359'],
  ['DNI 12345678Z/2', 'es_dni:12345678Z'],
  ['DNI 12345678-z/2', 'es_dni:12345678-z'],
  ['A/12345678Z dni', 'es_dni:12345678Z'],
]);

describeRows('A number of seven digits ends at a quote, a comma or a bracket', [
  ['{"dni":"4565850","id":7}', 'ar_dni:4565850'],
  ['dni 4565850, ok', 'ar_dni:4565850'],
  ['<dni>4565850</dni>', 'ar_dni:4565850'],
  ['order 4565850, ok'],
]);

describeRows('A number of seven digits is read after a label of several words, and before any word', [
  ['{"cedula_ciudadania":"9131641","ok":1}', 'co_cc:9131641'],
  ['cédula de ciudadanía 9131641, ok', 'co_cc:9131641'],
  ['dni_number="4565850" ok', 'ar_dni:4565850'],
  ['dni: 4565850 argentina', 'ar_dni:4565850'],
  ['dni of the size: 4565850 bytes'],
  ['heap size: 4565850 argentina'],
]);

describeRows('The groups of a chain that no scheme has are not read one by one', [
  ['ssn a1b2c3d4e5f6a7b8c9d0-123-45-6789'],
  ['ssn a1b2c3d4e5f6a7b8c9d0-12 123-45-6789', 'us_ssn:123-45-6789'],
  ['x-amz-request-id 3C8FE0BA6F3F44A6'],
]);

describeRows('The groups of an IBAN are no number, and a card beside it is one', [
  ['NO93 8601 1117 947 4111 1111 1111 1111', 'visa:4111 1111 1111 1111'],
  ['IBAN ES91 2100 0418 4502 0005 1332 card 4111 1111 1111 1111', 'visa:4111 1111 1111 1111'],
  ['IBAN GB29 NWBK 6016 1331 9268 19, card 4111 1111 1111 1111', 'visa:4111 1111 1111 1111'],
  ['AB12 1111 2222 3333 4444 5555 6666 7777 8888 4111 1111 1111 1111 card', 'visa:4111 1111 1111 1111'],
]);

describeRows('Groups are no IBAN if they do not begin with a country and two digits or are not of four', [
  ['card A129 4111 1111 1111 1111', 'visa:4111 1111 1111 1111'],
  ['card 1A29 4111 1111 1111 1111', 'visa:4111 1111 1111 1111'],
  ['card ABC9 4111 1111 1111 1111', 'visa:4111 1111 1111 1111'],
  ['card AB1C 4111 1111 1111 1111', 'visa:4111 1111 1111 1111'],
  ['card GB29 NWBK 6016 abcd 4111 1111 1111 1111', 'visa:4111 1111 1111 1111'],
  ['card AB12 4111111111111111', 'visa:4111111111111111'],
]);

describeRows('A checked number of four groups outweighs the word before it, and one of three does not', [
  ['order 756.9217.0769.85', 'ch_ahv:756.9217.0769.85'],
  ['order 12.531.909-2', 'cl_rut:12.531.909-2'],
  ['order X-2482300-W', 'es_nie:X-2482300-W'],
  ['part number X2482300W'],
  ['docket 732-33-3498'],
  ['order 2341-2341-2346'],
  ['order 756 9217 0769 85'],
  ['order 710319/2745'],
]);

describeRows('A word that names something else hides a number in a weak form, and the key of another scheme does not', [
  ['D296136682', 'tw_nid:D296136682'],
  ['lot D296136682'],
  ['national id batch: D296136682'],
  ['national id lot D296136682'],
  ['nino=D296136682', 'tw_nid:D296136682'],
  ['no. kp 780-09-7552', 'us_ssn:780-09-7552'],
]);

describeRows('The word for a card hides numbers in groups of four only', [
  ['2341-2341-2346', 'in_aadhaar:2341-2341-2346'],
  ['card X-2482300-W', 'es_nie:X-2482300-W'],
  ['card 123-45-6789', 'us_ssn:123-45-6789'],
]);

describeRows('The key of a reference needs a label of the scheme beside it', [['uid=2341-2341-2346']]);

describeRows('Digits that can be a date of this or the last century need a label within 12 characters', [
  ['dni del socio: 20010101', 'ar_dni:20010101'],
  ['dni del cliente 20010101'],
  ['dni of this customer 19000101'],
  ['dni of this customer 20351231'],
  ['dni of this customer 18991231', 'ar_dni:18991231'],
  ['dni of this customer 20360101', 'ar_dni:20360101'],
  ['dni of this customer 20011301', 'ar_dni:20011301'],
]);

describeRows('Digits in groups after an ambiguous label are a number from eight digits on', [
  ['cc 1.234.567'],
  ['cc 12.345.678', 'co_cc:12.345.678'],
]);

describeRows('A failed check near a number hides it unless its own scheme has passed the check', [
  [
    'dni 12345678 ................................................................................ check digit failed',
    'ar_dni:12345678',
  ],
  ['nie X-2482300-W check digit failed', 'es_nie:X-2482300-W'],
  ['X-2482300-W check digit failed', 'es_nie:X-2482300-W'],
]);

describeRows('The word id hides a card directly before it, also in a long text', [
  ['id 4111111111111111 not found ................................................................................'],
  ['found ids (4111111111111111)'],
  ['id a 4111111111111111', 'visa:4111111111111111'],
]);

describeRows('The country at the end of a key decides between schemes', [
  ['national_id=37605030299', 'ee_ik:37605030299'],
  ['national_id_ee=37605030299', 'ee_ik:37605030299'],
]);

describeRows('The key of a number outweighs other keywords, and of these a nearer one a farther one', [
  ['isikukood=37605030299 asmens kodas', 'ee_ik:37605030299'],
  ['asmens_kodas=37605030299 isikukood', 'lt_ak:37605030299'],
  ['isikukood asmens_kodas=37605030299', 'lt_ak:37605030299'],
  ['asmens kodas of the customer was changed, new isikukood 37605030299', 'ee_ik:37605030299'],
  ['order_card=4111111111111111', 'visa:4111111111111111'],
  ['order_id: 4111111111111111 card'],
]);

describeRows('A number that is attached to other text needs a keyword within 24 characters', [
  ['pesel                      x-44051401359', 'pl_pesel:44051401359'],
  ['pesel.......................x-44051401359'],
]);

describeRows('A number of eleven characters with letters and check digits needs no keyword in a path', [
  ['GET /users/131052A308T', 'fi_hetu:131052A308T'],
  ['GET /users/X2482300W'],
  ['GET /person/S1234567D'],
  ['MyInfo GET /person/S1234567D', 'sg_nric:S1234567D'],
]);

describeRows('A number within the local part of an address is a part of the address', [
  ['ssn 123-45-6789.joe@example.com', 'email:123-45-6789.joe@example.com'],
  ['a123-45-6789@example.com 123-45-6789', 'email:a123-45-6789@example.com', 'us_ssn:123-45-6789'],
  ['A123456(3)"joe smith"@example.com', 'hk_hkid:A123456(3)', 'email:"joe smith"@example.com'],
]);

describeRows('The first and the last numbers of a range are cards of its brand', [
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
