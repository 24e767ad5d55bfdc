import { areAllDigits, areAllLetters, letter, valuesOf } from '../checksums.ts';
import type { Country } from '../national-id.ts';

const PPS_LETTERS = valuesOf('WABCDEFGHIJKLMNOPQRSTUV');

function isPps(v: Uint8Array, length: number): boolean {
  if (!areAllDigits(v, 0, 7) || !areAllLetters(v, 7, length - 7)) return false;
  let sum = 0;
  for (let i = 0; i < 7; i++) sum += (v[i] as number) * (8 - i);
  const second = length === 9 ? (v[8] as number) : letter('W');
  // W, T and X, which spouses and companies had before 2013, are not a part of the sum.
  if (second !== letter('W') && second !== letter('T') && second !== letter('X')) {
    if (second > letter('I')) return false;
    sum += (second - 9) * 9;
  }
  return PPS_LETTERS[sum % 23] === v[7];
}

export const country: Country = {
  code: 'IE',
  adjectives: ['irish'],
  schemes: [
    {
      scheme: 'ie_pps',
      name: 'Personal Public Service number',
      pattern: '9999999A or 9999999AA',
      checksum: 'weights 8 to 2 and 9 for the second letter, modulo 23',
      labels: {
        official: ['pps', 'ppsn', 'pps number', 'personal public service', 'personal public service number'],
        unsourced: ['upsp', 'pps no', 'rsi number', 'uimhir psp', 'uimhir phearsanta seirbhíse poiblí'],
      },
      source: 'Department of Social Protection; Taxes Consolidation Act 1997',
      check: isPps,
      shapes: { keyword: ['8x', '9x', '7 1a', '7 2a', '7-1a', '7-2a'] },
    },
  ],
};
