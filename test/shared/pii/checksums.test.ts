import { expect } from 'chai';
import {
  areAllSame,
  isValidDate,
  isYearMonthDay,
  numberAt,
  passesLuhn,
  passesMod1110,
  passesVerhoeff,
} from '../../../shared/pii/checks.ts';
import { valueOf } from './values.ts';

/** The last digits that complete a number, by a check. */
function lastDigits(check: (value: Uint8Array, length: number) => boolean, head: string): string[] {
  return Array.from({ length: 10 }, (_, i) => String(i)).filter((digit) =>
    check(valueOf(head + digit), head.length + 1),
  );
}

describe('check digits', () => {
  it('Each algorithm accepts one last digit', () => {
    const luhn = (value: Uint8Array, length: number): boolean => passesLuhn(value, 0, length);
    expect(lastDigits(luhn, '7992739871')).to.deep.equal(['3']);
    expect(lastDigits(luhn, '411111111111111')).to.deep.equal(['1']);
    expect(lastDigits(passesMod1110, '0794')).to.deep.equal(['5']);
    expect(lastDigits(passesMod1110, '1234567890')).to.deep.equal(['3']);
    const verhoeff = (value: Uint8Array, length: number): boolean => passesVerhoeff(value, length - 1, length - 1);
    expect(lastDigits(verhoeff, '236')).to.deep.equal(['3']);
    expect(lastDigits(verhoeff, '142857')).to.deep.equal(['0']);
  });

  it('The Luhn check reads the digits from an index', () => {
    expect(passesLuhn(valueOf('9979927398713'), 2, 11)).to.equal(true);
    expect(passesLuhn(valueOf('79927398710000'), 0, 11)).to.equal(false);
  });

  it('The Verhoeff check digit can be behind another one', () => {
    expect(passesVerhoeff(valueOf('23693'), 3, 4)).to.equal(true);
    expect(passesVerhoeff(valueOf('23694'), 3, 4)).to.equal(false);
  });

  it('Numbers and repetitions begin at an index', () => {
    const value = valueOf('90123377');
    expect(numberAt(value, 1, 4)).to.equal(123);
    expect(areAllSame(value, 6, 2)).to.equal(true);
    expect(areAllSame(value, 5, 3)).to.equal(false);
  });
});

describe('dates of a value', () => {
  it('A date exists if its month has the day', () => {
    const last = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    last.forEach((day, i) => {
      expect(isValidDate(2000, i + 1, 1), `1.${i + 1}.`).to.equal(true);
      expect(isValidDate(2000, i + 1, day), `${day}.${i + 1}.`).to.equal(true);
      expect(isValidDate(2000, i + 1, day + 1), `${day + 1}.${i + 1}.`).to.equal(false);
      expect(isValidDate(2000, i + 1, 0), `0.${i + 1}.`).to.equal(false);
    });
    expect(isValidDate(2000, 0, 1)).to.equal(false);
    expect(isValidDate(2000, 13, 1)).to.equal(false);
  });

  it('The 29th of February exists in leap years, and in years of two digits that can be one', () => {
    const years = [0, 1, 4, 96, 99, 100, 1900, 1904, 1996, 1999, 2000, 2100];
    expect(years.filter((year) => isValidDate(year, 2, 29))).to.deep.equal([0, 4, 96, 1904, 1996, 2000]);
    expect(years.filter((year) => !isValidDate(year, 2, 28))).to.deep.equal([]);
    expect(years.filter((year) => !isValidDate(year, 3, 29))).to.deep.equal([]);
  });

  it('Six digits are a date, from an index', () => {
    expect(isYearMonthDay(valueOf('99850412'), 2)).to.equal(true);
    expect(isYearMonthDay(valueOf('99120485'), 2)).to.equal(false);
  });
});
