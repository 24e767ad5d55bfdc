import { isValidDate, numberAt, weightedSum } from '../checksums.ts';
import type { Country } from '../national-id.ts';

const EGN_WEIGHTS = [2, 4, 8, 5, 10, 9, 7, 3, 6];

function isEgn(v: Uint8Array): boolean {
  // A multiple of 20 in the month is the offset of the century.
  const month = numberAt(v, 2, 2);
  if (month > 52 || !isValidDate(numberAt(v, 0, 2), month % 20, numberAt(v, 4, 2))) return false;
  return (weightedSum(v, EGN_WEIGHTS) % 11) % 10 === v[9];
}

export const country: Country = {
  code: 'BG',
  adjectives: ['bulgarian'],
  schemes: [
    {
      scheme: 'bg_egn',
      name: 'ЕГН (EGN)',
      pattern: '10 digits: YYMMDD (month plus 20 or 40 for the century), serial, check digit',
      checksum: 'weights 2 4 8 5 10 9 7 3 6, modulo 11',
      labels: {
        official: [
          'егн',
          'единен граждански номер',
          'единния граждански номер',
          'единният граждански номер',
          'единни граждански номера',
        ],
        'Microsoft Purview': ['egn', 'edinen grazhdanski nomer', 'uniform civil number'],
        unsourced: ['егнто', 'unified civil number'],
      },
      source: 'Закон за гражданската регистрация',
      check: isEgn,
      shapes: { keyword: ['10', '6 3 1', '6 4', '6-4'] },
    },
  ],
};
