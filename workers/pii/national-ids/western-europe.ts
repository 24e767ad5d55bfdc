// National ids of Western and Southern Europe: a check and a rule for every scheme. shared/pii/ names the
// sources.
import {
  areAllDigits,
  areAllLetters,
  areAllSame,
  isValidDate,
  numberAt,
  passesLuhn,
  passesMod1110,
  passesVerhoeff,
  remainder,
  valuesOf,
  weightedSum,
} from '../checksums.ts';
import type { NationalIdRule } from './national-id-rule.ts';

const letter = (character: string): number => character.charCodeAt(0) - 55;
const lettersSet = (characters: string): ReadonlySet<number> => new Set(valuesOf(characters));

const NINO_FIRST = lettersSet('ABCEGHJKLMNOPRSTWXYZ');
const NINO_SECOND = lettersSet('ABCEGHJKLMNPRSTWXYZ');
const NINO_NEVER = new Set(
  ['BG', 'GB', 'KN', 'NK', 'NT', 'TN', 'ZZ'].map((pair) => letter(pair.charAt(0)) * 36 + letter(pair.charAt(1))),
);
const NHS_WEIGHTS = [10, 9, 8, 7, 6, 5, 4, 3, 2];
const PPS_LETTERS = valuesOf('WABCDEFGHIJKLMNOPQRSTUV');
const DNI_LETTERS = valuesOf('TRWAGMYFPDXBNJZSQVHLCKE');
const AT_WEIGHTS = [3, 7, 9, 0, 5, 8, 4, 2, 1, 6];
const DE_PENSION_WEIGHTS = [2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1];
const CF_ODD = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];
const CF_MONTHS = valuesOf('ABCDEHLMPRST');
const CF_DIGIT_PLACES = [6, 7, 9, 10, 12, 13, 14];
const CF_DIGIT_LETTERS = valuesOf('LMNPQRSTUV');

function isNino(v: Uint8Array, length: number): boolean {
  // The suffix is often omitted. It is then replaced by any valid suffix.
  const [first, second, suffix] = [v[0] as number, v[1] as number, length === 8 ? 10 : (v[8] as number)];
  return (
    length <= 9 &&
    NINO_FIRST.has(first) &&
    NINO_SECOND.has(second) &&
    !NINO_NEVER.has(first * 36 + second) &&
    areAllDigits(v, 2, 6) &&
    suffix >= 10 &&
    suffix <= 13
  );
}

function isNhsNumber(v: Uint8Array): boolean {
  const check = (11 - (weightedSum(v, NHS_WEIGHTS) % 11)) % 11;
  return check === v[9] && !areAllSame(v, 0, 10);
}

function isPps(v: Uint8Array, length: number): boolean {
  if (!areAllDigits(v, 0, 7) || !areAllLetters(v, 7, length - 7)) return false;
  let sum = 0;
  for (let i = 0; i < 7; i++) sum += (v[i] as number) * (8 - i);
  const second = length === 9 ? (v[8] as number) : letter('W');
  // W, T and X, which spouses and companies had before 2013, are not a part of the sum.
  if (second !== letter('W') && second !== letter('T') && second !== letter('X')) {
    if (second > letter('I')) return false;
    sum += (second - 9) * 9;
  }
  return PPS_LETTERS[sum % 23] === v[7];
}

function isNir(v: Uint8Array, length: number): boolean {
  const month = numberAt(v, 3, 2);
  if ((v[0] !== 1 && v[0] !== 2) || !areAllDigits(v, 1, 5) || !areAllDigits(v, 7, length - 7)) return false;
  if ((month < 1 || month > 12) && month !== 20) return false;
  let corsica = 0;
  if ((v[6] as number) > 9) {
    if (v[5] !== 2 || (v[6] as number) > 11) return false;
    corsica = v[6] === 10 ? 1_000_000 : 2_000_000;
  }
  const department = corsica > 0 ? 20 : numberAt(v, 5, 2);
  if (department < 1) return false;
  if (length === 13) return true;
  // 2A counts as 19 and 2B as 18: one or two million less than 20. A double represents 13 digits exactly.
  const digits = corsica > 0 ? numberAt(v, 0, 5) * 1e8 + 20 * 1e6 + numberAt(v, 7, 6) - corsica : numberAt(v, 0, 13);
  return 97 - (digits % 97) === numberAt(v, 13, 2);
}

function isFrenchTaxNumber(v: Uint8Array): boolean {
  return (v[0] as number) < 4 && remainder(v, 0, 10, 511) === numberAt(v, 10, 3) && !areAllSame(v, 0, 13);
}

