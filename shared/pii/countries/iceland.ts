import { isValidDate, numberAt, weightedSum } from '../checksums.ts';
import type { Country } from '../national-id.ts';

const IS_WEIGHTS = [3, 2, 7, 6, 5, 4, 3, 2];

function isKennitala(v: Uint8Array): boolean {
  const day = numberAt(v, 0, 2);
  if (!isValidDate(numberAt(v, 4, 2), numberAt(v, 2, 2), day > 40 ? day - 40 : day)) return false;
  const century = v[9];
  return (century === 9 || century === 0) && (11 - (weightedSum(v, IS_WEIGHTS) % 11)) % 11 === v[8];
}

export const country: Country = {
  code: 'IS',
  adjectives: ['icelandic'],
  schemes: [
    {
      scheme: 'is_kt',
      name: 'Kennitala',
      pattern: 'DDMMYY-9999 or 10 digits',
      checksum: 'weights 3 2 7 6 5 4 3 2, modulo 11',
      labels: {
        official: ['kennitala', 'kennitalan', 'kennitölu', 'kennitöluna', 'kennitölunni', 'kennitölur'],
        unsourced: ['kennitölunnar', 'kt'],
      },
      source: 'Þjóðskrá Íslands',
      check: isKennitala,
      shapes: { keyword: ['6-4', '10', '6 4'] },
    },
  ],
};
