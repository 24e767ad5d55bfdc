import { areAllSame } from '../checksums.ts';
import type { Country } from '../national-id.ts';

function isCnic(v: Uint8Array): boolean {
  return v[0] !== 0 && v[0] !== 9 && !areAllSame(v, 0, 13);
}

export const country: Country = {
  code: 'PK',
  adjectives: ['pakistani'],
  schemes: [
    {
      scheme: 'pk_cnic',
      name: 'CNIC',
      pattern: '99999-9999999-9 or 13 digits, first digit 1 to 8',
      checksum: 'none',
      labels: {
        official: ['cnic', 'nicop', 'nadra'],
        unsourced: [
          'شناختی نمبر',
          'snic',
          'b-form',
          'شناختی کارڈ',
          'computerised national identity card',
          'computerized national identity card',
        ],
      },
      source: 'NADRA',
      evidence: 'format',
      check: isCnic,
      shapes: { keyword: ['5-7-1'], own: ['13'] },
    },
  ],
};