function isGermanTaxId(v: Uint8Array): boolean {
  if (v[0] === 0) return false;
  let repeated = 0;
  for (let digit = 0; digit < 10; digit++) {
    let count = 0;
    for (let i = 0; i < 10; i++) if (v[i] === digit) count++;
    if (count > 3) return false;
    if (count > 1) repeated++;
  }
  return repeated <= 1 && passesMod1110(v, 11);
}

function isGermanPensionNumber(v: Uint8Array): boolean {
  if (!areAllDigits(v, 0, 8) || (v[8] as number) < 10 || !areAllDigits(v, 9, 3)) return false;
  const area = numberAt(v, 0, 2);
  const day = numberAt(v, 2, 2);
  if (area < 2 || !isValidDate(numberAt(v, 6, 2), numberAt(v, 4, 2), day > 50 ? day - 50 : day)) return false;
  const initial = (v[8] as number) - 9;
  let sum = 0;
  for (let i = 0; i < 12; i++) {
    const digit = i < 8 ? v[i] : i === 8 ? Math.floor(initial / 10) : i === 9 ? initial % 10 : v[i - 1];
    const product = (digit as number) * (DE_PENSION_WEIGHTS[i] as number);
    sum += Math.floor(product / 10) + (product % 10);
  }
  return sum % 10 === v[11];
}

function isAustrianSvnr(v: Uint8Array): boolean {
  const month = numberAt(v, 6, 2);
  const day = numberAt(v, 4, 2);
  if (v[0] === 0 || day < 1 || day > 31 || month < 1 || month > 15) return false;
  return weightedSum(v, AT_WEIGHTS) % 11 === v[3];
}

/** EAN-13 with the Swiss country prefix 756. */
function isAhv(v: Uint8Array): boolean {
  if (v[0] !== 7 || v[1] !== 5 || v[2] !== 6) return false;
  let sum = 0;
  for (let i = 0; i < 13; i++) sum += (v[i] as number) * (i % 2 === 0 ? 1 : 3);
  return sum % 10 === 0;
}

function isBelgianNationalNumber(v: Uint8Array): boolean {
  const month = numberAt(v, 2, 2);
  // BIS numbers add 20 or 40 to the month. Without a known day of birth their day can be above 31.
  const isBis = month >= 20;
  if (month % 20 > 12 || month > 52 || (numberAt(v, 4, 2) > 31 && !isBis) || numberAt(v, 6, 3) === 0) return false;
  const check = numberAt(v, 9, 2);
  const nine = numberAt(v, 0, 9);
  return check > 0 && (97 - (nine % 97) === check || 97 - ((2_000_000_000 + nine) % 97) === check);
}

function isBsn(v: Uint8Array, length: number): boolean {
  let sum = 0;
  for (let i = 0; i < length - 1; i++) sum += (v[i] as number) * (length - i);
  return sum > 0 && (sum - (v[length - 1] as number)) % 11 === 0 && !areAllSame(v, 0, length);
}

function isLuxembourgMatricule(v: Uint8Array): boolean {
  const year = numberAt(v, 0, 4);
  if (year < 1880 || year > 2100 || !isValidDate(year, numberAt(v, 4, 2), numberAt(v, 6, 2))) return false;
  if (!passesLuhn(v, 0, 12)) return false;
  const verhoeff = new Uint8Array(12);
  verhoeff.set(v.subarray(0, 11));
  verhoeff[11] = v[12] as number;
  return passesVerhoeff(verhoeff, 12);
}

function isCodiceFiscale(v: Uint8Array): boolean {
  if (!areAllLetters(v, 0, 6) || (v[11] as number) < 10 || (v[15] as number) < 10) return false;
  const month = CF_MONTHS.indexOf(v[8] as number) + 1;
  if (month === 0) return false;
  let [year, day] = [0, 0];
  for (const place of CF_DIGIT_PLACES) {
    const character = v[place] as number;
    const digit = character > 9 ? CF_DIGIT_LETTERS.indexOf(character) : character;
    if (digit < 0) return false;
    if (place < 8) year = year * 10 + digit;
    else if (place < 11) day = day * 10 + digit;
  }
  if (!isValidDate(year, month, day > 40 ? day - 40 : day)) return false;
  let sum = 0;
  for (let i = 0; i < 15; i++) {
    const character = v[i] as number;
    const value = character > 9 ? character - 10 : character;
    sum += i % 2 === 0 ? (CF_ODD[value] as number) : value;
  }
  return (sum % 26) + 10 === v[15];
}

