import { expect } from 'chai';
import fc from 'fast-check';
import {
  formatExactGbSeconds,
  formatExactMoney,
  formatGbSeconds,
  formatMoney,
  formatRelativeDifference,
  formatShare,
  moneyDecimals,
  parseDecimal,
  shiftDecimal,
  unitPrice,
} from '../../../shared/cost/money.ts';

const usd = (text: string) => parseDecimal(text, moneyDecimals);

describe('money', () => {
  it('is formatted with 12 decimals, rounded half up', () => {
    expect(formatMoney(0n)).to.equal('0.000000000000');
    expect(formatMoney(usd('0.0000000000005'))).to.equal('0.000000000001');
    expect(formatMoney(usd('0.000000000000499999999999'))).to.equal('0.000000000000');
    expect(formatMoney(usd('0.9999999999995'))).to.equal('1.000000000000');
    expect(formatMoney(usd('123456789012345678.1'))).to.equal('123456789012345678.100000000000');
  });

  it('is formatted with its sign, unless it rounds to zero', () => {
    expect(formatMoney(-usd('0.0000000000015'))).to.equal('-0.000000000002');
    expect(formatMoney(-1n)).to.equal('0.000000000000');
  });

  it('has shares with 4 decimals, rounded half up', () => {
    expect(formatShare(1n, 3n)).to.equal('0.3333');
    expect(formatShare(2n, 3n)).to.equal('0.6667');
    expect(formatShare(1n, 20_000n)).to.equal('0.0001');
    expect(formatShare(5n, 5n)).to.equal('1.0000');
    expect(formatShare(0n, 0n)).to.equal('0.0000');
  });

  it('formats GB-seconds with 12 decimals, rounded half up', () => {
    // 1 MB·ms is 0.0000009765625 GB-s.
    expect(formatGbSeconds(1n)).to.equal('0.000000976563');
    expect(formatGbSeconds(2n)).to.equal('0.000001953125');
    expect(formatGbSeconds(15_000_000_000n * 1_024_000n)).to.equal('15000000000.000000000000');
  });

  it('is formatted with all its decimals, without trailing zeros', () => {
    expect(formatExactMoney(1n)).to.equal('0.0000000000000000000000000001');
    expect(formatExactMoney(usd('120.5'))).to.equal('120.5');
    expect(formatExactMoney(usd('100'))).to.equal('100');
    expect(formatExactMoney(-usd('0.0000004'))).to.equal('-0.0000004');
    expect(formatExactMoney(0n)).to.equal('0');
    expect(formatExactGbSeconds(1n)).to.equal('0.0000009765625');
    expect(formatExactGbSeconds(1_024_001n)).to.equal('1.0000009765625');
  });

  it('has differences as shares of the first amount, with a minus for a decrease', () => {
    expect(formatRelativeDifference(3n, 4n)).to.equal('0.3333');
    expect(formatRelativeDifference(4n, 3n)).to.equal('-0.2500');
    expect(formatRelativeDifference(4n, 4n)).to.equal('0.0000');
    expect(formatRelativeDifference(100_000n, 99_999n)).to.equal('0.0000');
    expect(formatRelativeDifference(1n, 3n)).to.equal('2.0000');
    expect(formatRelativeDifference(0n, 3n)).to.equal(null);
  });

  it('an amount is parsed exactly', () => {
    expect(unitPrice('0.40', 1_000_000n)).to.equal(4n * 10n ** 21n);
    expect(unitPrice('0.0000166667', 1_024_000n) * 1_024_000n).to.equal(usd('0.0000166667'));
    expect(() => unitPrice('1', 3n)).to.throw(RangeError, 'not a whole number');
  });

  it('refuses text that is not a decimal number', () => {
    for (const text of ['', '.5', '5.', '-1', '+1', '1e3', '1,5', ' 1', '0x10', 'NaN', '1.234']) {
      expect(() => parseDecimal(text, 2), text).to.throw(RangeError, 'is not a decimal number');
    }
    expect(parseDecimal('1.18', 2)).to.equal(118n);
    expect(parseDecimal('7', 2)).to.equal(700n);
  });
});

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
      const message = `"${text}" is not a price: a price is a decimal number without sign and exponent`;
      expect(() => shiftDecimal(text, 3, 21), text).to.throw(RangeError, message);
    }
    expect(() => shiftDecimal('1'.repeat(99), 3, 21)).to.throw(RangeError, `"${'1'.repeat(40)}" is not a price`);
  });

  it('refuses a price of more than 30 digits', () => {
    const digits = '9'.repeat(30);
    expect(shiftDecimal(digits, 0, 21)).to.equal(digits);
    expect(() => shiftDecimal(digits, 1, 21)).to.throw(RangeError, `${digits} is too large for a price`);
  });
});
