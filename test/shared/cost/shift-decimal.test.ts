import { expect } from 'chai';
import fc from 'fast-check';
import { shiftDecimal } from '../../../shared/cost/money.ts';

describe('shiftDecimal', () => {
  it('moves the decimal point of a number without binary arithmetic', () => {
    expect(shiftDecimal('0.0000033', 3, 21)).to.equal('0.0033');
    expect(shiftDecimal('0.0000004000', 6, 18)).to.equal('0.4');
    expect(shiftDecimal('0.00002', 1, 21)).to.equal('0.0002');
    expect(shiftDecimal('15.00', -3, 21)).to.equal('0.015');
    expect(shiftDecimal('0.000', -6, 0)).to.equal('0');
  });

  it('gives back every price after a move and its reverse', () => {
    const digits = fc.bigInt({ min: 0n, max: 10n ** 15n });
    const check = fc.property(digits, fc.integer({ min: 0, max: 12 }), (value, power) => {
      const moved = shiftDecimal(String(value), -power, 21);
      expect(shiftDecimal(moved, power, 0)).to.equal(String(value));
    });
    fc.assert(check);
  });

  it('refuses digits that the price book does not hold instead of rounding them', () => {
    expect(() => shiftDecimal('0.0000166667001', 0, 11)).to.throw(
      RangeError,
      '13 decimals in the unit of the price book, which holds 11',
    );
    expect(shiftDecimal('0.00001666670000', 0, 11)).to.equal('0.0000166667');
  });

  it('refuses whatever is not a decimal number without sign and exponent', () => {
    for (const text of ['', '-1', 'NaN', '1.', '.5', '1e', '0x10', ' 1', '1,5', '1e999', '3.3e-06', '1E+2', 'null']) {
      expect(() => shiftDecimal(text, 3, 21), text).to.throw(RangeError);
    }
  });
});
