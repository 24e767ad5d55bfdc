import type { Country } from '../national-id.ts';
import { isJmbg } from './serbia.ts';

function isEmso(v: Uint8Array): boolean {
  return v[7] === 5 && isJmbg(v);
}

export const country: Country = {
  code: 'SI',
  adjectives: ['slovenian', 'slovene'],
  schemes: [
    {
      scheme: 'si_emso',
      name: 'EMŠO',
      pattern: '13 digits: DDMMYYY, region 50 to 59, serial, check digit',
      checksum: 'weights 7 6 5 4 3 2, modulo 11',
      labels: {
        'python-stdnum': [
          'emšo',
          'enotna matična številka',
          'enotna matična številka občana',
          'enotne matične številke',
          'enotno matično številko',
        ],
        unsourced: ['matična številka', 'emša', 'emšu', 'enotna mat. št.'],
      },
      source: 'Zakon o centralnem registru prebivalstva',
      check: isEmso,
      shapes: { keyword: ['13'] },
    },
  ],
};
