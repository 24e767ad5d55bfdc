import { areAllSame } from '../checksums.ts';
import type { Country } from '../national-id.ts';

function isBsn(v: Uint8Array, length: number): boolean {
  let sum = 0;
  for (let i = 0; i < length - 1; i++) sum += (v[i] as number) * (length - i);
  return sum > 0 && (sum - (v[length - 1] as number)) % 11 === 0 && !areAllSame(v, 0, length);
}

export const country: Country = {
  code: 'NL',
  adjectives: ['dutch'],
  words: 'nederland netherlands digid belastingdienst uwv svb vecozo mijnoverheid amsterdam rotterdam utrecht',
  schemes: [
    {
      scheme: 'nl_bsn',
      name: 'Burgerservicenummer',
      pattern: '9 digits (8 without the leading zero), bare or 9999.99.999 or 999 999 999',
      checksum: 'weights 9 to 2 and minus 1, modulo 11',
      labels: {
        official: ['bsn', 'burgerservicenummer'],
        unsourced: [
          'burger service nr',
          'sofinr',
          'sofi-nr',
          'burgerservicenr',
          'burger service nummer',
          'sofi',
          'sofinummer',
          'sofi nummer',
          'citizen service number',
        ],
      },
      oids: ['2.16.840.1.113883.2.4.6.3'],
      source: 'Wet algemene bepalingen burgerservicenummer; RvIG',
      check: isBsn,
      shapes: {
        keyword: ['9', '4.2.3', '3 3 3', '3.3.3', '4 2 3', '3-3-3', '2 3 2 2'],
        own: ['8', '3.2.4', '3 2 4', '3-2-4'],
      },
    },
  ],
};
