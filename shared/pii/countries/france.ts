import { areAllDigits, areAllSame, letter, numberAt, remainder } from '../checksums.ts';
import { type Country, SOCIAL_SECURITY_KEYWORDS, TAX_NUMBER_KEYWORDS } from '../national-id.ts';

function isNir(v: Uint8Array, length: number): boolean {
  const month = numberAt(v, 3, 2);
  if ((v[0] !== 1 && v[0] !== 2) || !areAllDigits(v, 1, 5) || !areAllDigits(v, 7, length - 7)) return false;
  if ((month < 1 || month > 12) && month !== 20) return false;
  let corsica = 0;
  if ((v[6] as number) > 9) {
    if (v[5] !== 2 || (v[6] as number) > letter('B')) return false;
    corsica = v[6] === letter('A') ? 1_000_000 : 2_000_000;
  }
  const department = corsica > 0 ? 20 : numberAt(v, 5, 2);
  if (department < 1) return false;
  if (length === 13) return true;
  // 2A counts as 19 and 2B as 18: one or two million less than 20. A double represents 13 digits
  // exactly.
  const digits = corsica > 0 ? numberAt(v, 0, 5) * 1e8 + 20 * 1e6 + numberAt(v, 7, 6) - corsica : numberAt(v, 0, 13);
  return 97 - (digits % 97) === numberAt(v, 13, 2);
}

function isFrenchTaxNumber(v: Uint8Array): boolean {
  return (v[0] as number) < 4 && remainder(v, 0, 10, 511) === numberAt(v, 10, 3) && !areAllSame(v, 0, 13);
}

export const country: Country = {
  code: 'FR',
  adjectives: ['french'],
  words: 'france français française dgfip impots urssaf ameli cpam paris',
  schemes: [
    {
      scheme: 'fr_nir',
      name: 'Numéro de sécurité sociale (NIR)',
      pattern: '15 digits, bare or 9 99 99 99 999 999 99; 2A and 2B for Corsica',
      checksum: '97 minus the first 13 digits modulo 97',
      context: 'not needed; needed for 13 digits without the check digits',
      labels: {
        official: ['nir', 'insee', 'numéro de sécurité sociale', 'sécurité sociale'],
        unsourced: [
          'matricule ins',
          'numéro ins',
          'ins nir',
          'n°ss',
          'insnir',
          'nss',
          'numéro sécu',
          'numéro de sécu',
          'num sécu',
          'sécu',
          'numéro ss',
          'num ss',
          'no ss',
          'n° ss',
          'carte vitale',
          'immatriculation',
          ...SOCIAL_SECURITY_KEYWORDS,
        ],
      },
      oids: ['1.2.250.1.213.1.4.8', '1.2.250.1.213.1.4.9', '1.2.250.1.213.1.4.10'],
      source: 'INSEE, code officiel: numéro de sécurité sociale',
      check: isNir,
      anyCase: true,
      shapes: {
        free: [
          '15',
          '15x',
          '1 2 2 2 3 3 2',
          '1 2 2 2x 3 3 2',
          '13x 2',
          '1-2-2-2-3-3-2',
          '1-2-2-2x-3-3-2',
          '1.2.2.2.3.3.2',
          '1 2 2 2 3 3-2',
        ],
        keyword: ['13 2', '13-2'],
        own: ['13', '13x'],
      },
    },
    {
      scheme: 'fr_nif',
      name: 'Numéro fiscal de référence (SPI)',
      pattern: '13 digits beginning with 0 to 3, bare or 99 99 999 999 999',
      checksum: 'the first ten digits modulo 511',
      labels: {
        official: ['spi', 'numéro fiscal', 'numéro fiscal de référence', 'identifiant fiscal'],
        'python-stdnum': ['nif'],
        unsourced: [
          'référence fiscale',
          "numéro d'impôt",
          'numéro de télédéclarant',
          'num fiscal',
          'n° fiscal',
          'no fiscal',
          ...TAX_NUMBER_KEYWORDS,
        ],
      },
      source: 'impots.gouv.fr, numéro fiscal; OECD TIN sheet France',
      check: isFrenchTaxNumber,
      shapes: { keyword: ['13', '2 2 3 3 3'] },
    },
  ],
};
