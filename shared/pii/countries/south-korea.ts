import { isYearMonthDay, numberAt, weightedSum } from '../checksums.ts';
import type { Country } from '../national-id.ts';

const OLDEST_RRN = 70;
const RRN_WEIGHTS = [2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5];

/** Since October 2020 the last six digits are random. */
const FIRST_BIRTH_WITHOUT_CHECK = 2010;
const NEW_CENTURY = 3;

function isRrn(v: Uint8Array): boolean {
  const century = v[6] as number;
  if (!isYearMonthDay(v, 0)) return false;
  const hasCheckDigit = (11 - (weightedSum(v, RRN_WEIGHTS) % 11)) % 10 === v[12];
  // 9 and 0 mark births before 1900. Nobody born before 1870 had a number.
  if (century === 0 || century === 9) return numberAt(v, 0, 2) >= OLDEST_RRN && hasCheckDigit;
  // The numbers of foreigners (5 to 8) have another check digit, and none since 2020.
  const isNew = century >= NEW_CENTURY && numberAt(v, 0, 4) >= FIRST_BIRTH_WITHOUT_CHECK;
  return hasCheckDigit || century > 4 || isNew;
}

export const country: Country = {
  code: 'KR',
  adjectives: ['korean', 'south korean'],
  schemes: [
    {
      scheme: 'kr_rrn',
      name: 'Resident / foreigner registration number',
      pattern: 'YYMMDD-9999999 (seventh digit 1 to 8), or 13 digits',
      checksum: 'weights 2 to 9 and 2 to 5, modulo 11; none for foreigners and for births since October 2020',
      context: 'not needed with the hyphen; needed for bare digits',
      labels: {
        official: ['주민등록번호', 'resident registration number'],
        'Microsoft Presidio': ['외국인등록번호', '외국인번호', 'rrn', 'frn', 'foreigner registration number'],
        unsourced: [
          '주민 번호',
          '실명번호',
          'resident registration no',
          '주민번호',
          '주민등록 번호',
          '외국인등록 번호',
          'jumin',
          'alien registration number',
        ],
      },
      source: 'Resident Registration Act, enforcement rule of 2020',
      evidence: 'format',
      check: isRrn,
      shapes: { free: ['6-7'], keyword: ['6 7'], own: ['13'] },
    },
  ],
};
