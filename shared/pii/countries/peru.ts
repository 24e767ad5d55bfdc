import { areAllDigits, areAllSame, valuesOf, weightedSum } from '../checksums.ts';
import type { Country } from '../national-id.ts';

const PE_WEIGHTS = [3, 2, 7, 6, 5, 4, 3, 2];

/** The check character is a digit or a letter, by the remainder modulo 11. */
const PE_DIGITS = valuesOf('65432110987');
const PE_LETTERS = valuesOf('KJIHGFEDCBA');

function isPeruvianDni(v: Uint8Array, length: number): boolean {
  if (!areAllDigits(v, 0, 8) || areAllSame(v, 0, 8)) return false;
  if (length === 8) return true;
  const rest = weightedSum(v, PE_WEIGHTS) % 11;
  return PE_DIGITS[rest] === v[8] || PE_LETTERS[rest] === v[8];
}

export const country: Country = {
  code: 'PE',
  adjectives: ['peruvian', 'peru'],
  schemes: [
    {
      scheme: 'pe_dni',
      name: 'Documento Nacional de Identidad',
      pattern: '8 digits, or 99999999-X',
      checksum: 'none',
      labels: {
        official: ['reniec', 'dni', 'documento nacional de identidad'],
        none: ['dni peruano', 'dni perú', 'perú dni', 'peruvian dni', 'documento nacional de identidad perú'],
      },
      source: 'Ley 26497, RENIEC',
      evidence: 'format',
      check: isPeruvianDni,
      shapes: { own: ['8', '9', '8-1', '8-1a'] },
    },
  ],
};
