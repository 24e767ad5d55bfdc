import { isYearMonthDay, weightedSum } from '../checksums.ts';
import type { Country } from '../national-id.ts';

const BALTIC_FIRST = [1, 2, 3, 4, 5, 6, 7, 8, 9, 1];
const BALTIC_SECOND = [3, 4, 5, 6, 7, 8, 9, 1, 2, 3];

/**
 * Estonia and Lithuania have the same rule. Only a keyword distinguishes the numbers of the two
 * countries.
 */
export function isBalticPersonalCode(v: Uint8Array): boolean {
  const first = v[0] as number;
  if (first < 1 || first > 8 || !isYearMonthDay(v, 1)) return false;
  let check = weightedSum(v, BALTIC_FIRST) % 11;
  if (check === 10) check = (weightedSum(v, BALTIC_SECOND) % 11) % 10;
  return check === v[10];
}

export const country: Country = {
  code: 'EE',
  adjectives: ['estonian'],
  words: 'eesti estonia emta haigekassa tallinn tartu',
  schemes: [
    {
      scheme: 'ee_ik',
      name: 'Isikukood',
      pattern: '11 digits: sex and century, YYMMDD, serial, check digit',
      checksum: 'two rounds of weights, modulo 11',
      labels: {
        official: [
          'isikukood',
          'isikukoodi',
          'isikukoodis',
          'isikukoodist',
          'isikukoodile',
          'isikukoodil',
          'isikukoodilt',
          'isikukoodiga',
          'isikukoodita',
          'isikukoodid',
        ],
        'Microsoft Purview': ['ik', 'personal code', 'personal identification code'],
        unsourced: [
          'isikuk.',
          'isiku kood',
          'isiku koodi',
          'id-kood',
          'id-koodi',
          'id-koodiga',
          'личный код',
          'личного кода',
          'личному коду',
          'личным кодом',
        ],
      },
      oids: ['1.3.6.1.4.1.28284.6.2.2.1'],
      source: 'EVS 585:2007',
      check: isBalticPersonalCode,
      shapes: { keyword: ['11'] },
    },
  ],
};
