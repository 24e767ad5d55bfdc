import { isDayMonthYear } from '../checksums.ts';
import type { Country } from '../national-id.ts';

function isCpr(v: Uint8Array): boolean {
  return isDayMonthYear(v, 0);
}

export const country: Country = {
  code: 'DK',
  adjectives: ['danish'],
  schemes: [
    {
      scheme: 'dk_cpr',
      name: 'CPR-nummer',
      pattern: 'DDMMYY-9999, DDMMYY 9999 or 10 digits',
      checksum: 'none (discontinued in 2007); the date must exist',
      labels: {
        official: ['cpr', 'cpr-nummer', 'cpr-nummeret', 'personnummer', 'personnummeret', 'civil registration number'],
        none: ['cpr-nr', 'cpr number', 'person nummer'],
      },
      source: 'CPR-kontoret: personnumre uden kontrolciffer (modulus 11)',
      evidence: 'format',
      check: isCpr,
      shapes: { keyword: ['6-4', '6 4', '10', '2-2-2-4'] },
    },
  ],
};
