import { expect } from 'chai';
import { createRandom, grouped, luhnNumber, NUMBER_SCHEMES } from '../../../scripts/bench/generated-numbers.ts';
import { found, scan } from './found.ts';

describe('createScanner for national ids', () => {
  for (const generator of NUMBER_SCHEMES) {
    const random = createRandom(17);
    const numbers = Array.from({ length: 40 }, () => generator.generate(random));

    it(`The scanner finds ${generator.scheme} without a keyword in some forms, and with one in the others`, () => {
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
      it(`The scanner ignores bare digits of ${generator.scheme} without a keyword`, () => {
        // Sixteen digits can also be a payment card.
        const wrong = numbers.flatMap((number) =>
          bare.flatMap((form) => scan(`value ${form(number)} stored`).filter(({ type }) => type === 'national_id')),
        );
        expect(wrong).to.deep.equal([]);
      });
    }
  }

  it('The scanner ignores numbers with a wrong check digit, date or range, even next to a keyword', () => {
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
      'PAN ABCEE1234F',
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

  it('The scanner distinguishes schemes of the same form by their keywords', () => {
    expect(found('isikukood 37605030299')).to.deep.equal(['ee_ik:37605030299']);
    expect(found('asmens kodas 37605030299')).to.deep.equal(['lt_ak:37605030299']);
    expect(found('slovenské rodné číslo 710319/2745')).to.deep.equal(['sk_rc:710319/2745']);
    expect(found('Lithuanian personal code 37605030299')).to.deep.equal(['lt_ak:37605030299']);
    expect(found('Estonian personal code 37605030299')).to.deep.equal(['ee_ik:37605030299']);
    expect(found('Peru DNI: 10117410')).to.deep.equal(['pe_dni:10117410']);
    expect(found('order tax file number: 876543210')).to.deep.equal(['au_tfn:876543210']);
    expect(found('710319/2745')).to.deep.equal(['cz_rc:710319/2745']);
  });

  it('The scanner accepts a general keyword for a number that passes its check', () => {
    expect(scan('personal identity code 44051401359')[0]).to.include({ country: 'PL' });
    expect(scan('documento do CPF ou national id 44051401359')[0]).to.include({ country: 'PL' });
    expect(scan('national_id=44051401359')[0]).to.include({ country: 'PL', rule: 'context' });
    expect(scan('identity number: 44051401359')).to.have.length(1);
    expect(scan('Polish national identification number 44051401359')[0]).to.include({ country: 'PL' });
    expect(scan('national identification number 44051401359')[0]).to.include({ country: 'PL' });
    expect(scan('citizen 44051401358')).to.deep.equal([]);
  });

  it('The scanner finds the rarer written forms of national ids', () => {
    const texts = [
      'x-2482300w',
      '54362315-K',
      'DNI 1234567L',
      '2 55 08 14 168 025 38',
      '15 070649 C 103',
      '131052-308T',
      '131052-308t',
      'ЕГН 752316 926 3',
      'egn=752316+926+3&page=2',
      'nir=2+55+08+14+168+025+38',
      'pers. kods 351234-56789',
      '{"log":"nie:\\tx-2482300w\\n"}',
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

  it('The scanner finds a number of 13 digits without check digits only next to a keyword of its scheme', () => {
    expect(found('numéro de sécurité sociale 2370524594783')).to.deep.equal(['fr_nir:2370524594783']);
    expect(found('national id 2370524594783')).to.deep.equal([]);
    expect(found('citizen id 2640875398252')).to.deep.equal(['th_pin:2640875398252']);
  });

  it('The scanner finds an identity number of 13 digits as South African if it is a valid one', () => {
    expect(scan('identity number: 5209133037186')[0]).to.include({ country: 'ZA' });
    expect(scan('identity number: 7208274211087')[0]).to.include({ country: 'ZA' });
  });

  it('The scanner needs a keyword for a number that can be the id of a queued mail', () => {
    expect(found('postfix/qmgr[4711]: A123456789: removed')).to.deep.equal([]);
    expect(found('postfix/smtps/smtpd[4711]: A123456789: client=mail')).to.deep.equal([]);
    expect(found('app[4711]: A123456789 removed')).to.deep.equal(['tw_nid:A123456789']);
  });

  it('The scanner finds numbers between the process id and a colon of programs that queue no mail', () => {
    expect(found('app[4711]: A123456789: removed')).to.deep.equal(['tw_nid:A123456789']);
    expect(found('[info]: 4111111111111111: declined')).to.deep.equal(['visa:4111111111111111']);
    expect(found('app[12]: 4111 1111 1111 1111: declined')).to.deep.equal(['visa:4111 1111 1111 1111']);
    expect(found('app[12]: 123-45-6789: no such customer')).to.deep.equal(['us_ssn:123-45-6789']);
    expect(found('app[1]: RSSMRA85T10A562S: not found')).to.deep.equal(['it_cf:RSSMRA85T10A562S']);
  });

  it('The scanner needs a keyword for a number whose groups are joined by a plus', () => {
    expect(found('sum 1+2345+67890+12+1')).to.deep.equal([]);
    expect(found('q=1+2345+45678+78+1')).to.deep.equal([]);
    expect(found('citizen_id=1+2345+45678+78+1')).to.deep.equal(['th_pin:1+2345+45678+78+1']);
  });

  it('The scanner ignores groups beside a number whose own groups are not joined by blanks', () => {
    expect(found('GET /id/X-2482300-W 200')).to.deep.equal(['es_nie:X-2482300-W']);
    expect(found('A123456(3) 404')).to.deep.equal(['hk_hkid:A123456(3)']);
    expect(found('2341 2341 2346 200')).to.deep.equal([]);
    expect(found('GET /?q=2341%202341%202346 200')).to.deep.equal(['in_aadhaar:2341%202341%202346']);
    expect(found('GET /?q=15%20070649%20C%20103 200')).to.deep.equal(['de_pension:15%20070649%20C%20103']);
  });

  it('The scanner finds groups and single letters that are joined by a plus next to a keyword', () => {
    expect(found('nino=AB+12+34+56+C&x=1')).to.deep.equal(['gb_nino:AB+12+34+56+C']);
    expect(found('svnr=15+070649+C+103&x=1')).to.deep.equal(['de_pension:15+070649+C+103']);
  });

  it('The scanner needs a keyword of the scheme for numbers without a check digit', () => {
    expect(found('personas kods 32345678906')).to.deep.equal(['lv_pk:32345678906']);
    expect(found('national id 32345678906')).to.deep.equal([]);
    expect(found('DNI 00345678')).to.deep.equal(['pe_dni:00345678']);
  });

  it('The scanner ignores dates of birth after this century', () => {
    expect(found('pesel 44251401355')).to.deep.equal(['pl_pesel:44251401355']);
    expect(found('pesel 44451401351')).to.deep.equal([]);
  });

  it('The scanner needs a keyword for numbers that the authorities declared void', () => {
    expect(found('078-05-1120')).to.deep.equal([]);
    expect(found('ssn 078-05-1120')).to.deep.equal(['us_ssn:078-05-1120']);
  });

  it('The scanner needs a keyword for a personnummer that can be a timestamp', () => {
    const number = grouped(luhnNumber(createRandom(1), '240115123', 10), [6, 4], '-');
    expect(found(number)).to.deep.equal([]);
    expect(found(`personnummer ${number}`)).to.deep.equal([`se_pnr:${number}`]);
  });
});
