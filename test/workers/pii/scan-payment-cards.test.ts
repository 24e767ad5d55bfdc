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

  it('The scanner excludes a security code after a card, even if all nineteen digits pass Luhn', () => {
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
  for (const text of negatives)
    it(`The scanner finds nothing in: ${text}`, () => expect(found(text)).to.deep.equal([]));
});
