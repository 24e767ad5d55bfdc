import { expect } from 'chai';
import {
  formatAmount,
  formatGbSeconds,
  formatMoney,
  formatShare,
  moneyDecimals,
  parseDecimal,
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
    expect(formatAmount(-usd('12.345'))).to.equal('-12.35');
  });

  it('is formatted with 2 decimals for charts, a positive amount never as zero', () => {
    expect(formatAmount(0n)).to.equal('0.00');
    expect(formatAmount(1n)).to.equal('< 0.01');
    expect(formatAmount(usd('0.004999'))).to.equal('< 0.01');
    expect(formatAmount(usd('0.005'))).to.equal('0.01');
    expect(formatAmount(usd('1234.565'))).to.equal('1234.57');
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

  it('is parsed exactly', () => {
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
