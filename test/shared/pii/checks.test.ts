import { expect } from 'chai';
import { type CheckData, compileCheck } from '../../../shared/pii/checks.ts';
import { passesCheck } from './values.ts';

/** The numbers that a check accepts. */
function accepted(data: CheckData, ...numbers: string[]): string[] {
  const check = compileCheck(data, () => () => true);
  return numbers.filter((number) => passesCheck({ check }, number));
}

/** A check with its parameters. */
const check = (name: string, parameters: Record<string, unknown> = {}): CheckData => ({ check: name, ...parameters });

describe('checks of characters', () => {
  it('A part of a value begins and ends at an index, from its beginning or its end', () => {
    expect(accepted(check('digits'), '123', '12A')).to.deep.equal(['123']);
    expect(accepted(check('digits', { to: 2 }), '12A', '1AB')).to.deep.equal(['12A']);
    expect(accepted(check('digits', { from: -2 }), 'A12', 'AB2')).to.deep.equal(['A12']);
    expect(accepted(check('letters', { from: 1, to: -1 }), '1A2', '1A22', '112')).to.deep.equal(['1A2']);
    expect(accepted(check('letters', { at: -1 }), '12A', '1A2')).to.deep.equal(['12A']);
    expect(accepted(check('letters', { at: 1 }), '12A', '1A2')).to.deep.equal(['1A2']);
  });

  it('Characters, words, numbers and lengths are in a list', () => {
    expect(accepted(check('characters', { at: 0, in: 'A2' }), 'A1', '21', 'B1')).to.deep.equal(['A1', '21']);
    expect(accepted(check('words', { at: 1, in: 'AB ZA' }), '0AB', '0ZA', '0BA', '0AZ')).to.deep.equal(['0AB', '0ZA']);
    const range = check('range', { from: 1, in: [[5, 12], 70] });
    expect(accepted(range, '904', '905', '912', '913', '970')).to.deep.equal(['905', '912', '970']);
    expect(accepted(check('length', { in: [2, 4] }), '1', '12', '123', '1234')).to.deep.equal(['12', '1234']);
    expect(accepted(check('notAllSame', { from: 1 }), '1222', '1223')).to.deep.equal(['1223']);
  });

  it('Checks are combined: all of a list, any of a list, none', () => {
    const [odd, small] = [check('characters', { at: -1, in: '13579' }), check('range', { in: [[0, 50]] })];
    expect(accepted([odd, small], '11', '12', '61')).to.deep.equal(['11']);
    expect(accepted(check('anyOf', { of: [odd, small] }), '11', '12', '61', '62')).to.deep.equal(['11', '12', '61']);
    expect(accepted(check('not', { of: [odd, small] }), '11', '12')).to.deep.equal(['12']);
  });
});

describe('checks of dates', () => {
  it('A date exists if its month has the day, and the 29th of February if its year can be a leap year', () => {
    const full = check('date', { format: 'YYYYMMDD' });
    [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31].forEach((last, i) => {
      const days = [0, 1, last, last + 1].map((day) => String(2_000_00_00 + (i + 1) * 100 + day));
      expect(accepted(full, ...days)).to.deep.equal(days.slice(1, 3));
    });
    expect(accepted(full, '20000001', '20001301')).to.deep.equal([]);
    const years = ['1900', '1904', '1996', '1999', '2000', '2100'];
    expect(accepted(full, ...years.map((year) => `${year}0229`))).to.deep.equal(['19040229', '19960229', '20000229']);
    const short = ['000229', '010229', '040229', '960229', '990229'];
    expect(accepted(check('date', { format: 'YYMMDD' }), ...short)).to.deep.equal(['000229', '040229', '960229']);
  });

  it('A date has the order of its format', () => {
    expect(accepted(check('date', { format: 'YYMMDD' }), '850412', '120485')).to.deep.equal(['850412']);
    expect(accepted(check('date', { format: 'DDMMYY', from: -6 }), '99310385', '99310485')).to.deep.equal(['99310385']);
    expect(accepted(check('date', { format: 'DDMM.YY' }), '2902004', '2902001', '2902104')).to.deep.equal([
      '2902004',
      '2902104',
    ]);
  });

  it('The first offset that is less than the day or month is subtracted', () => {
    const date = check('date', { format: 'YYMMDD', dayOffsets: [40], monthOffsets: [80, 20] });
    const months = ['851201', '852001', '852101', '853201', '853301', '858001', '858101', '859201', '859301'];
    expect(accepted(date, ...months)).to.deep.equal(['851201', '852101', '853201', '858101', '859201']);
    expect(accepted(date, '850131', '850140', '850141', '850171', '850172')).to.deep.equal([
      '850131',
      '850141',
      '850171',
    ]);
  });
});

