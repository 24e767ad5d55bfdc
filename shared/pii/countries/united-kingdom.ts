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

export const UNITED_KINGDOM: Country = {
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
      keywords: ['nino', 'ni number', 'ni no', 'national insurance', 'national insurance number'],
      source: 'HMRC National Insurance Manual NIM39110',
      evidence: 'format',
      check: isNino,
      shapes: {
        '9x': 'free',
        '2a 2 2 2 1a': 'free',
        '2a-2-2-2-1a': 'free',
        '2a 6 1a': 'free',
        '2a 3 3 1a': 'free',
        '4x-2-2-1a': 'keyword',
        '4x.2.2.1a': 'keyword',
        '2a 6x': 'keyword',
        '2a 7x': 'free',
        '4x 2 2 1a': 'keyword',
        '8x 1a': 'free',
        '2a 2 2 3x': 'free',
        '4x 2 3x': 'free',
        '8x': 'own',
        '2a 6': 'own',
        '2a 2 2 2': 'own',
      },
    },
    {
      scheme: 'gb_nhs',
      name: 'NHS number',
      pattern: '999 999 9999, 999-999-9999 or 10 digits',
      checksum: 'weights 10 to 2, modulo 11',
      context: 'always needed',
      keywords: ['nhs', 'nhs number', 'nhs no', 'nhsno', 'nhs num', 'national health service', 'health service number'],
      source: 'NHS Data Dictionary, NHS NUMBER',
      evidence: 'checksum',
      check: isNhsNumber,
      shapes: { '10': 'keyword', '3 3 4': 'keyword', '3-3-4': 'keyword', '3.3.4': 'keyword' },
    },
    {
      scheme: 'gb_utr',
      name: 'Unique Taxpayer Reference',
      pattern: '10 digits, 99999 99999',
      checksum: 'not used (the keyword decides)',
      context: 'always needed',
      keywords: ['utr', 'unique taxpayer reference', 'unique tax reference', 'taxpayer reference'],
      source: 'HMRC, Unique Taxpayer Reference',
      evidence: 'format',
      ownKeywordOnly: true,
      check: (v) => !areAllSame(v, 0, 10),
      shapes: { '10': 'keyword', '5 5': 'keyword', '3 3 4': 'keyword', '2-3-3-2': 'keyword', '5-5': 'keyword' },
    },
  ],
};
