import { isValidDate, numberAt, passesLuhn } from '../checksums.ts';
import type { Country } from '../national-id.ts';

function isAmka(v: Uint8Array): boolean {
  return isValidDate(numberAt(v, 4, 2), numberAt(v, 2, 2), numberAt(v, 0, 2)) && passesLuhn(v, 0, 11);
}

export const GREECE: Country = {
  code: 'GR',
  adjectives: ['greek'],
  schemes: [
    {
      scheme: 'gr_amka',
      name: 'AMKA',
      pattern: '11 digits: DDMMYY, serial, check digit',
      checksum: 'Luhn',
      context: 'always needed',
      keywords: [
        'amka',
        'a m k a',
        'αμκα',
        'α μ κ α',
        'social security number',
        'social security no',
        'social security',
      ],
      source: 'amka.gr',
      evidence: 'checksum',
      check: isAmka,
      shapes: { '11': 'keyword', '6-5': 'keyword', '6 5': 'keyword' },
    },
  ],
};
