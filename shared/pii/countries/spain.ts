import { areAllDigits, letter, numberAt, valuesOf } from '../checksums.ts';
import type { Country } from '../national-id.ts';

const DNI_LETTERS = valuesOf('TRWAGMYFPDXBNJZSQVHLCKE');

function isDni(v: Uint8Array, length: number): boolean {
  // In a value of eight characters, the leading zero is missing.
  return areAllDigits(v, 0, length - 1) && DNI_LETTERS[numberAt(v, 0, length - 1) % 23] === v[length - 1];
}

/**
 * A NIF that begins with K, L or M. Children, Spaniards abroad and foreigners without a NIE have
 * one.
 */
function isNifOfOtherPerson(v: Uint8Array): boolean {
  return (v[0] as number) >= letter('K') && (v[0] as number) <= letter('M');
}

function isNie(v: Uint8Array, length: number): boolean {
  if (length !== 9 || !areAllDigits(v, 1, 7)) return false;
  if (isNifOfOtherPerson(v)) return DNI_LETTERS[numberAt(v, 1, 7) % 23] === v[8];
  const first = (v[0] as number) - letter('X');
  if (first < 0 || first > 2) return false;
  return DNI_LETTERS[(first * 10_000_000 + numberAt(v, 1, 7)) % 23] === v[8];
}

export const country: Country = {
  code: 'ES',
  adjectives: ['spanish'],
  words: 'españa español española spain aeat dgt tgss sepe fnmt muface redsys bizum madrid barcelona sevilla bilbao',
  schemes: [
    {
      scheme: 'es_dni',
      name: 'Documento Nacional de Identidad (DNI/NIF)',
      pattern: '99999999A, 99999999-A, 99999999 A, 99.999.999-A',
      checksum: 'letter number modulo 23',
      context: 'not needed; needed with a blank before the letter',
      labels: {
        official: ['dni', 'documento nacional de identidad'],
        'Microsoft Presidio': ['nif'],
        unsourced: ['documento nacional', 'documento de identidad', 'número de identificación fiscal'],
      },
      source: 'Real Decreto 1553/2005; Ministerio del Interior',
      check: isDni,
      anyCase: true,
      shapes: {
        free: ['9x', '8-1a', '2.3.3-1a', '2.3.4x', '2.3.3.1a'],
        keyword: ['7-1a', '8 1a', '2.3.3 1a', '2 3 3 1a', '8.1a', '8/1a'],
        own: ['8x'],
      },
    },
    {
      scheme: 'es_nie',
      name: 'Número de Identidad de Extranjero',
      pattern: 'X, Y or Z (K, L or M for other persons), 7 digits and a letter; hyphens or blanks between',
      checksum: 'letter number modulo 23',
      context: 'not needed; needed with blanks and after K, L, M',
      labels: {
        official: ['nie', 'número de identidad de extranjero'],
        'python-stdnum': ['número de identificación de extranjero'],
        unsourced: ['extranjero', 'nif'],
      },
      source: 'Real Decreto 557/2011; Ministerio del Interior',
      check: isNie,
      anyCase: true,
      isAmbiguous: isNifOfOtherPerson,
      shapes: {
        free: ['9x', '1a-7-1a', '8x-1a', '1a-8x', '1a.3.4.1a', '2x.3.3-1a', '1a-1.3.3-1a'],
        keyword: ['1a 7 1a', '8x 1a'],
      },
    },
  ],
};