/** The check characters of a number, by a check. */
function complete(data: CheckData, head: string) {
  return accepted(data, ...Array.from('0123456789KX', (character) => head + character)).map((number) => number.at(-1));
}

describe('checks of published algorithms', () => {
  it('Each algorithm accepts one last digit', () => {
    const digit = (algorithm: CheckData, head: string) => complete([check('digits'), algorithm], head);
    expect(digit(check('luhn'), '7992739871')).to.deep.equal(['3']);
    expect(digit(check('luhn', { from: 2 }), '997992739871')).to.deep.equal(['3']);
    expect(digit(check('mod11_10'), '1234567890')).to.deep.equal(['3']);
    expect(digit(check('verhoeff', { digits: 6, at: 6 }), '142857')).to.deep.equal(['0']);
    expect(digit(check('verhoeff', { digits: 3, at: 4 }), '2369')).to.deep.equal(['3']);
  });
});

describe('checks of sums', () => {
  it('The weights end before the check digit, so that shorter numbers have leading zeros', () => {
    const weights = check('weights', { weights: [4, 3, 2], modulus: 10 });
    expect(complete(weights, '123')).to.deep.equal(['6']);
    expect(complete(weights, '23')).to.deep.equal(['2']);
    expect(complete(weights, '023')).to.deep.equal(['2']);
    expect(complete(check('weights', { weights: [4, 3, 2], modulus: 10, from: 1 }), '0123')).to.deep.equal(['6']);
    expect(accepted(check('weights', { weights: [1, 2], modulus: 10, at: 2 }), '1257', '1275')).to.deep.equal(['1257']);
  });

  it('The result is the remainder, the complement or from a table, and can be replaced', () => {
    const weights = (parameters: object) => check('weights', { weights: [1, 1], modulus: 11, ...parameters });
    expect(complete(weights({}), '36')).to.deep.equal(['9']);
    expect(complete(weights({}), '46')).to.deep.equal([]);
    expect(complete(weights({ add: 5 }), '36')).to.deep.equal(['3']);
    expect(complete(weights({ complement: true }), '36')).to.deep.equal(['2']);
    expect(complete(weights({ complement: true }), '00')).to.deep.equal(['0']);
    expect(complete(weights({ replace: { 10: 'K' } }), '46')).to.deep.equal(['K']);
    expect(complete(weights({ replace: { 10: 1 } }), '46')).to.deep.equal(['1']);
    expect(complete(weights({ table: '0123456789X' }), '46')).to.deep.equal(['X']);
    expect(complete(weights({ secondWeights: [1, 2] }), '46')).to.deep.equal(['5']);
    expect(complete(weights({ secondWeights: [1, 2] }), '45')).to.deep.equal(['9']);
  });

  it('Characters have other values, weights can be negative, and digits of products are added', () => {
    const weights = (parameters: object) =>
      check('weights', { weights: [1, 10], modulus: 97, checkDigits: 2, ...parameters });
    expect(accepted(weights({}), '1A04', '1A05')).to.deep.equal(['1A04']);
    expect(accepted(weights({ values: { A: -1 } }), '2A89', '2A09')).to.deep.equal(['2A89']);
    expect(accepted(weights({ values: 'ZYXA' }), 'YA31', 'YA41')).to.deep.equal(['YA31']);
    expect(accepted(weights({ weights: [-1, 1] }), '3195', '3198')).to.deep.equal(['3195']);
    expect(accepted(weights({ weights: [7, 5], digitSums: true }), '3510', '3546')).to.deep.equal(['3510']);
  });

  it('A letter can count as two digits, with two weights', () => {
    const letter = check('weights', { weights: [1, 2, 3], modulus: 10, letterAt: 0, letters: '..........AB' });
    expect(accepted(letter, 'A12', 'A14', 'B16', 'B14')).to.deep.equal(['A14', 'B16']);
  });

  it('A sum with the check digit is divisible, and a number is compared with its remainder', () => {
    expect(accepted(check('sum', { weights: [3, 2, 1], modulus: 11 }), '121', '124', '24')).to.deep.equal(['124']);
    expect(accepted(check('sum', { weights: [1, 1], modulus: 11, add: 5 }), '33', '34')).to.deep.equal(['33']);
    const modulo = check('modulo', { digits: 13, modulus: 97, checkDigits: 2 });
    const remainder = String(1_234_567_890_123 % 97).padStart(2, '0');
    expect(accepted(modulo, `1234567890123${remainder}`, '123456789012300')).to.deep.equal([
      `1234567890123${remainder}`,
    ]);
  });
});
