import { isValidDate, numberAt, remainder } from '../checksums.ts';
import type { Country } from '../national-id.ts';

export function isRodneCislo(v: Uint8Array, length: number): boolean {
  const year = numberAt(v, 0, 2);
  let month = numberAt(v, 2, 2);
  if (month > 50) month -= 50;
  // Since 2004 the month plus 20 provides more serials for a day.
  if (month > 20 && year >= 4 && year < 54) month -= 20;
  if (!isValidDate(year, month, numberAt(v, 4, 2))) return false;
  if (length === 9) return year < 54 && numberAt(v, 6, 3) > 0;
  // A remainder of 10 was written as 0 until 1985, and in some numbers until 1999.
  return remainder(v, 0, 10, 11) === 0 || (remainder(v, 0, 9, 11) === 10 && v[9] === 0 && year >= 54);
}

/** The four digits after the slash of a file are a year: `735316/2025`. */
function canBeFileNumber(v: Uint8Array, length: number): boolean {
  const year = numberAt(v, 6, 4);
  return length === 10 && year >= 2000 && year < 2036;
}

export const country: Country = {
  code: 'CZ',
  adjectives: ['czech'],
  words: 'česko czechia čssz praha brno',
  schemes: [
    {
      scheme: 'cz_rc',
      name: 'Rodné číslo',
      pattern: 'YYMMDD/9999 (month plus 50 for women), YYMMDD/999 before 1954, or bare',
      checksum: 'divisible by 11 (ten digits)',
      context: 'not needed for YYMMDD/9999; needed otherwise',
      labels: {
        official: [
          'rodné číslo',
          'rodného čísla',
          'rodnému číslu',
          'rodném čísle',
          'rodným číslem',
          'rodná čísla',
          'rodných čísel',
        ],
        'Microsoft Purview': ['rč'],
        unsourced: [
          'rod. čís.',
          'č. pojištěnce',
          'číslo pojištěnce',
          'čísla pojištěnce',
          'rodné č.',
          'rod. číslo',
          'rod. čísla',
          'rod. č.',
          'birth number',
        ],
      },
      source: 'Zákon č. 133/2000 Sb. § 13',
      check: isRodneCislo,
      isAmbiguous: canBeFileNumber,
      shapes: { free: ['6/4'], keyword: ['6/3', '10', '6 4', '6-4'], own: ['9'] },
    },
  ],
};
