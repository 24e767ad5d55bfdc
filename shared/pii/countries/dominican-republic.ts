import { areAllSame, passesLuhn } from '../checksums.ts';
import type { Country } from '../national-id.ts';

function isDominicanCedula(v: Uint8Array): boolean {
  return passesLuhn(v, 0, 11) && !areAllSame(v, 0, 11);
}

export const country: Country = {
  code: 'DO',
  adjectives: ['dominican'],
  words: 'dominicana dominicano dgii jce banreservas infotep dop',
  schemes: [
    {
      scheme: 'do_cedula',
      name: 'Cédula de identidad y electoral',
      pattern: '999-9999999-9 or 11 digits',
      checksum: 'Luhn',
      labels: { official: ['cédula', 'cédula de identidad', 'cédula de identidad y electoral'] },
      source: 'Junta Central Electoral',
      check: isDominicanCedula,
      shapes: { keyword: ['3-7-1', '11'] },
    },
  ],
};
