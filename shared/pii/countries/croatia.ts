import { areAllSame, passesMod1110 } from '../checksums.ts';
import type { Country } from '../national-id.ts';

function isOib(v: Uint8Array): boolean {
  return passesMod1110(v, 11) && !areAllSame(v, 0, 11);
}

export const CROATIA: Country = {
  code: 'HR',
  adjectives: ['croatian'],
  schemes: [
    {
      scheme: 'hr_oib',
      name: 'Osobni identifikacijski broj',
      pattern: '11 digits',
      checksum: 'ISO/IEC 7064 MOD 11,10',
      context: 'always needed',
      keywords: [
        'oib',
        'osobni identifikacijski broj',
        'oib broj',
        'tax id',
        'tax number',
        'tax identification number',
        'tin',
      ],
      source: 'Zakon o osobnom identifikacijskom broju',
      evidence: 'checksum',
      check: isOib,
      shapes: { '11': 'keyword' },
    },
  ],
};
