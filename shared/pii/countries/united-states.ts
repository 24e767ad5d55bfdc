import { areAllSame, numberAt } from '../checksums.ts';
import { type Country, SOCIAL_SECURITY_KEYWORDS, TAX_NUMBER_KEYWORDS } from '../national-id.ts';

/** Void numbers: they were printed in advertisements, and people still enter them in forms. */
const VOID_SSNS = new Set([78_051_120, 219_099_999, 457_555_462]);

function isSsn(v: Uint8Array): boolean {
  const area = numberAt(v, 0, 3);
  return (
    area !== 0 &&
    area !== 666 &&
    area < 900 &&
    numberAt(v, 3, 2) !== 0 &&
    numberAt(v, 5, 4) !== 0 &&
    !areAllSame(v, 0, 9)
  );
}

function isItin(v: Uint8Array): boolean {
  const group = numberAt(v, 3, 2);
  return v[0] === 9 && group >= 50 && group !== 89 && group !== 93 && (group <= 65 || group >= 70);
}

export const country: Country = {
  code: 'US',
  adjectives: ['american'],
  words: 'usa irs ssa ncic nlets dmv medicare medicaid fica california texas florida',
  schemes: [
    {
      scheme: 'us_ssn',
      name: 'Social Security number',
      pattern:
        '999-99-9999; with a keyword also 999 99 9999, 999.99.9999 or 9 digits; area not 000, 666 or 9xx, group not 00, serial not 0000',
      checksum: 'none',
      context: 'not needed for 3-2-4 with hyphens; needed otherwise, and for numbers that the SSA has voided',
      labels: {
        official: ['ssn'],
        'Microsoft Presidio': ['ssns', 'ss#', 'soc sec', 'social sec'],
        unsourced: ['ss number', 'ssnum', 'ss num', 'ssno', 'ref sy', 'usssa', 'ssa ss', ...SOCIAL_SECURITY_KEYWORDS],
      },
      ambiguousLabels: { 'FBI NCIC': ['soc'] },
      oids: ['2.16.840.1.113883.4.1'],
      source: 'SSA, Social Security number randomization; 20 CFR 422.103',
      evidence: 'format',
      check: isSsn,
      isAmbiguous: (v) => VOID_SSNS.has(numberAt(v, 0, 9)),
      shapes: { free: ['3-2-4'], keyword: ['3 2 4', '3.2.4', '3-2 4', '3 2-4'], own: ['9', '3-6', '5-4'] },
    },
    {
      scheme: 'us_itin',
      name: 'Individual Taxpayer Identification Number',
      pattern:
        '9XX-XX-9999 with group 50 to 65, 70 to 88, 90 to 92 or 94 to 99; with a keyword also blanks or 9 digits',
      checksum: 'none',
      context: 'not needed for 3-2-4 with hyphens; needed otherwise',
      labels: {
        official: ['itin', 'individual taxpayer identification number'],
        unsourced: ['individual taxpayer', 'taxpayer id', ...TAX_NUMBER_KEYWORDS],
      },
      source: 'IRS, Publication 4757; Internal Revenue Manual 3.21.263',
      evidence: 'format',
      check: isItin,
      shapes: { free: ['3-2-4'], keyword: ['3 2 4', '3.2.4'], own: ['9', '3-6', '5-4'] },
    },
  ],
};
