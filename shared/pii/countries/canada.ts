import { areAllSame, passesLuhn } from '../checksums.ts';
import type { Country } from '../national-id.ts';

function isSin(v: Uint8Array): boolean {
  return passesLuhn(v, 0, 9) && !areAllSame(v, 0, 9);
}

export const country: Country = {
  code: 'CA',
  adjectives: ['canadian'],
  words: 'canada cra ontario québec alberta toronto montréal vancouver',
  schemes: [
    {
      scheme: 'ca_sin',
      name: 'Social Insurance Number',
      pattern: '999-999-999, 999 999 999 or 9 digits',
      checksum: 'Luhn',
      labels: {
        official: ['sin', 'social insurance', 'social insurance number'],
        'Microsoft Presidio': ['sin number', 'nas', 'assurance sociale', "numéro d'assurance sociale"],
      },
      source: 'Employment and Social Development Canada',
      check: isSin,
      shapes: { keyword: ['9', '3-3-3', '3 3 3', '3.3.3'] },
    },
  ],
};
