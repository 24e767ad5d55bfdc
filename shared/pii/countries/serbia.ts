import { isValidDate, numberAt, weightedSum } from '../checksums.ts';
import type { Country } from '../national-id.ts';

const JMBG_WEIGHTS = [7, 6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2];

export function isJmbg(v: Uint8Array): boolean {
  if (!isValidDate(numberAt(v, 4, 3) % 100, numberAt(v, 2, 2), numberAt(v, 0, 2))) return false;
  const year = numberAt(v, 4, 3);
  if (year > 100 && year < 870) return false;
  const rest = weightedSum(v, JMBG_WEIGHTS) % 11;
  return ((11 - rest) % 11) % 10 === v[12];
}

export const country: Country = {
  code: 'RS',
  adjectives: ['serbian'],
  schemes: [
    {
      scheme: 'rs_jmbg',
      name: 'ЈМБГ (JMBG)',
      pattern: '13 digits: DDMMYYY, region, serial, check digit',
      checksum: 'weights 7 6 5 4 3 2, modulo 11',
      labels: {
        official: [
          'jedinstveni matični broj',
          'jedinstvenog matičnog broja',
          'jedinstvenim matičnim brojem',
          'јединствени матични број',
          'јединственог матичног броја',
          'јединственим матичним бројем',
        ],
        unsourced: ['мат. број', 'мбг', 'jmbgom', 'mat. broj', 'jmbg', 'јмбг', 'matični broj', 'матични број'],
      },
      source: 'Zakon o jedinstvenom matičnom broju građana',
      check: isJmbg,
      shapes: { keyword: ['13'] },
    },
  ],
};
