import { expect } from 'chai';
import { found } from './found.ts';

describe('createScanner at the boundaries of payment cards', () => {
  it('A card in groups is a finding beside up to two groups of digits', () => {
    for (const text of [
      'paid 4111 1111 1111 1111 12 345',
      'paid 4111 1111 1111 1111 12 345 9.50',
      'paid 4111 1111 1111 1111 12 345 123456789012345678901234',
      'paid 4111 1111 1111 1111;12;345;9',
      'paid 4111 1111 1111 1111;12 345 9',
      'paid 4111 1111 1111 1111    ok',
      'paid 4111 1111 1111 1111   1  2  3',
      'paid 4111 1111 1111 1111 by Ann at noon',
    ])
      expect(found(text), text).to.deep.equal(['visa:4111 1111 1111 1111']);
    expect(found('1234 4111-1111-1111-1111 ok')).to.deep.equal(['visa:4111-1111-1111-1111']);
  });

  it('Counters in columns are no card', () => {
    for (const text of [
      'cpu 4111 1111 1111 1111 0 0 0',
      'cpu 4111 1111 1111 1111 0 0 0 0',
      'cpu  4111 1111 1111 1111  0 0 0',
      'cpu  4111 1111 1111 1111  0  0  0',
      'cpu 4111 1111 1111 1111 0 0 0 idle',
      '1234 4111 1111 1111 1111 1234 1234 1234 1234',
      '1234 4111 1111 1111 1111 5500 0000 0000 00041',
    ])
      expect(found(text), text).to.deep.equal([]);
  });

  it('A card before another card in groups is a finding beside a group, also within a text', () => {
    expect(found('1234 4111 1111 1111 1111 5500 0000 0000 0004 ok')).to.deep.equal([
      'visa:4111 1111 1111 1111',
      'mastercard:5500 0000 0000 0004',
    ]);
  });

  it('A card after a group is a finding only if blanks join the card that follows', () => {
    expect(found('1234 4111 1111 1111 1111;5500 0000 0000 0004 ok')).to.deep.equal(['mastercard:5500 0000 0000 0004']);
  });

  it('The fields of a card are evidence for a number that is not attached to other text', () => {
    expect(found('4111111111111111&cvv=123')).to.deep.equal(['visa:4111111111111111']);
    expect(found('x-4111111111111111&cvv=123')).to.deep.equal([]);
  });

  it('Track data has card numbers of 13 to 19 digits and a delimiter in either case', () => {
    for (const track of [
      '4222222222222=25121011000012345678',
      '4929722653797141123=25121011000012345678',
      '4111111111111111d25121011000012345678f',
    ])
      expect(found(track), track).to.deep.equal([`visa:${track}`]);
    expect(found('36999900000002=25121011000012345678')).to.deep.equal(['diners:36999900000002=25121011000012345678']);
  });

  it('The first track begins with its format code, and without it the card alone is a finding', () => {
    expect(found('4111111111111111^DOE/JOHN^25121011000000?')).to.deep.equal(['visa:4111111111111111']);
    for (const text of [
      'A4111111111111111^DOE/JOHN^25121011000000?',
      'xB4111111111111111^DOE/JOHN^25121011000000?',
      'x.4111111111111111=25121011000012345678',
    ])
      expect(found(text), text).to.deep.equal([]);
  });
});
