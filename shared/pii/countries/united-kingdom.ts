import { areAllDigits, areAllSame, letter, letterPair, letterPairs, valuesOf, weightedSum } from '../checksums.ts';
import type { Country } from '../national-id.ts';

const NINO_FIRST: ReadonlySet<number> = new Set(valuesOf('ABCEGHJKLMNOPRSTWXYZ'));
const NINO_SECOND: ReadonlySet<number> = new Set(valuesOf('ABCEGHJKLMNPRSTWXYZ'));
const NINO_NEVER = letterPairs('BG GB KN NK NT TN ZZ');
const NHS_WEIGHTS = [10, 9, 8, 7, 6, 5, 4, 3, 2];

function isNino(v: Uint8Array, length: number): boolean {
  // The suffix is often omitted. It is then replaced by any valid suffix.
  const suffix = length === 8 ? letter('A') : (v[8] as number);
  return (
    length <= 9 &&
    NINO_FIRST.has(v[0] as number) &&
    NINO_SECOND.has(v[1] as number) &&
    !NINO_NEVER.has(letterPair(v, 0)) &&
    areAllDigits(v, 2, 6) &&
    suffix >= letter('A') &&
    suffix <= letter('D')
  );
}

function isNhsNumber(v: Uint8Array): boolean {
  const check = (11 - (weightedSum(v, NHS_WEIGHTS) % 11)) % 11;
  return check === v[9] && !areAllSame(v, 0, 10);
}

export const country: Country = {
  code: 'GB',
  adjectives: ['british', 'uk'],
  schemes: [
    {
      scheme: 'gb_nino',
      name: 'National Insurance number',
      pattern:
        'AA999999A in upper case, bare or AA 99 99 99 A or AA-99-99-99-A; two prefix letters without D, F, I, Q, U, V (second also O), none of BG GB KN NK NT TN ZZ; suffix A to D, sometimes omitted',
      checksum: 'none',
      context: 'not needed in upper case with the suffix; needed otherwise',
      labels: {
        official: ['nino', 'national insurance number', 'national insurance'],
        'Microsoft Presidio': ['ni number'],
        unsourced: ['ni no', 'nat. ins. no'],
      },
      source: 'HMRC National Insurance Manual NIM39110',
      evidence: 'format',
      check: isNino,
      shapes: {
        free: ['9x', '2a 2 2 2 1a', '2a-2-2-2-1a', '2a 6 1a', '2a 3 3 1a', '8x 1a', '2a 2 2 3x', '4x 2 3x'],
        keyword: ['4x-2-2-1a', '4x.2.2.1a', '2a 6x', '2a 7x', '4x 2 2 1a'],
        own: ['8x', '2a 6', '2a 2 2 2'],
      },
    },
    {
      scheme: 'gb_nhs',
      name: 'NHS number',
      pattern: '999 999 9999, 999-999-9999 or 10 digits',
      checksum: 'weights 10 to 2, modulo 11',
      labels: {
        official: ['nhs number', 'nhs'],
        'Microsoft Presidio': ['national health service'],
        unsourced: ['nhs no', 'nhs num', 'health service number'],
      },
      oids: ['2.16.840.1.113883.2.1.4.1'],
      source: 'NHS Data Dictionary, NHS NUMBER',
      check: isNhsNumber,
      shapes: { keyword: ['10', '3 3 4', '3-3-4', '3.3.4'] },
    },
    {
      scheme: 'gb_utr',
      name: 'Unique Taxpayer Reference',
      pattern: '10 digits, 99999 99999',
      checksum: 'not used (the keyword decides)',
      labels: {
        official: ['utr', 'unique taxpayer reference'],
        unsourced: ['unique taxpayer ref', 'unique tax reference', 'taxpayer reference'],
      },
      source: 'HMRC, Unique Taxpayer Reference',
      evidence: 'format',
      check: (v) => !areAllSame(v, 0, 10),
      shapes: { own: ['10', '5 5', '3 3 4', '2-3-3-2', '5-5'] },
    },
  ],
};
