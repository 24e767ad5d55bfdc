import { expect } from 'chai';
import { CARD_BRANDS, createRandom, grouped, luhnNumber } from '../../../scripts/bench/generated-numbers.ts';
import { found, scan } from './found.ts';

describe('createScanner for payment cards', () => {
  for (const card of CARD_BRANDS) {
    it(`The scanner finds ${card.brand} with ${card.length} digits${card.needsKeyword ? ' only next to a keyword' : ''}`, () => {
      const random = createRandom(23);
      const wrong: string[] = [];
      for (let i = 0; i < 40; i++) {
        const number = luhnNumber(random, random.pick(card.prefixes), card.length);
        for (const value of [number, grouped(number, card.groups, ' '), grouped(number, card.groups, '-')]) {
          const needsKeyword = card.needsKeyword && !(card.isFreeInGroups === true && value !== number);
          if ((scan(value).length === 1) === needsKeyword) wrong.push(value);
          for (const text of [`card ${value} declined`, `{"card_number":"${value}"}`, `${value} (credit card)`]) {
            if (scan(text)[0]?.type !== 'payment_card' || scan(text).length !== 1) wrong.push(text);
          }
        }
      }
      expect(wrong).to.deep.equal([]);
    });
  }

  it('The scanner finds the former ranges of JCB next to a keyword', () => {
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

  it('The scanner finds adjacent cards', () => {
    expect(found('4111 1111 1111 1111 4012 8888 8888 1881')).to.have.length(2);
    expect(found('4012888888881881 4012-8888-8888-1881 4012 8888 8888 1881')).to.have.length(3);
  });

  it('The scanner finds cards beside zones of time, balances, groups and rows', () => {
    for (const text of [
      '2026-11-24 03:46:44+00 4111111111111111 charged',
      '2026-11-24 03:46:44+01 4111 1111 1111 1111',
      'balance +100 4111111111111111',
      'balance +100 4111 1111 1111 1111',
      '["order-17", "4111111111111111", "12/29"]',
      '["order", "4111111111111111"]',
    ])
      expect(found(text), text).to.have.length(1);
    for (const text of [
      '1234 4111 1111 1111 1111 5500 0000 0000 0004',
      '[["order","4111111111111111","12/29"],["order","5500000000000004","11/28"]]',
    ])
      expect(found(text), text).to.have.length(2);
  });

  it('The scanner finds a card between an expiry date and other fields', () => {
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

  it('The scanner finds a card before an expiry date after a slash', () => {
    for (const [text, number] of [
      ['4111111111111111/1229', '4111111111111111'],
      ['card 4111111111111111/12/2029/123', '4111111111111111'],
      ['4111-1111-1111-1111/09/28', '4111-1111-1111-1111'],
      ['4111 1111 1111 1111/0928', '4111 1111 1111 1111'],
      ['FPCC CCVI4111111111111111/1229/A123456', '4111111111111111'],
      ['FOP CCVI4111111111111111/1180', '4111111111111111'],
    ] as const)
      expect(found(text), text).to.deep.equal([`visa:${number}`]);
  });

  it('The scanner finds no card within a chain of groups that is not followed by an expiry date', () => {
    for (const text of [
      'card 4111111111111111/1329',
      'card 4111111111111111/12/291',
      'card 4111-1111-1111-1111/4711',
      'GET /orders/4111111111111111/12/25',
    ])
      expect(found(text), text).to.deep.equal([]);
  });

  it('The scanner reads the code of a brand and CC before a number with an expiry date', () => {
    for (const text of [
      'FOP CCVI4111111111111111/1180',
      'FOP CCCA5555555555554444/0999',
      'FOP CCAX378282246310005/1275',
      'FOP CCDC30569309025904/1061',
      'FOP CCJC3530111333300000/1255',
      'FOP CCDS6011111111111117/1293',
      'X FPCCVI4111111111111111/1229',
    ])
      expect(
        scan(text).map(({ type, start, end }) => [type, text.slice(start, end)]),
        text,
      ).to.deep.equal([['payment_card', text.slice(8, text.indexOf('/'))]]);
  });

  it('The scanner finds a card in groups before an expiry date beside other groups and counters', () => {
    for (const number of ['6759 6498 2643 8453', '5641 8200 0000 0005', '4929 7226 5379 7141 123', '3056 930902 5904'])
      expect(
        scan(`EMBOSS 270995 ${number} 08/30 DOE JOHN`).map(({ end }) => end),
        number,
      ).to.deep.equal([14 + number.length]);
    for (const text of [
      '270995 6759 6498 2643 8453 08/30/24',
      '270995 6759 6498 2643 8453 13/30',
      '270995 6759 6498 2643 8453 08/301',
      '5641820000000005 08/30',
    ])
      expect(found(text), text).to.deep.equal([]);
  });

  it('The scanner reads the name of the standard for cards as a keyword', () => {
    for (const text of [
      'policy=PCI match="5641820000000005" action=block',
      'policy "PCI DSS" matched in clients.xlsx - sample: 5641820000000005',
      'PCI-DSS violation: 5641820000000005',
    ])
      expect(found(text), text).to.deep.equal(['maestro:5641820000000005']);
    expect(found('pci 0000:00:1f.2: [8086:2922] type 00 class 0x010601')).to.deep.equal([]);
    expect(found('pcie 5641820000000005')).to.deep.equal([]);
  });

  it('The scanner reads labels of cards in Thai, but not of identity cards', () => {
    for (const label of ['หมายเลขบัตร', 'เลขที่บัตร: ', 'เลขบัตร '])
      expect(found(`${label}4222222222222`), label).to.deep.equal(['visa:4222222222222']);
    for (const label of ['หมายเลขบัตรประชาชน', 'เลขที่บัตรประจำตัวประชาชน'])
      expect(found(`${label} 4222222222222`), label).to.deep.equal([]);
  });

  it('The scanner reads inflected forms of the word for "card"', () => {
    for (const text of ['kortet mitt', 'kartımı', 'kártyám:', 'zaplatil kartou', 'картку', 'korttini', '我的銀行卡'])
      expect(found(`${text} 2200000000000004`), text).to.deep.equal(['mir:2200000000000004']);
  });

  it('The scanner includes the last group of a card of 19 digits, even if the first 16 are a card', () => {
    for (const value of ['4111 1111 1111 1111 110', '4111-1111-1111-1111-110', '4929 7226 5379 7141 123'])
      expect(found(`paid with ${value} today`)).to.deep.equal([`visa:${value}`]);
    expect(found('4111 1111 1111 1111 123')).to.deep.equal(['visa:4111 1111 1111 1111']);
    expect(found('5555 5555 5555 4444 123')).to.deep.equal(['mastercard:5555 5555 5555 4444']);
  });

  it('The scanner finds no card of a length that the brand does not have, even next to a keyword', () => {
    const random = createRandom(29);
    const lengths: [string, number[]][] = [
      ['4', [14, 15, 17, 18]],
      ['51', [13, 14, 15, 17, 18, 19]],
      ['2221', [13, 14, 15, 17, 18, 19]],
      ['34', [13, 14, 16, 17, 18, 19]],
      ['37', [13, 14, 16, 17, 18, 19]],
      ['6011', [13, 14, 15]],
      ['65', [13, 14, 15]],
      ['62', [13, 14, 15]],
      ['3528', [13, 14, 15]],
      ['36', [13, 15]],
      ['6521', [13, 14, 15]],
      ['607', [13, 14, 15, 17, 18, 19]],
    ];
    const wrong: string[] = [];
    for (const [prefix, brandLengths] of lengths) {
      for (const length of brandLengths) {
        for (let i = 0; i < 20; i++) {
          const text = `card number ${luhnNumber(random, prefix, length)}`;
          if (scan(text).some(({ type }) => type === 'payment_card')) wrong.push(text);
        }
      }
    }
    expect(wrong).to.deep.equal([]);
  });

  describe('track data', () => {
    const tracks = [
      '%B4111111111111111^DOE/JOHN^25121011000000000000000000000000?',
      '%B371449635398431^O BRIEN/ANNE MRS      ^27032010000000000?',
      'B5555555555554444^DOE/JOHN^2512101',
      ';4111111111111111=25121011000012345678?',
      '5555555555554444=2512101123456789',
      '4111111111111111D25121011000012345678F',
      '%25B4111111111111111%5EDOE%2FJOHN%5E25121011000000',
    ];
    for (const track of tracks) {
      it(`The scanner finds the whole of ${track}`, () => {
        for (const text of [track, `swipe ${track} ok`, `{"data":"${track}"}`, `track=${track}`])
          expect(
            scan(text).map(({ type, start, end }) => [type, text.slice(start, end)]),
            text,
          ).to.deep.equal([['payment_card', track]]);
      });
    }

    it('The scanner finds both tracks of a card', () => {
      const [first, , , second] = tracks as [string, string, string, string];
      expect(found(`${first}${second}`)).to.deep.equal([`visa:${first}`, `visa:${second}`]);
    });

    const negatives = [
      '4111111111111112=25121011000012345678',
      '%B4111111111111112^DOE/JOHN^25121011000000?',
      'a4111111111111111=25121011000012345678',
      '0.4111111111111111=25121011000012345678',
      '4111111111111111D25121011000012345678Fxyz',
      '4111111111111111D9',
      '1700000000000000=2512101',
    ];
    for (const text of negatives)
      it(`The scanner finds nothing in: ${text}`, () => expect(found(text)).to.deep.equal([]));
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
    '0x0000:  4500 0034 4532 4000 4006 4413 4111 1111 1111 1111 5018 0200',
    'dump 74bf 2341 2341 2346 ffff',
    '123456 4111 1111 1111 1111',
    '0000020 4111 1111 1111 1111 0202 2020 1010 1010',
    '0000000 4111111111111111 2020202020202020',
    '\t0x0010:  4111 1111 1111 1111  ....',
    '00000000: 4111 1111 1111 1111 0a                   A.......',
    'cpu0 4111 1111 1111 1111 0 0 0',
  ];
  for (const text of negatives)
    it(`The scanner finds nothing in: ${text}`, () => expect(found(text)).to.deep.equal([]));
});
