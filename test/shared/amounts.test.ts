import { expect } from 'chai';
import {
  formatBytes,
  formatExactUsd,
  formatFineUsd,
  formatNumber,
  formatRoundUsd,
  formatShare,
  formatUsd,
  spanInWords,
} from '../../shared/amounts.ts';

describe('amounts as they are shown', () => {
  const cents: readonly (readonly [string | null, string])[] = [
    ['0', '$0.00'],
    ['0.000000000000', '$0.00'],
    ['0.004999999999', '< $0.01'],
    ['0.005', '$0.01'],
    ['1.234567890123', '$1.23'],
    ['0.995', '$1.00'],
    ['1234567.891', '$1,234,567.89'],
    ['90071992547409931.10', '$90,071,992,547,409,931.10'],
    [null, 'no price'],
  ];
  for (const [amount, text] of cents) {
    it(`shows ${amount} as ${text}`, () => expect(formatUsd(amount)).to.equal(text));
  }

  it('shows all decimals of an exact amount', () => {
    expect(formatExactUsd('90071992547409931.123456789012')).to.equal('90,071,992,547,409,931.123456789012 USD');
    expect(formatExactUsd('0.000000000001')).to.equal('0.000000000001 USD');
    expect(formatExactUsd('-1.5')).to.equal('−1.5 USD');
    expect(formatExactUsd(null)).to.equal('no price');
  });

  it('shows two significant digits of amounts below a cent that are compared', () => {
    expect(formatFineUsd('0.002449999999')).to.equal('$0.0024');
    expect(formatFineUsd('0.000000000001')).to.equal('$0.000000000001');
    expect(formatFineUsd('0.000000000000')).to.equal('$0.00');
    expect(formatFineUsd('0.005')).to.equal('$0.01');
    expect(formatFineUsd('1234.5')).to.equal('$1,234.50');
    expect(formatFineUsd(null)).to.equal('no price');
  });

  it('shows shares in per cent', () => {
    expect(formatShare('0.0019')).to.equal('0.19 %');
    expect(formatShare(null)).to.equal('–');
  });

  it('groups numbers, and shows no more decimals than asked for', () => {
    expect(formatNumber(1_234_567)).to.equal('1,234,567');
    expect(formatNumber('37.500000000000')).to.equal('37.5');
    expect(formatNumber('128.000000000000')).to.equal('128');
    expect(formatNumber('0.123456789', 12)).to.equal('0.123456789');
    expect(formatNumber(0)).to.equal('0');
  });

  it('shows sizes in the unit that suits them', () => {
    const sizes = [0, 999, 1_000, 245_012, 5_300_000].map(formatBytes);
    expect(sizes).to.deep.equal(['0 bytes', '999 bytes', '1.0 kB', '245 kB', '5.3 MB']);
  });
});

describe('estimates and spans as they are shown', () => {
  it('rounds an estimate from ten dollars on to whole ones', () => {
    const rounded = ['0.0024', '9.994', '13.5', '1178.499999', '99.5', null].map(formatRoundUsd);
    expect(rounded).to.deep.equal(['$0.0024', '$9.99', '$14', '$1,178', '$100', 'no price']);
  });

  it('shows a span in its largest unit', () => {
    const spans = [1, 45.25, 60, 3_600, 3_700, 11_880, 86_390, 86_400, 31_536_000].map(spanInWords);
    const words = 'a second, 45.2 seconds, a minute, an hour, an hour, 3.3 hours, 23.9 hours, a day, 365 days';
    expect(spans.join(', ')).to.equal(words);
  });
});
