import { areAllSame, passesLuhn } from '../checksums.ts';
import type { Country } from '../national-id.ts';

function isMisparZehut(v: Uint8Array, length: number): boolean {
  return passesLuhn(v, 0, length) && !areAllSame(v, 0, length);
}

export const country: Country = {
  code: 'IL',
  adjectives: ['israeli'],
  schemes: [
    {
      scheme: 'il_id',
      name: 'Mispar Zehut',
      pattern: '9 digits, bare or 99999999-9',
      checksum: 'Luhn',
      labels: {
        'python-stdnum': ['מספר זהות', 'mispar zehut'],
        unsourced: [
          'ת״ז',
          'מ.ז.',
          'מספר ת.ז.',
          'מספר הזהות',
          'תעודת זהות',
          'תעודת הזהות',
          'זהות',
          'ת"ז',
          'בת"ז',
          'תז',
          'teudat zehut',
          'israeli id',
          'israel id',
          'رقم الهوية',
          'رقم هوية',
          'id number',
        ],
      },
      source: 'Population Registry',
      check: isMisparZehut,
      shapes: { keyword: ['9', '8-1', '7-1'], own: ['8'] },
    },
  ],
};
