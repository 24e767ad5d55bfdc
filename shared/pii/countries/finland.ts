import { areAllDigits, isDayMonthYear, isYearMonthDay, numberAt, valuesOf } from '../checksums.ts';
import type { Country } from '../national-id.ts';
import { canBeTimestamp } from './sweden.ts';

/** The signs of the centuries that are letters. */
const HETU_CENTURIES = valuesOf('ABCDEFUVWXY');
const HETU_CHECK = valuesOf('0123456789ABCDEFHJKLMNPRSTUVWXY');

/** Whether a Finnish number that ends in a digit can be a timestamp `YYMMDD-HHMM`. */
function canHetuBeTimestamp(v: Uint8Array, length: number): boolean {
  return length === 10 && areAllDigits(v, 0, 10) && isYearMonthDay(v, 0) && canBeTimestamp(v, length);
}

function isHetu(v: Uint8Array, length: number): boolean {
  let serialAt = 6;
  if (length === 11) {
    if (!HETU_CENTURIES.includes(v[6] as number)) return false;
    serialAt = 7;
  }
  if (length !== serialAt + 4 || !areAllDigits(v, 0, 6) || !areAllDigits(v, serialAt, 3)) return false;
  const serial = numberAt(v, serialAt, 3);
  if (serial < 2 || !isDayMonthYear(v, 0)) return false;
  return HETU_CHECK[(numberAt(v, 0, 6) * 1000 + serial) % 31] === v[serialAt + 3];
}

export const country: Country = {
  code: 'FI',
  adjectives: ['finnish'],
  schemes: [
    {
      scheme: 'fi_hetu',
      name: 'Henkilötunnus',
      pattern: 'DDMMYY, one of + - A to F U to Y, 999, check character',
      checksum: 'date and serial modulo 31',
      context: 'not needed',
      labels: {
        official: [
          'henkilötunnus',
          'henkilötunnuksen',
          'henkilötunnusta',
          'henkilötunnukseen',
          'henkilötunnuksella',
          'henkilötunnuksesta',
          'personbeteckning',
          'personal identity code',
        ],
        'Microsoft Presidio': ['hetu', 'personbeteckningen'],
        unsourced: ['hetun', 'hetua', 'hetulla', 'sosiaaliturvatunnus', 'sotu'],
      },
      oids: ['1.2.246.21'],
      source: 'Digital and Population Data Services Agency, personal identity code',
      check: isHetu,
      anyCase: true,
      isAmbiguous: canHetuBeTimestamp,
      shapes: { free: ['6-4', '6-4x', '6+4', '6+4x', '11x'] },
    },
  ],
};
