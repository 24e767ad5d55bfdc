import { areAllSame, weightedSum } from '../checksums.ts';
import type { Country } from '../national-id.ts';

const UA_WEIGHTS = [-1, 5, 7, 9, 4, 6, 10, 5, 7];

function isRnokpp(v: Uint8Array): boolean {
  return (((weightedSum(v, UA_WEIGHTS) % 11) + 11) % 11) % 10 === v[9] && !areAllSame(v, 0, 10);
}

export const country: Country = {
  code: 'UA',
  adjectives: ['ukrainian'],
  schemes: [
    {
      scheme: 'ua_rnokpp',
      name: 'РНОКПП (RNOKPP)',
      pattern: '10 digits',
      checksum: 'weights -1 5 7 9 4 6 10 5 7, modulo 11',
      keywords: [
        'рнокпп',
        'ипн',
        'іпн',
        'інн',
        'rnokpp',
        'ідентифікаційний номер',
        'ідентифікаційний код',
        'taxpayer card',
      ],
      source: 'Податковий кодекс України, ст. 70',
      check: isRnokpp,
      shapes: { keyword: ['10'] },
    },
  ],
};
