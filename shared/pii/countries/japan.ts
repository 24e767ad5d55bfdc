import { areAllSame, weightedSum } from '../checksums.ts';
import type { Country } from '../national-id.ts';

const JP_WEIGHTS = [6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2];

function isMyNumber(v: Uint8Array): boolean {
  const rest = weightedSum(v, JP_WEIGHTS) % 11;
  return (rest <= 1 ? 0 : 11 - rest) === v[11] && !areAllSame(v, 0, 12);
}

export const country: Country = {
  code: 'JP',
  adjectives: ['japanese'],
  schemes: [
    {
      scheme: 'jp_my_number',
      name: 'My Number (個人番号)',
      pattern: '12 digits, bare or 9999 9999 9999 or 9999-9999-9999',
      checksum: 'weights 6 5 4 3 2 7 6 5 4 3 2, modulo 11',
      labels: { official: ['個人番号'], unsourced: ['マイナンバー', 'my number', 'kojin bango', 'individual number'] },
      source: '行政手続における特定の個人を識別するための番号の利用等に関する法律',
      check: isMyNumber,
      shapes: { keyword: ['12', '4 4 4', '4-4-4'] },
    },
  ],
};
