import { areAllLetters, isValidDate, valuesOf } from '../checksums.ts';
import type { Country } from '../national-id.ts';

const CF_ODD = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];
const CF_MONTHS = valuesOf('ABCDEHLMPRST');
const CF_DIGIT_INDEXES = [6, 7, 9, 10, 12, 13, 14];
const CF_DIGIT_LETTERS = valuesOf('LMNPQRSTUV');

function isCodiceFiscale(v: Uint8Array): boolean {
  if (!areAllLetters(v, 0, 6) || (v[11] as number) < 10 || (v[15] as number) < 10) return false;
  const month = CF_MONTHS.indexOf(v[8] as number) + 1;
  if (month === 0) return false;
  let [year, day] = [0, 0];
  for (const index of CF_DIGIT_INDEXES) {
    const character = v[index] as number;
    const digit = character > 9 ? CF_DIGIT_LETTERS.indexOf(character) : character;
    if (digit < 0) return false;
    if (index < 8) year = year * 10 + digit;
    else if (index < 11) day = day * 10 + digit;
  }
  if (!isValidDate(year, month, day > 40 ? day - 40 : day)) return false;
  let sum = 0;
  for (let i = 0; i < 15; i++) {
    const character = v[i] as number;
    const value = character > 9 ? character - 10 : character;
    sum += i % 2 === 0 ? (CF_ODD[value] as number) : value;
  }
  return (sum % 26) + 10 === v[15];
}

export const country: Country = {
  code: 'IT',
  adjectives: ['italian'],
  schemes: [
    {
      scheme: 'it_cf',
      name: 'Codice fiscale',
      pattern:
        'AAAAAA99A99A999A: name, year, month letter, day (plus 40 for women), place; L to V replace digits where two persons would have the same code',
      checksum: 'odd and even tables, modulo 26',
      context: 'not needed',
      labels: {
        official: ['codice fiscale', 'codici fiscali'],
        'Microsoft Presidio': ['cf'],
        unsourced: ['cod. fiscale', 'cod. fisc.', 'fiscal code'],
      },
      oids: ['2.16.840.1.113883.2.9.4.3.2'],
      source: 'Decreto ministeriale 23 dicembre 1976',
      check: isCodiceFiscale,
      anyCase: true,
      shapes: { free: ['16x', '3a 3a 5x 5x', '6a 5x 5x', '6a 5x 4x 1a', '3a 3a 5x 4x 1a', '6a-5x-5x', '6a-5x-4x-1a'] },
    },
  ],
};
