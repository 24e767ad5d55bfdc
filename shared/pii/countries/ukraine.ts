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
      labels: {
        official: [
          'реєстраційний номер облікової картки платника податків',
          'реєстраційного номера облікової картки платника податків',
          'реєстраційним номером облікової картки платника податків',
        ],
        'mfa.gov.ua, РНОКПП': ['рнокпп', 'іпн', 'ідентифікаційний код'],
        unsourced: [
          'податковий номер',
          'податкового номера',
          'дрфо',
          'дрфоу',
          'drfo',
          'код дрфо',
          'код за дрфо',
          'ипн',
          'інн',
          'rnokpp',
          'індивідуальний податковий номер',
          'індивідуального податкового номера',
          'індивідуальним податковим номером',
          'ідентифікаційний номер',
          'ідентифікаційного номера',
          'ідентифікаційного коду',
          'код платника',
          'код платника податків',
          'taxpayer card',
        ],
      },
      ambiguousLabels: { unsourced: ['ipn'] },
      source: 'Податковий кодекс України, ст. 70',
      check: isRnokpp,
      shapes: { keyword: ['10'] },
    },
  ],
};