function isDni(v: Uint8Array, length: number): boolean {
  // In a value of eight characters, the leading zero is missing.
  return areAllDigits(v, 0, length - 1) && DNI_LETTERS[numberAt(v, 0, length - 1) % 23] === v[length - 1];
}

/** A NIF that begins with K, L or M. Children, Spaniards abroad and foreigners without a NIE have one. */
function isNifOfOtherPerson(v: Uint8Array): boolean {
  return (v[0] as number) >= letter('K') && (v[0] as number) <= letter('M');
}

function isNie(v: Uint8Array, length: number): boolean {
  if (length !== 9 || !areAllDigits(v, 1, 7)) return false;
  if (isNifOfOtherPerson(v)) return DNI_LETTERS[numberAt(v, 1, 7) % 23] === v[8];
  const first = (v[0] as number) - letter('X');
  if (first < 0 || first > 2) return false;
  return DNI_LETTERS[(first * 10_000_000 + numberAt(v, 1, 7)) % 23] === v[8];
}

function isPortugueseNif(v: Uint8Array): boolean {
  let sum = 0;
  for (let i = 0; i < 8; i++) sum += (v[i] as number) * (9 - i);
  const check = 11 - (sum % 11);
  return v[0] !== 0 && (check > 9 ? 0 : check) === v[8];
}

function isCartaoDeCidadao(v: Uint8Array, length: number): boolean {
  if (length !== 12 || !areAllDigits(v, 0, 9) || (v[11] as number) > 9) return false;
  let sum = 0;
  for (let i = 0; i < 12; i++) {
    let value = v[i] as number;
    if (i % 2 === 0) {
      value *= 2;
      if (value > 9) value -= 9;
    }
    sum += value;
  }
  return sum % 10 === 0;
}

function isAmka(v: Uint8Array): boolean {
  return isValidDate(numberAt(v, 4, 2), numberAt(v, 2, 2), numberAt(v, 0, 2)) && passesLuhn(v, 0, 11);
}

