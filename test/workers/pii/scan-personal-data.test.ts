import { expect } from 'chai';
import {
  CARD_BRANDS,
  createRandom,
  grouped,
  luhnNumber,
  NUMBER_SCHEMES,
} from '../../../scripts/bench/generated-numbers.ts';
import { ADVERSARIAL_SHAPES } from '../../../scripts/bench/pii-bench.ts';
import { generateLabelledLines } from '../../../scripts/bench/pii-labelled-lines.ts';
import { redact } from '../../../workers/pii/redact.ts';
import { createScanner } from '../../../workers/pii/scan-personal-data.ts';

const scan = createScanner();

/** The findings of a text as `scheme:text`. */
function found(text: string): string[] {
  return scan(text).map(({ scheme, start, end }) => `${scheme}:${text.slice(start, end)}`);
}

describe('createScanner', () => {
  it('returns findings in order, without overlaps, with offsets in the given text', () => {
    const text = 'joe@example.com paid with 4111 1111 1111 1111, ssn 123-45-6789';
    expect(scan(text).map(({ type, start, end }) => [type, text.slice(start, end)])).to.deep.equal([
      ['email', 'joe@example.com'],
      ['payment_card', '4111 1111 1111 1111'],
      ['national_id', '123-45-6789'],
    ]);
  });

  it('reports the rule that decided and a confidence', () => {
    expect(scan('RSSMRA85T10A562S')[0]).to.include({ country: 'IT', rule: 'checksum', scheme: 'it_cf' });
    expect(scan('pesel 44051401359')[0]).to.include({ country: 'PL', rule: 'context', scheme: 'pl_pesel' });
    expect(scan('123-45-6789')[0]).to.include({ country: 'US', rule: 'format', scheme: 'us_ssn' });
    for (const text of ['RSSMRA85T10A562S', 'pesel 44051401359', '123-45-6789', 'a@example.com']) {
      expect(scan(text)[0]?.confidence).to.be.within(0.5, 1);
    }
  });

  it('reports no country for an e-mail address', () => {
    expect(scan('joe@example.com')[0]).to.not.have.property('country');
  });

  it('detects only the configured kinds and countries', () => {
    const text = 'joe@example.com 4111111111111111 123-45-6789 RSSMRA85T10A562S';
    const types = (scanner: ReturnType<typeof createScanner>): string[] => scanner(text).map(({ scheme }) => scheme);
    expect(types(createScanner({ kinds: ['email'] }))).to.deep.equal(['email']);
    expect(types(createScanner({ kinds: ['payment_card'] }))).to.deep.equal(['visa']);
    expect(types(createScanner({ kinds: ['national_id'], countries: ['it'] }))).to.deep.equal(['it_cf']);
  });

  it('returns the same findings for the same text, regardless of the texts before it', () => {
    const texts = ['order 123456782', 'sin 123456782', '123456782', '身份证 x', 'ssn: 123456789'];
    const alone = texts.map((text) => createScanner()(text));
    expect(texts.map((text) => scan(text))).to.deep.equal(alone);
    expect([...texts].reverse().map((text) => scan(text))).to.deep.equal(alone.reverse());
  });

  describe('national ids', () => {
    for (const generator of NUMBER_SCHEMES) {
      const random = createRandom(17);
      const numbers = Array.from({ length: 40 }, () => generator.generate(random));

      it(`finds ${generator.scheme} without a keyword in some forms, and with one in the others`, () => {
        const missed: string[] = [];
        const check = (text: string, value: string): void => {
          const findings = scan(text);
          const [first] = findings;
          if (
            findings.length !== 1 ||
            first?.country !== generator.country ||
            text.slice(first.start, first.end) !== value
          )
            missed.push(text);
        };
        for (const number of numbers) {
          for (const form of generator.standaloneForms) {
            const value = form(number);
            for (const text of [
              value,
              `user ${value} ok`,
              `{"v":"${value}"}`,
              `(${value}).`,
              `\\"${value}\\"`,
              `${generator.keywords[0]}: ${value}`,
            ])
              check(text, value);
          }
          for (const form of generator.keywordForms) {
            const value = form(number);
            for (const word of generator.keywords) {
              check(`${word}: ${value}`, value);
              check(`${word} ${value}`, value);
              check(`INFO updated ${word}=${value} ip=10.0.0.1`, value);
              check(`{"${word}":"${value}","request_id":"4711"}`, value);
              check(`the ${word} of the customer is ${value}.`, value);
              check(`got ${value} (${word})`, value);
            }
          }
        }
        expect(missed).to.deep.equal([]);
      });

      const bare = generator.keywordForms.filter((form) => /^\d+$/u.test(form(numbers[0] as string)));
      if (bare.length > 0) {
        it(`ignores bare digits of ${generator.scheme} without a keyword`, () => {
          // Sixteen digits can also be a payment card.
          const wrong = numbers.flatMap((number) =>
            bare.flatMap((form) => scan(`value ${form(number)} stored`).filter(({ type }) => type === 'national_id')),
          );
          expect(wrong).to.deep.equal([]);
        });
      }
    }

    it('ignores numbers with a wrong check digit, date or range, even next to a keyword', () => {
      const texts = [
        'pesel 44051401358',
        'RSSMRA85T10A562T',
        'DNI 12345678A',
        'NHS number 943 476 5918',
        'SIN 123-456-789',
        'CPF 111.444.777-36',
        'ssn 000-12-3456',
        'ssn 666-12-3456',
        'ssn 912-12-3456',
        'ssn 123-00-4567',
        'ssn 123-45-0000',
        'NINO BG123456A',
        'NINO AB123456E',
        'HETU 131052-308U',
        'BSN 111222334',
        'TC kimlik 10000000147',
        'AHV 756.9217.0769.86',
        'CPR 320113-1234',
        'rodné číslo 715530/1234',
        'CURP BOXW310820HNERXN08',
        '身份证 110101199013074519',
        'PAN ABCDE1234F',
        'RRN 991332-1234567',
        'codice fiscale RSSMRA85Z10A562S',
        'DNI peruano 101174103',
        'NIF M1234567A',
        'nif 0000000000000',
        'RRN 051102-9234110',
        'rijksregisternummer 61063412383',
        'SNILS 578-246-469 45',
        'NIR 2 37 05 24 594 783 61',
        'tax id 15 332 729 515',
      ];
      expect(texts.filter((text) => scan(text).length > 0)).to.deep.equal([]);
    });

    it('distinguishes schemes of the same form by their keywords', () => {
      expect(found('isikukood 37605030299')).to.deep.equal(['ee_ik:37605030299']);
      expect(found('asmens kodas 37605030299')).to.deep.equal(['lt_ak:37605030299']);
      expect(found('slovenské rodné číslo 710319/2745')).to.deep.equal(['sk_rc:710319/2745']);
      expect(found('Lithuanian personal code 37605030299')).to.deep.equal(['lt_ak:37605030299']);
      expect(found('Estonian personal code 37605030299')).to.deep.equal(['ee_ik:37605030299']);
      expect(found('Peru DNI: 10117410')).to.deep.equal(['pe_dni:10117410']);
      expect(found('order tax file number: 876543210')).to.deep.equal(['au_tfn:876543210']);
      expect(found('710319/2745')).to.deep.equal(['cz_rc:710319/2745']);
    });

    it('accepts a general keyword for a number that passes its check', () => {
      expect(scan('personal identity code 44051401359')[0]).to.include({ country: 'PL' });
      expect(scan('documento do CPF ou national id 44051401359')[0]).to.include({ country: 'PL' });
      expect(scan('national_id=44051401359')[0]).to.include({ country: 'PL', rule: 'context' });
      expect(scan('identity number: 44051401359')).to.have.length(1);
      expect(scan('Polish national identification number 44051401359')[0]).to.include({ country: 'PL' });
      expect(scan('national identification number 44051401359')[0]).to.include({ country: 'PL' });
      expect(scan('citizen 44051401358')).to.deep.equal([]);
    });

    it('finds the rarer written forms', () => {
      const texts = [
        'x-2482300w',
        '54362315-K',
        'DNI 1234567L',
        '2 55 08 14 168 025 38',
        '15 070649 C 103',
        '131052-308T',
        '131052-308t',
        'ЕГН 752316 926 3',
        'SVNR 1237 010180',
        '756.9217.0769.85',
        'SIN 123-456-782',
        'BSN 1112.22.333',
        'teudat zehut 3933742-3',
        'ID number 750330 5044 08 9',
        '971013-9019902',
        'PPS 6433435F',
        'PPS 6433435FT',
        'A123456(3)',
        '12.531.909-2',
        '390.533.447-05',
        '1-2345-45678-78-1',
        'numéro fiscal 30 23 217 600 053',
        'CUIT 20-05536168-2',
        'IRD 49-091-850',
        'ssn 078-051123',
        'AB 12 34 56 C',
        'nino: ab123456c',
        'PERSONNUMMER 8803200016',
        '234123412346 aadhaar',
        '2341-2341-2346',
        'DNI peruano 10117410-2',
        'AB-12-34-56-C',
        'HKID A1234563',
        'HKID A123456[3]',
        'fødselsnummer 01739010043',
        'nino AB123456',
        'Steuer-ID 12345678903',
        '659/299/7048/9 Steuer-ID',
        'CUIT 20.05536168.2',
        'NIF M1234567L',
        'national number 93 05 18-223.61',
        'DNI peruano 101174102',
        'teudat zehut 39337423',
        'IRD 4909185-0',
        'RFC COMG600703',
        '身份证 110101491001001',
        'cartão de cidadão 00000000 0 ZZ 4',
        'fødselsnummer 070765306-31',
        'fødselsnummer 07-07-65-30631',
        'fødselsnummer 07 07 65 30 631',
        'BSN 332.72.9515',
        'BSN 332 72 9515',
        'rijksregisternummer 61273409366',
        'rijksregisternummer 85/0730-03328',
        'rodné číslo 8803197800',
        '578-246-469 44',
        '330712-1842',
      ];
      expect(texts.filter((text) => scan(text).length !== 1)).to.deep.equal([]);
    });

    it('finds a number of 13 digits without check digits only next to a keyword of its scheme', () => {
      expect(found('numéro de sécurité sociale 2370524594783')).to.deep.equal(['fr_nir:2370524594783']);
      expect(found('national id 2370524594783')).to.deep.equal([]);
      expect(found('citizen id 2640875398252')).to.deep.equal(['th_pin:2640875398252']);
    });

    it('finds an identity number of 13 digits as South African if it is a valid one', () => {
      expect(scan('identity number: 5209133037186')[0]).to.include({ country: 'ZA' });
      expect(scan('identity number: 7208274211087')[0]).to.include({ country: 'ZA' });
    });

    it('needs a keyword for numbers that the authorities declared void', () => {
      expect(found('078-05-1120')).to.deep.equal([]);
      expect(found('ssn 078-05-1120')).to.deep.equal(['us_ssn:078-05-1120']);
    });

    it('needs a keyword for a personnummer that can be a timestamp', () => {
      const number = grouped(luhnNumber(createRandom(1), '240115123', 10), [6, 4], '-');
      expect(found(number)).to.deep.equal([]);
      expect(found(`personnummer ${number}`)).to.deep.equal([`se_pnr:${number}`]);
    });
  });

  describe('keywords', () => {
    const positives: [string, string][] = [
      ['userSsn=123456789', 'us_ssn:123456789'],
      ['customer_ssn: "123456789"', 'us_ssn:123456789'],
      ['{"ssn":{"value":"123456789"}}', 'us_ssn:123456789'],
      ['SSNs: 123456789 and 212456789', 'us_ssn:123456789'],
      ['nhsNumber=9434765919', 'gb_nhs:9434765919'],
      ['123456789 is my SSN', 'us_ssn:123456789'],
      ['Numéro de sécurité sociale : 2 55 08 14 168 025 38', 'fr_nir:2 55 08 14 168 025 38'],
      ['ЕГН: 7523169263', 'bg_egn:7523169263'],
      ['รหัสปชช 3411612490655', 'th_pin:3411612490655'],
      ['nüfus cüzdanı 37928201080', 'tr_tckn:37928201080'],
      ['rodné č. 6310141123', 'cz_rc:6310141123'],
      ['תז=166566653', 'il_id:166566653'],
      ['"steuerIdentNr":"41283157900"', 'de_tax_id:41283157900'],
      ['navs13: 7565218409050', 'ch_ahv:7565218409050'],
      ['fødselsnummeret 27069019809 finnes ikke', 'no_fnr:27069019809'],
      ['personnumret 2707121840 saknas', 'se_pnr:2707121840'],
      ['asmens kodą 33309240064', 'lt_ak:33309240064'],
      ['N° national 61273409366', 'be_nrn:61273409366'],
      ['N° fiscal : 3023217600053', 'fr_nif:3023217600053'],
      ['S.I.N. 562 570 291', 'ca_sin:562 570 291'],
      ['D.N.I. 27.345.678', 'ar_dni:27.345.678'],
      ['No. K/P: 850412-10-5321', 'my_nric:850412-10-5321'],
      ['TC: 37928201080', 'tr_tckn:37928201080'],
      ['birth_number=27069019809', 'no_fnr:27069019809'],
      ['GET /?num%C3%A9ro_fiscal=3023217600053&x=1', 'fr_nif:3023217600053'],
      ['GET /?%EC%A3%BC%EB%AF%BC%EB%B2%88%ED%98%B8=5312242336471', 'kr_rrn:5312242336471'],
      ['GET /?%E5%80%8B%E4%BA%BA%E7%95%AA%E5%8F%B7=812056734346', 'jp_my_number:812056734346'],
      ['permanent resident number 5209133037186', 'za_id:5209133037186'],
    ];
    for (const [text, finding] of positives)
      it(`are found in: ${text}`, () => expect(found(text)[0]).to.equal(finding));

    const negatives = [
      'pan=0.73 sin=-0.5 value 123456782',
      'sin=0.5 id=046454286',
      'nas01 mounted 046454286',
      'span 123456782 closed',
      'message_id: 123456782',
      'order_id: 123456789 ssn: none',
      'lookup of ssn for order 123456789',
      '123456789 ssn=',
      'pesel: 44051401358 phone: 44051401359',
      'cf-ray: 9434765919',
      'trace_id=44051401359 pesel=null',
      '6310141123 lookup, documento nacional de identidad: -',
      '20261121 101500 worker[7]: bsn service started',
      'visa form rendered in 4111111111111111 ns',
      'nhs import wrote 9434765919 bytes',
      'part number AB-12-34-56-C',
      'policy 212-45-6789 renewed',
      'DHL 2341 2341 2346 delivered',
      'temperature 55.032.328 K',
      'passport no. 212 45 6789',
      'Norwegian national id: 09038626330',
      'documento CPF: 89814059054',
      'personal identity number: 197812205936',
      'national id desk: +48 009 078 654',
      'id card reader 722917710 attached',
      'identity card 330923721 printed',
    ];
    for (const text of negatives) it(`are ignored in: ${text}`, () => expect(found(text)).to.deep.equal([]));

    it('have no effect beyond the maximum distance', () => {
      expect(found(`ssn ${'- '.repeat(30)}123456789`)).to.deep.equal([]);
      expect(found(`123456789 ${'- '.repeat(30)}ssn`)).to.deep.equal([]);
    });

    it('take precedence over a word after the number that can be a unit', () => {
      for (const text of ['SSN 123456789 us citizen', 'her ssn is 123456789 US', 'ssn 123456789 sec filing'])
        expect(found(text), text).to.deep.equal(['us_ssn:123456789']);
      expect(found('NHS number 9434765919 Ms Lee')).to.deep.equal(['gb_nhs:9434765919']);
      for (const text of [
        'card 4111111111111111 us',
        'paid 4111111111111111 MS LEE',
        'visa 4111111111111111 sec code 123',
      ])
        expect(found(text), text).to.deep.equal(['visa:4111111111111111']);
    });

    it('are found after the colon of a number that begins the line', () => {
      expect(found('123456789: SSN of the payer')).to.deep.equal(['us_ssn:123456789']);
      expect(found('44051401359: PESEL')).to.deep.equal(['pl_pesel:44051401359']);
    });

    it('apply to every value of a list', () => {
      expect(found('ssns=[123456789, 212456789]')).to.deep.equal(['us_ssn:123456789', 'us_ssn:212456789']);
    });
  });

  describe('payment cards', () => {
    for (const card of CARD_BRANDS) {
      it(`finds ${card.brand} with ${card.length} digits${card.needsKeyword ? ' only next to a keyword' : ''}`, () => {
        const random = createRandom(23);
        const wrong: string[] = [];
        for (let i = 0; i < 40; i++) {
          const number = luhnNumber(random, random.pick(card.prefixes), card.length);
          for (const value of [number, grouped(number, card.groups, ' '), grouped(number, card.groups, '-')]) {
            const bare = scan(value).length === 1;
            if (bare === card.needsKeyword) wrong.push(value);
            for (const text of [`card ${value} declined`, `{"card_number":"${value}"}`, `${value} (credit card)`]) {
              if (scan(text)[0]?.type !== 'payment_card' || scan(text).length !== 1) wrong.push(text);
            }
          }
        }
        expect(wrong).to.deep.equal([]);
      });
    }

    it('finds the former ranges of JCB next to a keyword', () => {
      for (const number of [
        '3088000000000017',
        '3096000000000017',
        '3112000000000017',
        '3158000000000012',
        '3337000000000016',
      ]) {
        expect(found(`card ${number}`)).to.deep.equal([`jcb:${number}`]);
        expect(found(number)).to.deep.equal([]);
      }
    });

    it('finds adjacent cards', () => {
      expect(found('4111 1111 1111 1111 4012 8888 8888 1881')).to.have.length(2);
      expect(found('4012888888881881 4012-8888-8888-1881 4012 8888 8888 1881')).to.have.length(3);
    });

    it('finds a card between an expiry date and other fields', () => {
      for (const text of [
        '18 4111 1111 1111 1111 12/25 123',
        'x;4111111111111111;12/25',
        'John,4111111111111111,123',
        '4111111111111111=25121010000',
        '*4111 1111 1111 1111*',
      ]) {
        expect(found(text), text).to.have.length(1);
      }
    });

    it('excludes a security code after a card, even if all nineteen digits pass Luhn', () => {
      expect(found('4929 7226 5379 7141 123')).to.deep.equal(['visa:4929 7226 5379 7141']);
    });

    const negatives = [
      '4111111111111112',
      '0.4111111111111111',
      '1.4111111111111111e-5',
      'a4111111111111111',
      '4111111111111111b',
      'x_4111111111111111',
      '4111-1111-1111-1111-1111',
      '41111111-1111-4111-8111-111111111111',
      '+4111111111111111',
      '$4111111111111111',
      '4111111111111111.json',
      '/photos/4111111111111111',
      'order_id=4111111111111111',
      'trace=4111111111111111',
      'user_id=4111111111111111',
      '"id":4111111111111111',
      '1117838570 2005.06.03',
      '1700000000000000',
      '20261121103000',
      '0000-0000-0000-0000',
      '1234 5678 9012 3456',
      'ES91 2100 0418 4502 0005 1332',
      '4222222222222',
      '4111-1111-1111-****',
      '5555 4111 1111 1111 1111',
      'cpu 4111 1111 1111 1111 70235',
      '0x0010 4111 1111 1111 1111 b1e6 ac10',
      'dump 74bf 2341 2341 2346 ffff',
      '123456 4111 1111 1111 1111',
    ];
    for (const text of negatives) it(`ignores ${text}`, () => expect(found(text)).to.deep.equal([]));
  });

  describe('e-mail addresses', () => {
    const positives: [string, string][] = [
      ['joe@example.com', 'joe@example.com'],
      ['mail joe.smith+news@mail.example.co.uk, thanks', 'joe.smith+news@mail.example.co.uk'],
      ['<joe@example.com>', 'joe@example.com'],
      ['"Joe" <joe@example.com>;', 'joe@example.com'],
      ['write to joe@example.com.', 'joe@example.com'],
      ['joe@example.com.Then', 'joe@example.com'],
      ['mailto:joe@example.com?subject=x', 'joe@example.com'],
      ['GET /find?email=x@wp.pl&page=2', 'x@wp.pl'],
      ['/users/x@y.com/orders', 'x@y.com'],
      ["b'joe@example.com'", 'joe@example.com'],
      ["'o'brien@example.ie'", "o'brien@example.ie"],
      ['"joe smith"@example.com', '"joe smith"@example.com'],
      ['user=JOE@EXAMPLE.COM', 'JOE@EXAMPLE.COM'],
      ['contact...joe@example.com', 'joe@example.com'],
      ['44051401359@wp.pl', '44051401359@wp.pl'],
      ['12345678Z@example.es', '12345678Z@example.es'],
      ['邮箱foo@example.cn', 'foo@example.cn'],
      ['联系 用户@例子.中国', '用户@例子.中国'],
      ['jürgen@müller.example.de', 'jürgen@müller.example.de'],
      [`${'a'.repeat(64)}@example.com`, `${'a'.repeat(64)}@example.com`],
      ['{\\"to\\":\\"joe@example.com\\"}', 'joe@example.com'],
      ['line\\njoe@example.com', 'joe@example.com'],
      ['from"joe@example.com"', 'joe@example.com'],
      ['smtp://joe@example.com:secret@host.example.com', 'joe@example.com'],
      ['mailto:joe@example.com:8080', 'joe@example.com'],
      ['17:joe@example.com:4711', 'joe@example.com'],
      ['joe:joe@example.com:active', 'joe@example.com'],
    ];
    for (const [text, address] of positives) {
      it(`finds ${address} in ${text}`, () => expect(found(text)).to.deep.equal([`email:${address}`]));
    }

    const negatives = [
      'joe@',
      '@example.com',
      'joe@localhost',
      'joe@example',
      'joe@example.notatld',
      'joe@@example.com',
      'a@b@example.com',
      'joe..smith@example.com',
      'joe.@example.com',
      'joe@-example.com',
      'joe@example..com',
      'joe@_example.com',
      `${'a'.repeat(65)}@example.com`,
      `joe@${'a'.repeat(64)}.com`,
      'https://user:pw@example.com/x',
      'https://user@example.com/x',
      'postgres://u:p@db.example.com:5432/x',
      'git@github.com:org/repo.git',
      'deploy@host.example.com:/var/www',
      'dsn=app:s3cret@db.example.com:5432/main',
      'connected to app:s3cret@db.example.com:6379',
      'logo@2x.png',
      'icon@2x.zip',
      'user@1000.service',
      'lodash@4.17.21',
      '@types/node@20.19.43',
      'joe@192.168.0.1',
      'Message-ID: <20261121.4711@mail.example.com>',
      'java.lang.Object@1b2c3d4',
      'sha256@4711',
      'a @ b.com',
      'Listener@493]',
      '@@@@',
      'x@example.com.svc.local',
      'joe@example.com@',
      'just"not"right@example.com',
    ];
    for (const text of negatives) it(`ignores ${text}`, () => expect(found(text)).to.deep.equal([]));
  });

  describe('encoded text', () => {
    const cases: [string, string][] = [
      ['q=joe%40example.com&x=1', 'joe%40example.com'],
      ['q=joe%2540example.com', 'joe%2540example.com'],
      ['q=%E2%9C%93&to=j%C3%B6rg%40example.com', 'j%C3%B6rg%40example.com'],
      ['q=%F0%9F%98%80%20123%2D45%2D6789%E2%80%8B', '123%2D45%2D6789'],
      ['q=%C3%A9%C3%zz%C3 4111%201111%201111%201111', '4111%201111%201111%201111'],
      ['"joe\\u0040example.com"', 'joe\\u0040example.com'],
      ['joe&#64;example.com', 'joe&#64;example.com'],
      ['joe&#x40;example.com', 'joe&#x40;example.com'],
      ['joe＠example.com', 'joe＠example.com'],
      ['j\u00adoe@exam\u200bple.com', 'j\u00adoe@exam\u200bple.com'],
      ['card=4111%201111%201111%201111&x=1', '4111%201111%201111%201111'],
      ['card=4111+1111+1111+1111&x=1', '4111+1111+1111+1111'],
      ['４１１１１１１１１１１１１１１１', '４１１１１１１１１１１１１１１１'],
      ['4111\u00a01111\u00a01111\u00a01111', '4111\u00a01111\u00a01111\u00a01111'],
      ['4111\u20111111\u20111111\u20111111', '4111\u20111111\u20111111\u20111111'],
      ['\u200b4111\u200b111111111111\u200b', '4111\u200b111111111111'],
      ['ssn=123%2D45%2D6789', '123%2D45%2D6789'],
      ['𝟏𝟐𝟑-45-6789', '𝟏𝟐𝟑-45-6789'],
      ['😀 123-45-6789', '123-45-6789'],
    ];
    for (const [text, value] of cases) {
      it(`returns the offsets of ${JSON.stringify(value)} in the original`, () => {
        const findings = scan(text);
        expect(findings.map(({ start, end }) => text.slice(start, end))).to.deep.equal([value]);
        expect(redact(text, findings)).to.not.match(/4111|6789|１|example/u);
      });
    }
  });

  describe('a generated corpus', () => {
    it('is scanned without an error in 3,000 lines', () => {
      const wrong = generateLabelledLines(3000, 4).filter(({ text, labels }) => {
        const key = ({
          type,
          start,
          end,
          country,
        }: {
          type: string;
          start: number;
          end: number;
          country?: string;
        }): string => [type, start, end, country].join(' ');
        return scan(text).map(key).join() !== labels.map(key).join();
      });
      expect(wrong.map(({ text }) => text)).to.deep.equal([]);
    });
  });

  describe('look-alikes', () => {
    const lines = [
      '2015-07-29 19:29:03,816 - WARN  [RecvWorker:188978561024:QuorumCnxManager$RecvWorker@765] - Interrupting SendWorker',
      'Dec 10 09:12:57 LabSZ sshd[24589]: Failed password for root from 187.141.143.180 port 59080 ssh2',
      '[Sun Dec 04 20:32:37 2005] [notice] jk2_init() Found child 1998 in scoreboard slot 9',
      'trace=0af7651916cd43dd8448eb211c80319c span=b7ad6b7169203331 parent=00f067aa0ba902b7',
      'ts=1700000000 ms=1700000000123 us=1700000000123456 ns=1700000000123456789',
      '20261121103000 20261121T103000Z 2026-11-21T10:30:00.123456Z 26/11/21 10:30:00',
      'uuid 12345678-1234-4234-8234-123456789012 done',
      'snowflake 1541815603606036480 and 175928847299117063',
      '10.0.0.1:8080 2001:db8:85a3::8a2e:370:7334 00:1a:2b:3c:4d:5e 1.2.3.4/24',
      'Chrome/120.0.6099.109 Safari/537.36 v1.2.3-rc.4+build.5678',
      'call +1 415 555 2671 or (415) 555-2671 or 415-555-2671 or +48 601 123 456',
      'EUR 1.234.567,89 and $12,345,678.90 and 0.123456789012 and 1e10',
      'GET /a/b?id=1234567890&sig=9f86d081884c7d659a2feaa0c55ad015 HTTP/1.1" 200 5123 "-" "curl/8.4.0"',
      'at java.base/java.lang.Thread.run(Thread.java:1583) ~[?:?] @4f2b8a1c',
      'pod web-7d9f8c6b5-x2k4q on ip-10-0-12-34.ec2.internal restarted',
      'arn:aws:iam::123456789012:role/admin account 123456789012',
      'IBAN GB29 NWBK 6016 1331 9268 19 and DE89370400440532013000',
      'YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXoxMjM0NTY3ODkw==',
      'UPS 1Z999AA10123456784 USPS 9400 1000 0000 0000 0000 00',
      'ISBN 978-3-16-148410-0 EAN 4006381333931 IMEI 490154203237518',
      'cpu  2255 34 2290 22625563 6290 127 456 0 0 0',
      '-1 -22 -333 1/2 3/4 16:9 1920x1080 100% 5°',
      'order 20260101-1234 invoice INV-2026-0001 ticket ABC-1234',
    ];
    for (const line of lines) it(`are ignored: ${line.slice(0, 60)}`, () => expect(found(line)).to.deep.equal([]));
  });

  describe('any input', () => {
    it('is scanned in linear time', () => {
      expect(ADVERSARIAL_SHAPES).to.have.length.at.least(30);
      for (const { name, make } of ADVERSARIAL_SHAPES) {
        const text = make(256 * 1024);
        // A quadratic scan of one such text exceeds the time limit of the test many times over.
        const findings = scan(text);
        let from = 0;
        for (const finding of findings) {
          expect(finding.start, name).to.be.at.least(from);
          expect(finding.end, name).to.be.above(finding.start);
          from = finding.end;
        }
      }
    });

    it('causes no error: unpaired surrogates, incomplete escapes, lone separators', () => {
      const parts = [
        '\ud800',
        '%',
        '%4',
        '\\u00',
        '&#',
        '4111',
        ' ',
        '-',
        '.',
        '@',
        'a',
        '\u200b',
        'ssn',
        '(',
        'AB',
        '１',
        '/',
        '+',
        ':',
        '"',
      ];
      const random = createRandom(3);
      for (let round = 0; round < 3000; round++) {
        let text = '';
        for (let i = 0; i < 24; i++) text += random.pick(parts);
        let from = 0;
        for (const { start, end } of scan(text)) {
          expect(start, text).to.be.at.least(from);
          expect(end, text).to.be.above(start).and.at.most(text.length);
          from = end;
        }
      }
    });
  });
});
