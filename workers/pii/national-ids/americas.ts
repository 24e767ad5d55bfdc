// National ids of the Americas: a check and a rule for every scheme. shared/pii/ names the sources.
import {
  areAllDigits,
  areAllLetters,
  areAllSame,
  isValidDate,
  numberAt,
  passesLuhn,
  valuesOf,
  weightedSum,
} from '../checksums.ts';
import type { NationalIdRule } from './national-id-rule.ts';

const pairs = (list: string): ReadonlySet<number> =>
  new Set(list.split(' ').map((pair) => (pair.charCodeAt(0) - 55) * 36 + pair.charCodeAt(1) - 55));

/** Void numbers: they were printed in advertisements, and people still enter them in forms. */
const VOID_SSNS = new Set([78_051_120, 219_099_999, 457_555_462]);
const CURP_CONSONANTS: ReadonlySet<number> = new Set(valuesOf('BCDFGHJKLMNPQRSTVWXYZ'));
const CURP_STATES = pairs(
  'AS BC BS CC CL CM CS CH DF CX DG GT GR HG JC MC MN MS NT NL OC PL QT QR SP SL SR TC TS TL VZ YN ZS NE',
);
const CUIT_WEIGHTS = [5, 4, 3, 2, 7, 6, 5, 4, 3, 2];
const PE_WEIGHTS = [3, 2, 7, 6, 5, 4, 3, 2];
/** The check character is a digit or a letter, by the remainder modulo 11. */
const PE_DIGITS = valuesOf('65432110987');
const PE_LETTERS = valuesOf('KJIHGFEDCBA');
const UY_WEIGHTS = [2, 9, 8, 7, 6, 3, 4];

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

function isSin(v: Uint8Array): boolean {
  return passesLuhn(v, 0, 9) && !areAllSame(v, 0, 9);
}

function isCurp(v: Uint8Array): boolean {
  const sex = v[10] as number;
  if (!areAllLetters(v, 0, 4) || !areAllDigits(v, 4, 6) || (sex !== 17 && sex !== 22 && sex !== 33)) return false;
  if (!isValidDate(numberAt(v, 4, 2), numberAt(v, 6, 2), numberAt(v, 8, 2))) return false;
  if (!CURP_STATES.has((v[11] as number) * 36 + (v[12] as number))) return false;
  for (let i = 13; i < 16; i++) if (!CURP_CONSONANTS.has(v[i] as number)) return false;
  let sum = 0;
  // The alphabet of the check has an Ñ after N, so the values of later letters are one higher.
  for (let i = 0; i < 17; i++) sum += ((v[i] as number) + ((v[i] as number) > 23 ? 1 : 0)) * (18 - i);
  return (10 - (sum % 10)) % 10 === v[17];
}

function isRfc(v: Uint8Array): boolean {
  return (
    areAllLetters(v, 0, 4) &&
    areAllDigits(v, 4, 6) &&
    isValidDate(numberAt(v, 4, 2), numberAt(v, 6, 2), numberAt(v, 8, 2))
  );
}

function isCpf(v: Uint8Array): boolean {
  if (areAllSame(v, 0, 11)) return false;
  for (let length = 9; length < 11; length++) {
    let sum = 0;
    for (let i = 0; i < length; i++) sum += (v[i] as number) * (length + 1 - i);
    if (((sum * 10) % 11) % 10 !== v[length]) return false;
  }
  return true;
}

function isCuil(v: Uint8Array): boolean {
  const kind = numberAt(v, 0, 2);
  if (kind !== 20 && kind !== 23 && kind !== 24 && kind !== 27) return false;
  const check = (11 - (weightedSum(v, CUIT_WEIGHTS) % 11)) % 11;
  return (check === 10 ? 9 : check) === v[10];
}

function isRut(v: Uint8Array, length: number): boolean {
  if (!areAllDigits(v, 0, length - 1) || areAllSame(v, 0, length - 1)) return false;
  let sum = 0;
  for (let i = length - 2, weight = 2; i >= 0; i--, weight = weight === 7 ? 2 : weight + 1)
    sum += (v[i] as number) * weight;
  const check = 11 - (sum % 11);
  return (check === 11 ? 0 : check === 10 ? 20 : check) === v[length - 1];
}

function hasDniForm(v: Uint8Array, length: number): boolean {
  return v[0] !== 0 && !areAllSame(v, 0, length);
}

function isPeruvianDni(v: Uint8Array, length: number): boolean {
  if (!areAllDigits(v, 0, 8) || areAllSame(v, 0, 8)) return false;
  if (length === 8) return true;
  const rest = weightedSum(v, PE_WEIGHTS) % 11;
  return PE_DIGITS[rest] === v[8] || PE_LETTERS[rest] === v[8];
}

function isEcuadorianCedula(v: Uint8Array): boolean {
  const province = numberAt(v, 0, 2);
  return ((province > 0 && province < 25) || province === 30) && (v[2] as number) < 6 && passesLuhn(v, 0, 10);
}

