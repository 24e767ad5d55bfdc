import {
  areAllDigits,
  areAllLetters,
  isYearMonthDay,
  letter,
  letterPair,
  letterPairs,
  valuesOf,
} from '../checksums.ts';
import type { Country } from '../national-id.ts';

const CURP_SEXES: readonly number[] = valuesOf('HMX');
const CURP_CONSONANTS: ReadonlySet<number> = new Set(valuesOf('BCDFGHJKLMNPQRSTVWXYZ'));
const CURP_STATES = letterPairs(
  'AS BC BS CC CL CM CS CH DF CX DG GT GR HG JC MC MN MS NT NL OC PL QT QR SP SL SR TC TS TL VZ YN ZS NE',
);

function isCurp(v: Uint8Array): boolean {
  if (!areAllLetters(v, 0, 4) || !areAllDigits(v, 4, 6) || !CURP_SEXES.includes(v[10] as number)) return false;
  if (!isYearMonthDay(v, 4)) return false;
  if (!CURP_STATES.has(letterPair(v, 11))) return false;
  for (let i = 13; i < 16; i++) if (!CURP_CONSONANTS.has(v[i] as number)) return false;
  let sum = 0;
  // The alphabet of the check has an Ñ after N, so the values of later letters are one higher.
  for (let i = 0; i < 17; i++) sum += ((v[i] as number) + ((v[i] as number) > letter('N') ? 1 : 0)) * (18 - i);
  return (10 - (sum % 10)) % 10 === v[17];
}

/** Number of a person without the homoclave, which has the check digit. */
const SHORT_RFC_LENGTH = 10;
const RFC_CHECK_REMAINDERS = 11;

function isRfc(v: Uint8Array, length: number): boolean {
  if (!areAllLetters(v, 0, 4) || !areAllDigits(v, 4, 6) || !isYearMonthDay(v, 4)) return false;
  if (length === SHORT_RFC_LENGTH) return true;
  // The alphabet of the check has an ampersand after N, so the values of later letters are one
  // higher.
  let sum = 0;
  for (let i = 0; i < 12; i++) sum += ((v[i] as number) + ((v[i] as number) > letter('N') ? 1 : 0)) * (13 - i);
  return (RFC_CHECK_REMAINDERS - (sum % RFC_CHECK_REMAINDERS)) % RFC_CHECK_REMAINDERS === v[12];
}

export const country: Country = {
  code: 'MX',
  adjectives: ['mexican'],
  schemes: [
    {
      scheme: 'mx_curp',
      name: 'CURP',
      pattern: 'AAAA999999HAAAAAX9: name, YYMMDD, sex, state, consonants, homoclave, check digit',
      checksum: 'weights 18 to 2 over a 37 letter alphabet, modulo 10',
      context: 'not needed',
      labels: { official: ['curp', 'clave única de registro de población'], unsourced: ['clave única'] },
      source: 'Instructivo normativo para la asignación de la CURP, RENAPO',
      check: isCurp,
      anyCase: true,
      shapes: { free: ['18x'] },
    },
    {
      scheme: 'mx_rfc',
      name: 'RFC of a person',
      pattern: 'AAAA999999XXX: name, YYMMDD, homoclave',
      checksum: 'weights 13 to 2 over a 38 letter alphabet, modulo 11; none without the homoclave',
      labels: { official: ['rfc', 'registro federal de contribuyentes'], unsourced: ['registro federal'] },
      source: 'Código Fiscal de la Federación, art. 27',
      evidence: 'format',
      check: isRfc,
      shapes: { own: ['13x', '4a-6-3', '4a-6-3x', '4a 6 3x', '4a-9x', '10x', '4a-6'] },
    },
  ],
};
