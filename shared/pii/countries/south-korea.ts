import { isYearMonthDay, numberAt, weightedSum } from '../checksums.ts';
import type { Country } from '../national-id.ts';

const OLDEST_RRN = 70;
const RRN_WEIGHTS = [2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5];

function isRrn(v: Uint8Array): boolean {
  const century = v[6] as number;
  if (!isYearMonthDay(v, 0)) return false;
  if (century >= 1 && century <= 8) return true;
  // 9 and 0 mark births before 1900. Nobody born before 1870 had a number, and all these numbers
  // have a check digit.
  if (numberAt(v, 0, 2) < OLDEST_RRN) return false;
  return (11 - (weightedSum(v, RRN_WEIGHTS) % 11)) % 10 === v[12];
}

export const country: Country = {
  code: 'KR',
  adjectives: ['korean', 'south korean'],
  schemes: [
    {
      scheme: 'kr_rrn',
      name: 'Resident / foreigner registration number',
      pattern: 'YYMMDD-9999999 (seventh digit 1 to 8), or 13 digits',
      checksum: 'none (discontinued in October 2020); the date must exist',
      context: 'not needed with the hyphen; needed for bare digits',
      labels: {
        official: ['주민등록번호', 'resident registration number'],
        'Microsoft Presidio': ['외국인등록번호', '외국인번호', 'rrn', 'frn', 'foreigner registration number'],
        none: ['주민번호', '주민등록 번호', '외국인등록 번호', 'jumin', 'alien registration number'],
      },
      source: 'Resident Registration Act, enforcement rule of 2020',
      evidence: 'format',
      check: isRrn,
      shapes: { free: ['6-7'], keyword: ['6 7'], own: ['13'] },
    },
  ],
};
