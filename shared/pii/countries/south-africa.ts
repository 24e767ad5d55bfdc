import { isYearMonthDay, passesLuhn } from '../checksums.ts';
import type { Country } from '../national-id.ts';

function isSouthAfricanId(v: Uint8Array): boolean {
  const citizenship = v[10] as number;
  if (citizenship > 2 || !isYearMonthDay(v, 0)) return false;
  return passesLuhn(v, 0, 13);
}

export const country: Country = {
  code: 'ZA',
  adjectives: ['south african'],
  words: 'africa sars sassa johannesburg pretoria durban zar',
  schemes: [
    {
      scheme: 'za_id',
      name: 'Identity number',
      pattern: '13 digits: YYMMDD, sex, citizenship 0 to 2, 8 or 9, check digit; bare or 999999 9999 999',
      checksum: 'Luhn',
      labels: {
        official: ['identity number'],
        'Microsoft Presidio': ['id number', 'south african id', 'rsa id'],
        unsourced: [
          'id no',
          'id nr',
          'idno',
          'idnumber',
          'identity no',
          'sa id',
          'sa id number',
          'saidnumber',
          'said number',
          'rsa id number',
          'za id',
          'zaid',
          'permanent resident number',
          'identiteitsnommer',
          'id-nommer',
        ],
      },
      ambiguousLabels: { unsourced: ['said'] },
      source: 'Identification Act 68 of 1997',
      check: isSouthAfricanId,
      shapes: { keyword: ['13', '6 4 3', '6 4 2 1', '6 4 1 2', '6-4-2-1', '6-4-3'] },
    },
  ],
};
