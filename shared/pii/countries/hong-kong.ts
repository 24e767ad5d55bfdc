import { areAllDigits, areAllLetters, letter } from '../checksums.ts';
import type { Country } from '../national-id.ts';

function isHkid(v: Uint8Array, length: number): boolean {
  const from = length - 7;
  if (!areAllLetters(v, 0, from) || !areAllDigits(v, from, 6) || (v[length - 1] as number) > letter('A')) return false;
  // A single letter has a blank before it, with the value 36.
  let sum = from === 2 ? (v[0] as number) * 9 + (v[1] as number) * 8 : 36 * 9 + (v[0] as number) * 8;
  for (let i = 0; i < 6; i++) sum += (v[from + i] as number) * (7 - i);
  return (sum + (v[length - 1] as number)) % 11 === 0;
}

export const country: Country = {
  code: 'HK',
  adjectives: ['hong kong'],
  schemes: [
    {
      scheme: 'hk_hkid',
      name: 'Hong Kong identity card number',
      pattern: 'A999999(X) or AA999999(X); A999999[X]; without brackets A999999X',
      checksum: 'weights 9 to 1, modulo 11',
      context: 'not needed with round brackets; needed otherwise',
      labels: {
        official: ['hong kong identity card', '身份證', '身份證號碼'],
        unsourced: ['hkid', 'hk id', 'hkid number', 'hkid no', 'hkic', 'hong kong id', '香港身份證', '身分證'],
      },
      source: 'Registration of Persons Ordinance (Cap. 177)',
      check: isHkid,
      shapes: {
        free: ['7x(1', '8x(1', '8x(1a', '7x(1a', '1a 6(1', '1a 6(1a'],
        keyword: ['8x', '9x', '7x-1', '7x-1a', '7x[1', '7x[1a', '8x[1', '8x[1a'],
      },
    },
  ],
};