function isUruguayanCedula(v: Uint8Array, length: number): boolean {
  const weights = UY_WEIGHTS.slice(8 - length);
  return (10 - (weightedSum(v, weights) % 10)) % 10 === v[length - 1] && !areAllSame(v, 0, length);
}

function isDominicanCedula(v: Uint8Array): boolean {
  return passesLuhn(v, 0, 11) && !areAllSame(v, 0, 11);
}

export const AMERICAS_RULES: readonly NationalIdRule[] = [
  {
    scheme: 'us_ssn',
    evidence: 'format',
    check: isSsn,
    isAmbiguous: (v) => VOID_SSNS.has(numberAt(v, 0, 9)),
    shapes: {
      '3-2-4': 'free',
      '3 2 4': 'keyword',
      '3.2.4': 'keyword',
      '9': 'own',
      '3-2 4': 'keyword',
      '3 2-4': 'keyword',
      '3-6': 'own',
      '5-4': 'own',
    },
  },
  {
    scheme: 'us_itin',
    evidence: 'format',
    check: isItin,
    shapes: { '3-2-4': 'free', '3 2 4': 'keyword', '3.2.4': 'keyword', '9': 'own', '3-6': 'own', '5-4': 'own' },
  },
  {
    scheme: 'ca_sin',
    evidence: 'checksum',
    check: isSin,
    shapes: { '9': 'keyword', '3-3-3': 'keyword', '3 3 3': 'keyword', '3.3.3': 'keyword' },
  },
  { scheme: 'mx_curp', evidence: 'checksum', check: isCurp, anyCase: true, shapes: { '18x': 'free' } },
  {
    scheme: 'mx_rfc',
    evidence: 'format',
    check: isRfc,
    ownKeywordOnly: true,
    shapes: {
      '13x': 'keyword',
      '4a-6-3': 'keyword',
      '4a-6-3x': 'keyword',
      '4a 6 3x': 'keyword',
      '4a-9x': 'keyword',
      '10x': 'keyword',
      '4a-6': 'keyword',
    },
  },
  {
    scheme: 'br_cpf',
    evidence: 'checksum',
    check: isCpf,
    shapes: {
      '3.3.3-2': 'free',
      '11': 'keyword',
      '9-2': 'keyword',
      '3 3 3 2': 'keyword',
      '3.3.3.2': 'keyword',
      '3-3-3-2': 'keyword',
      '3 3 3-2': 'keyword',
      '3.3.3/2': 'keyword',
    },
  },
  {
    scheme: 'ar_dni',
    evidence: 'format',
    check: hasDniForm,
    ownKeywordOnly: true,
    shapes: { '8': 'keyword', '7': 'keyword', '2.3.3': 'keyword', '1.3.3': 'keyword' },
  },
  {
    scheme: 'ar_cuil',
    evidence: 'checksum',
    check: isCuil,
    shapes: { '2-8-1': 'keyword', '11': 'keyword', '2 8 1': 'keyword', '2.8.1': 'keyword' },
  },
  {
    scheme: 'cl_rut',
    evidence: 'checksum',
    check: isRut,
    anyCase: true,
    shapes: {
      '2.3.3-1': 'free',
      '2.3.3-1a': 'free',
      '1.3.3-1': 'free',
      '1.3.3-1a': 'free',
      '8-1': 'keyword',
      '8-1a': 'keyword',
      '7-1': 'keyword',
      '7-1a': 'keyword',
      '9': 'own',
      '9x': 'keyword',
      '8': 'own',
      '8x': 'keyword',
    },
  },
  {
    scheme: 'pe_dni',
    evidence: 'format',
    check: isPeruvianDni,
    ownKeywordOnly: true,
    shapes: { '8': 'keyword', '9': 'keyword', '9x': 'keyword', '8-1': 'keyword', '8-1a': 'keyword' },
  },
  {
    scheme: 'co_cc',
    evidence: 'format',
    check: hasDniForm,
    ownKeywordOnly: true,
    shapes: {
      '7': 'keyword',
      '8': 'keyword',
      '10': 'keyword',
      '1.3.3.3': 'keyword',
      '2.3.3': 'keyword',
      '1.3.3': 'keyword',
    },
  },
  { scheme: 'ec_ci', evidence: 'checksum', check: isEcuadorianCedula, shapes: { '10': 'keyword', '9-1': 'keyword' } },
  {
    scheme: 'uy_ci',
    evidence: 'checksum',
    check: isUruguayanCedula,
    ownKeywordOnly: true,
    shapes: { '1.3.3-1': 'keyword', '8': 'keyword', '7-1': 'keyword' },
  },
  {
    scheme: 'do_cedula',
    evidence: 'checksum',
    check: isDominicanCedula,
    shapes: { '3-7-1': 'keyword', '11': 'keyword' },
  },
];
