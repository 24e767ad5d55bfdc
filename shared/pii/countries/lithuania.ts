import type { Country } from '../national-id.ts';
import { isBalticPersonalCode } from './estonia.ts';
import { RUSSIAN_LABELS } from './latvia.ts';

export const country: Country = {
  code: 'LT',
  adjectives: ['lithuanian'],
  words: 'lietuva lietuvos lithuania sodra vmi vilnius kaunas',
  schemes: [
    {
      scheme: 'lt_ak',
      name: 'Asmens kodas',
      pattern: '11 digits: sex and century, YYMMDD, serial, check digit',
      checksum: 'two rounds of weights, modulo 11',
      labels: {
        official: [
          'asmens kodas',
          'asmens kodo',
          'asmens kodui',
          'asmens kodą',
          'asmens kodu',
          'asmens kode',
          'asmens kodai',
          'asmens kodų',
        ],
        'Microsoft Purview': ['personal code'],
        unsourced: ['asmens kod', 'asm. kodas', 'asm. kodo', 'asm. k.', 'a.k.', ...RUSSIAN_LABELS],
      },
      source: 'Lietuvos Respublikos gyventojų registro įstatymas',
      check: isBalticPersonalCode,
      shapes: { keyword: ['11'] },
    },
  ],
};
