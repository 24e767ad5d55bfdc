import { areAllDigits, letter, numberAt } from '../checksums.ts';
import type { Country } from '../national-id.ts';

function isLankanNic(v: Uint8Array, length: number): boolean {
  const suffix = v[length - 1] as number;
  if (length === 10 && (!areAllDigits(v, 0, 9) || (suffix !== letter('V') && suffix !== letter('X')))) return false;
  if (length === 12 && (numberAt(v, 0, 4) < 1900 || numberAt(v, 0, 4) > 2035)) return false;
  const day = numberAt(v, length === 12 ? 4 : 2, 3);
  return (day >= 1 && day <= 366) || (day >= 501 && day <= 866);
}

export const country: Country = {
  code: 'LK',
  adjectives: ['sri lankan'],
  schemes: [
    {
      scheme: 'lk_nic',
      name: 'National Identity Card',
      pattern: '999999999V or 999999999X; 12 digits',
      checksum: 'none; the day of the year must exist',
      labels: {
        official: ['nic', 'national identity card'],
        unsourced: ['ජාතික හැඳුනුම්පත', 'හැඳුනුම්පත් අංකය', 'தேசிய அடையாள அட்டை', 'nic no', 'nic number'],
      },
      source: 'Department for Registration of Persons',
      evidence: 'format',
      check: isLankanNic,
      shapes: { keyword: ['10x'], own: ['12'] },
    },
  ],
};
