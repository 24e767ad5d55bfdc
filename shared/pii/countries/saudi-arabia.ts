import { passesLuhn } from '../checksums.ts';
import type { Country } from '../national-id.ts';

/** 1 begins the numbers of citizens, 2 those of residents (Iqama). */
function isSaudiId(v: Uint8Array): boolean {
  return (v[0] === 1 || v[0] === 2) && passesLuhn(v, 0, 10);
}

export const country: Country = {
  code: 'SA',
  adjectives: ['saudi', 'saudi arabian', 'ksa'],
  schemes: [
    {
      scheme: 'sa_nid',
      name: 'National ID / Iqama',
      pattern: '10 digits beginning with 1 (citizens) or 2 (residents)',
      checksum: 'Luhn',
      labels: {
        ZATCA: ['scheme id nat', 'scheme id iqa'],
        unsourced: [
          'سجل مدني',
          'رقم هويتي',
          'هويتي',
          'رقم إقامتي',
          'إقامة',
          'رقم الهوية الوطنية',
          'الهوية الوطنية',
          'رقم الهوية',
          'السجل المدني',
          'رقم السجل المدني',
          'رقم الإقامة',
          'الإقامة',
          'هوية مقيم',
          'iqama',
          'iqama no',
          'iqama number',
          'igama',
        ],
      },
      source: 'Ministry of Interior, Absher',
      check: isSaudiId,
      shapes: { keyword: ['10'] },
    },
  ],
};
