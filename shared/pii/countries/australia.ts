import { areAllSame, weightedSum } from '../checksums.ts';
import type { Country } from '../national-id.ts';

const AU_WEIGHTS = [1, 4, 3, 7, 5, 8, 6, 9, 10];
const AU_WEIGHTS_OF_EIGHT = [10, 7, 8, 4, 6, 3, 5, 1];

function isTfn(v: Uint8Array, length: number): boolean {
  return weightedSum(v, length === 9 ? AU_WEIGHTS : AU_WEIGHTS_OF_EIGHT) % 11 === 0 && !areAllSame(v, 0, length);
}

export const country: Country = {
  code: 'AU',
  adjectives: ['australian'],
  words: 'australia ato centrelink mygov superannuation sydney melbourne brisbane',
  schemes: [
    {
      scheme: 'au_tfn',
      name: 'Tax File Number',
      pattern: '8 or 9 digits, bare or 999 999 999',
      checksum: 'weights 1 4 3 7 5 8 6 9 10, modulo 11',
      labels: {
        official: ['tax file number'],
        'Microsoft Presidio': ['tfn'],
        unsourced: ['tax file', 'tax file no', 'taxfile'],
      },
      source: 'Australian Taxation Office',
      check: isTfn,
      shapes: { keyword: ['9', '8', '3 3 3', '3-3-3', '3 3 2', '2 3 3'] },
    },
  ],
};
