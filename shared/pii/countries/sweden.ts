import { isValidDate, numberAt, passesLuhn } from '../checksums.ts';
import type { Country } from '../national-id.ts';

function isPersonnummer(v: Uint8Array, length: number): boolean {
  const from = length - 10;
  if (from === 2) {
    const century = numberAt(v, 0, 2);
    if (century < 18 || century > 20) return false;
  }
  const day = numberAt(v, from + 4, 2);
  return (
    isValidDate(numberAt(v, from, 2), numberAt(v, from + 2, 2), day > 60 ? day - 60 : day) && passesLuhn(v, from, 10)
  );
}

/**
 * The last two-digit year that can be the date of a log line. Later years are of the previous
 * century.
 */
const LAST_YEAR_OF_LOGS = 30;

/**
 * Whether the number can be a timestamp `YYMMDD-HHMM` of this century, or a date from 2020 on with
 * a serial number.
 */
export function canBeTimestamp(v: Uint8Array, length: number): boolean {
  const from = length - 10;
  const year = numberAt(v, from, 2);
  if (year > LAST_YEAR_OF_LOGS || (from === 2 && v[0] !== 2)) return false;
  return year >= 20 || (numberAt(v, from + 6, 2) < 24 && numberAt(v, from + 8, 2) < 60);
}

export const country: Country = {
  code: 'SE',
  adjectives: ['swedish'],
  words: 'sverige sweden svensk svenska skatteverket försäkringskassan csn inera siths ladok stockholm göteborg malmö',
  schemes: [
    {
      scheme: 'se_pnr',
      name: 'Personnummer / samordningsnummer',
      pattern: 'YYMMDD-9999, YYMMDD+9999, YYYYMMDD-9999, or 10 or 12 bare digits; day plus 60 for coordination numbers',
      checksum: 'Luhn over ten digits',
      context:
        'not needed with a separator (needed when it can be a timestamp of this century, or a date since 2020 with a serial); needed for bare digits',
      labels: {
        official: ['personnummer', 'personnumret', 'personnumrets', 'samordningsnummer', 'samordningsnumret'],
        'Microsoft Presidio': ['personal identity number'],
        norEduPerson: ['noredupersonnin'],
        unsourced: [
          'persnummer',
          'pers.nummer',
          'civic registration number',
          'person nummer',
          'personnr',
          'person nr',
          'pers.nr',
          'pnr',
          'pno',
          'persnr',
          'pers nr',
          'personal number',
          'swedish personal',
        ],
      },
      oids: ['1.2.752.129.2.1.3.1', '1.2.752.129.2.1.3.3', '1.2.752.29.4.13'],
      source: 'Folkbokföringslag (1991:481) § 18; Skatteverket',
      check: isPersonnummer,
      isAmbiguous: canBeTimestamp,
      shapes: { free: ['6-4', '6+4', '8-4', '8+4'], keyword: ['10', '12', '6 4', '8 4'] },
    },
  ],
};
