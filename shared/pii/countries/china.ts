import { areAllDigits, isValidDate, isYearMonthDay, letter, numberAt, weightedSum } from '../checksums.ts';
import type { Country } from '../national-id.ts';

const CN_WEIGHTS = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
const CN_REGIONS = new Set([
  11, 12, 13, 14, 15, 21, 22, 23, 31, 32, 33, 34, 35, 36, 37, 41, 42, 43, 44, 45, 46, 50, 51, 52, 53, 54, 61, 62, 63,
  64, 65, 71, 81, 82, 83, 91,
]);

/** Until 1999 the number had 15 digits, with a two-digit year and without a check digit. */
function isOldIdentityCard(v: Uint8Array): boolean {
  return CN_REGIONS.has(numberAt(v, 0, 2)) && isYearMonthDay(v, 6);
}

function isResidentIdentityCard(v: Uint8Array, length: number): boolean {
  if (length === 15) return isOldIdentityCard(v);
  const year = numberAt(v, 6, 4);
  const check = v[17] as number;
  if (!areAllDigits(v, 0, 17) || (check > 9 && check !== letter('X')) || !CN_REGIONS.has(numberAt(v, 0, 2)))
    return false;
  if (year < 1880 || year > 2035 || !isValidDate(year, numberAt(v, 10, 2), numberAt(v, 12, 2))) return false;
  const expected = (12 - (weightedSum(v, CN_WEIGHTS) % 11)) % 11;
  return (expected === 10 ? letter('X') : expected) === check;
}

export const country: Country = {
  code: 'CN',
  adjectives: ['chinese'],
  schemes: [
    {
      scheme: 'cn_ric',
      name: 'Resident identity card number',
      pattern: '18 characters: region, YYYYMMDD, serial, check digit or X; 15 digits before 2000',
      checksum: 'ISO/IEC 7064 MOD 11-2',
      context: 'not needed; needed for 15 digits',
      labels: {
        official: ['公民身份号码'],
        unsourced: [
          '证件号码',
          '证件号',
          'sfz',
          'cert no',
          'certno',
          '身份证',
          '身份证号',
          '身份证号码',
          '居民身份证',
          'sfzh',
          'shenfenzheng',
          'resident identity card',
          'resident id',
          'id card',
          'idcard',
        ],
      },
      source: 'GB 11643-1999',
      check: isResidentIdentityCard,
      anyCase: true,
      shapes: { free: ['18', '18x', '6 8 4', '6 8 4x', '6-8-4', '6-8-4x'], own: ['15'] },
    },
  ],
};
