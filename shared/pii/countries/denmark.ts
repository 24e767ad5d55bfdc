import { isDayMonthYear, weightedSum } from '../checksums.ts';
import type { Country } from '../national-id.ts';

const CPR_WEIGHTS = [4, 3, 2, 7, 6, 5, 4, 3, 2, 1];

function isCpr(v: Uint8Array): boolean {
  return isDayMonthYear(v, 0);
}

/** Since 2007, some numbers have no check digit. */
function hasNoCheckDigit(v: Uint8Array): boolean {
  return weightedSum(v, CPR_WEIGHTS) % 11 !== 0;
}

export const country: Country = {
  code: 'DK',
  adjectives: ['danish'],
  words: 'danmark denmark dansk danske borger nemid mitid nemkonto sundhed sygesikring københavn aarhus',
  schemes: [
    {
      scheme: 'dk_cpr',
      name: 'CPR-nummer',
      pattern: 'DDMMYY-9999, DDMMYY 9999 or 10 digits',
      checksum: 'weights 4 3 2 7 6 5 4 3 2 1, modulo 11; a number that fails it (since 2007) needs a keyword with cpr',
      labels: {
        official: ['cpr', 'cpr-nummer', 'cpr-nummeret', 'civil registration number'],
        unsourced: [
          'civilregistreringsnummer',
          'cprno',
          'person civil registration identifier',
          'cpr-nr',
          'cpr number',
        ],
      },
      ambiguousLabels: { official: ['personnummer', 'personnummeret'], unsourced: ['person nummer'] },
      oids: ['1.2.208.176.1.2'],
      source: 'CPR-kontoret: personnumre uden kontrolciffer (modulus 11)',
      check: isCpr,
      isUnchecked: hasNoCheckDigit,
      shapes: { keyword: ['6-4', '6 4', '10', '2-2-2-4'] },
    },
  ],
};