export const WESTERN_EUROPE_RULES: readonly NationalIdRule[] = [
  {
    scheme: 'gb_nino',
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
    evidence: 'checksum',
    check: isNhsNumber,
    shapes: { '10': 'keyword', '3 3 4': 'keyword', '3-3-4': 'keyword', '3.3.4': 'keyword' },
  },
  {
    scheme: 'gb_utr',
    evidence: 'format',
    ownKeywordOnly: true,
    check: (v) => !areAllSame(v, 0, 10),
    shapes: { '10': 'keyword', '5 5': 'keyword', '3 3 4': 'keyword', '2-3-3-2': 'keyword', '5-5': 'keyword' },
  },
  {
    scheme: 'ie_pps',
    evidence: 'checksum',
    check: isPps,
    shapes: {
      '8x': 'keyword',
      '9x': 'keyword',
      '7 1a': 'keyword',
      '7 2a': 'keyword',
      '7-1a': 'keyword',
      '7-2a': 'keyword',
    },
  },
  {
    scheme: 'fr_nir',
    evidence: 'checksum',
    check: isNir,
    anyCase: true,
    shapes: {
      '15': 'free',
      '15x': 'free',
      '1 2 2 2 3 3 2': 'free',
      '1 2 2 2x 3 3 2': 'free',
      '13 2': 'keyword',
      '13x 2': 'free',
      '13': 'own',
      '13x': 'own',
      '1-2-2-2-3-3-2': 'free',
      '1-2-2-2x-3-3-2': 'free',
      '1.2.2.2.3.3.2': 'free',
      '1 2 2 2 3 3-2': 'free',
      '13-2': 'keyword',
    },
  },
  {
    scheme: 'fr_nif',
    evidence: 'checksum',
    check: isFrenchTaxNumber,
    shapes: { '13': 'keyword', '2 2 3 3 3': 'keyword' },
  },
  {
    scheme: 'de_tax_id',
    evidence: 'checksum',
    check: isGermanTaxId,
    shapes: {
      '11': 'keyword',
      '2 3 3 3': 'keyword',
      '2-3-3-3': 'keyword',
      '3 3 3 2': 'keyword',
      '2/3/3/3': 'keyword',
      '3/3/4/1': 'keyword',
    },
  },
  {
    scheme: 'de_pension',
    evidence: 'checksum',
    check: isGermanPensionNumber,
    shapes: {
      '12x': 'free',
      '2 6 1a 3': 'free',
      '2 6 4x': 'free',
      '8 1a 3': 'free',
      '2 6 1a 2 1': 'free',
      '2 2 2 2 1a 3': 'free',
      '2 2 2 2 1a 2 1': 'free',
      '2-6-1a-3': 'free',
    },
  },
  {
    scheme: 'at_svnr',
    evidence: 'checksum',
    check: isAustrianSvnr,
    shapes: { '10': 'keyword', '4 6': 'keyword', '4-6': 'keyword', '4/6': 'keyword' },
  },
  {
    scheme: 'ch_ahv',
    evidence: 'checksum',
    check: isAhv,
    shapes: { '3.4.4.2': 'free', '3 4 4 2': 'free', '3-4-4-2': 'free', '13': 'keyword', '11 2': 'keyword' },
  },
  {
    scheme: 'be_nrn',
    evidence: 'checksum',
    check: isBelgianNationalNumber,
    shapes: {
      '2.2.2-3.2': 'free',
      '2.2.2-3-2': 'free',
      '2.2.2.3.2': 'free',
      '2.2.2 3.2': 'free',
      '2 2 2-3.2': 'free',
      '2 2 2 3 2': 'keyword',
      '6-3-2': 'free',
      '6-3.2': 'free',
      '6 3 2': 'keyword',
      '2-2-2-3-2': 'free',
      '11': 'keyword',
      '9-2': 'keyword',
      '2/4-5': 'keyword',
      '2/2/2-3-2': 'free',
      '2/2/2-3.2': 'free',
    },
  },
  {
    scheme: 'nl_bsn',
    evidence: 'checksum',
    check: isBsn,
    shapes: {
      '9': 'keyword',
      '8': 'own',
      '4.2.3': 'keyword',
      '3 3 3': 'keyword',
      '3.3.3': 'keyword',
      '4 2 3': 'keyword',
      '3-3-3': 'keyword',
      '2 3 2 2': 'keyword',
      '3.2.4': 'own',
      '3 2 4': 'own',
      '3-2-4': 'own',
    },
  },
  {
    scheme: 'lu_nin',
    evidence: 'checksum',
    check: isLuxembourgMatricule,
    shapes: { '13': 'keyword', '8 5': 'keyword', '8-5': 'keyword', '4 2 2 5': 'keyword', '4 4 5': 'keyword' },
  },
  {
    scheme: 'it_cf',
    evidence: 'checksum',
    check: isCodiceFiscale,
    anyCase: true,
    shapes: {
      '16x': 'free',
      '3a 3a 5x 5x': 'free',
      '6a 5x 5x': 'free',
      '6a 5x 4x 1a': 'free',
      '3a 3a 5x 4x 1a': 'free',
      '6a-5x-5x': 'free',
      '6a-5x-4x-1a': 'free',
    },
  },
  {
    scheme: 'es_dni',
    evidence: 'checksum',
    check: isDni,
    anyCase: true,
    shapes: {
      '9x': 'free',
      '8-1a': 'free',
      '8x': 'keyword',
      '7-1a': 'keyword',
      '8 1a': 'keyword',
      '2.3.3-1a': 'free',
      '2.3.4x': 'free',
      '2.3.3 1a': 'keyword',
      '2 3 3 1a': 'keyword',
      '2.3.3.1a': 'free',
      '8.1a': 'keyword',
      '8/1a': 'keyword',
    },
  },
  {
    scheme: 'es_nie',
    evidence: 'checksum',
    check: isNie,
    anyCase: true,
    isAmbiguous: isNifOfOtherPerson,
    shapes: {
      '9x': 'free',
      '1a-7-1a': 'free',
      '8x-1a': 'free',
      '1a-8x': 'free',
      '1a 7 1a': 'keyword',
      '8x 1a': 'keyword',
      '1a.3.4.1a': 'free',
      '2x.3.3-1a': 'free',
      '1a-1.3.3-1a': 'free',
    },
  },
  {
    scheme: 'pt_nif',
    evidence: 'checksum',
    check: isPortugueseNif,
    shapes: { '9': 'keyword', '3 3 3': 'keyword', '3-3-3': 'keyword', '3.3.3': 'keyword' },
  },
  {
    scheme: 'pt_cc',
    evidence: 'checksum',
    check: isCartaoDeCidadao,
    shapes: {
      '12x': 'keyword',
      '8 1 3x': 'keyword',
      '8 1 4x': 'keyword',
      '8-1-3x': 'keyword',
      '8-1-4x': 'keyword',
      '8 4x': 'keyword',
      '8 1 2a 1': 'keyword',
    },
  },
  {
    scheme: 'gr_amka',
    evidence: 'checksum',
    check: isAmka,
    shapes: { '11': 'keyword', '6-5': 'keyword', '6 5': 'keyword' },
  },
];
