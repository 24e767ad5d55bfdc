import { areAllDigits, letter } from '../checksums.ts';
import type { Country } from '../national-id.ts';

/** The values of A to Z in Taiwanese numbers. */
const TW_LETTERS = [
  10, 11, 12, 13, 14, 15, 16, 17, 34, 18, 19, 20, 21, 22, 35, 23, 24, 25, 26, 27, 28, 29, 32, 30, 31, 33,
];

function isTaiwanId(v: Uint8Array): boolean {
  const second = v[1] as number;
  if ((v[0] as number) < 10 || !areAllDigits(v, 2, 8)) return false;
  if (second !== 1 && second !== 2 && second !== 8 && second !== 9 && (second < letter('A') || second > letter('D')))
    return false;
  const first = TW_LETTERS[(v[0] as number) - 10] as number;
  let sum =
    Math.floor(first / 10) + (first % 10) * 9 + (second > 9 ? (TW_LETTERS[second - 10] as number) % 10 : second) * 8;
  for (let i = 2; i < 9; i++) sum += (v[i] as number) * (9 - i);
  return (sum + (v[9] as number)) % 10 === 0;
}

export const country: Country = {
  code: 'TW',
  adjectives: ['taiwanese', 'taiwan'],
  schemes: [
    {
      scheme: 'tw_nid',
      name: 'National identification card number',
      pattern: 'A, then 1, 2, 8, 9 or A to D, then 8 digits',
      checksum: 'letter as two digits, weights 1 9 8 … 1, modulo 10',
      context: 'not needed in upper case; needed in lower case',
      labels: {
        'Microsoft Purview': [
          '身分證',
          '身分證字號',
          '身份證字號',
          '身分證號碼',
          '身分證統一編號',
          '國民身分證統一編號',
        ],
        unsourced: ['統一證號', '身分證統號', '國民身分證', '統一編號', '居留證', 'taiwan id', 'tw id', 'roc id'],
      },
      source: 'Ministry of the Interior, National Immigration Agency',
      check: isTaiwanId,
      isWeak: true,
      shapes: { free: ['10x'] },
    },
  ],
};
