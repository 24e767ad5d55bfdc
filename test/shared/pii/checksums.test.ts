import { expect } from 'chai';
import {
  areAllDigits,
  areAllLetters,
  areAllSame,
  isDayMonthYear,
  isValidDate,
  isYearMonthDay,
  letterPair,
  letterPairs,
  numberAt,
  passesLuhn,
  passesMod1110,
  passesVerhoeff,
  remainder,
  valuesOf,
  weightedSum,
} from '../../../shared/pii/checksums.ts';

/** The value of a number without separators. */
function valueOf(text: string): Uint8Array {
  return Uint8Array.from(valuesOf(text));
}

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
    expect(lastDigits(passesVerhoeff, '236')).to.deep.equal(['3']);
    expect(lastDigits(passesVerhoeff, '142857')).to.deep.equal(['0']);
  });

  it('The Luhn check reads the digits from an index', () => {
    expect(passesLuhn(valueOf('9979927398713'), 2, 11)).to.equal(true);
    expect(passesLuhn(valueOf('79927398710000'), 0, 11)).to.equal(false);
  });

  it('Sums, numbers and remainders begin at an index', () => {
    const value = valueOf('90123456789012345678901');
    expect(weightedSum(value, [1, 10, 100], 2)).to.equal(1 + 20 + 300);
    expect(weightedSum(value, [1, 2])).to.equal(9);
    expect(numberAt(value, 1, 4)).to.equal(123);
    expect(remainder(value, 1, 22, 97)).to.equal(Number(123_456_789_012_345_678_901n % 97n));
  });
});

describe('characters of a value', () => {
  it('A part of a value can have digits only, letters only or one character only', () => {
    const value = valueOf('A09AZ77');
    const parts = [
      [0, 1],
      [1, 2],
      [2, 2],
      [3, 2],
      [4, 2],
      [5, 2],
    ] as const;
    expect(parts.map(([from, length]) => areAllDigits(value, from, length))).to.deep.equal([
      false,
      true,
      false,
      false,
      false,
      true,
    ]);
    expect(parts.map(([from, length]) => areAllLetters(value, from, length))).to.deep.equal([
      true,
      false,
      false,
      true,
      false,
      false,
    ]);
    expect(parts.map(([from, length]) => areAllSame(value, from, length))).to.deep.equal([
      true,
      false,
      false,
      false,
      false,
      true,
    ]);
  });

  it('Letters have the values 10 to 35, alone and in a list of pairs', () => {
    expect(valuesOf('09AZ')).to.deep.equal([0, 9, 10, 35]);
    const pairs = letterPairs('AB ZA');
    const found = ['AB', 'ZA', 'BA', 'AZ', 'AA'].filter((pair) => pairs.has(letterPair(valueOf(`0${pair}`), 1)));
    expect(found).to.deep.equal(['AB', 'ZA']);
    expect(pairs).to.have.property('size', 2);
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

  it('Six digits are a date in the order of the scheme, from an index', () => {
    expect(isYearMonthDay(valueOf('99850412'), 2)).to.equal(true);
    expect(isYearMonthDay(valueOf('99120485'), 2)).to.equal(false);
    expect(isDayMonthYear(valueOf('99310485'), 2)).to.equal(false);
    expect(isDayMonthYear(valueOf('99310385'), 2)).to.equal(true);
    expect(isDayMonthYear(valueOf('290200'), 0)).to.equal(true);
    expect(isDayMonthYear(valueOf('290201'), 0)).to.equal(false);
  });
});
