import { isValidDate, numberAt, passesLuhn } from '../checksums.ts';
import type { Country } from '../national-id.ts';

function isSouthAfricanId(v: Uint8Array): boolean {
  const citizenship = v[10] as number;
  if (citizenship > 2 || !isValidDate(numberAt(v, 0, 2), numberAt(v, 2, 2), numberAt(v, 4, 2))) return false;
  return passesLuhn(v, 0, 13);
}

export const SOUTH_AFRICA: Country = {
  code: 'ZA',
  adjectives: ['south african'],
  schemes: [
    {
      scheme: 'za_id',
      name: 'Identity number',
      pattern: '13 digits: YYMMDD, sex, citizenship 0 to 2, 8 or 9, check digit; bare or 999999 9999 999',
      checksum: 'Luhn',
      context: 'always needed',
      keywords: [
        'id number',
        'id no',
        'id nr',
        'rsa id',
        'sa id',
        'south african id',
        'idnumber',
        'identiteitsnommer',
        'id nommer',
        'identity no',
        'identity number',
        'permanent resident number',
        'zaid',
        'za id',
      ],
      source: 'Identification Act 68 of 1997',
      evidence: 'checksum',
      check: isSouthAfricanId,
      shapes: {
        '13': 'keyword',
        '6 4 3': 'keyword',
        '6 4 2 1': 'keyword',
        '6 4 1 2': 'keyword',
        '6-4-2-1': 'keyword',
        '6-4-3': 'keyword',
      },
    },
  ],
};
