// National ids of the Nordic and Baltic countries: a check and a rule for every scheme. shared/pii/ names the
// sources.
import { areAllDigits, isValidDate, numberAt, passesLuhn, valuesOf, weightedSum } from '../checksums.ts';
import type { NationalIdRule } from './national-id-rule.ts';

const HETU_CHECK = valuesOf('0123456789ABCDEFHJKLMNPRSTUVWXY');
const NO_FIRST = [3, 7, 6, 1, 8, 9, 4, 5, 2];
const NO_SECOND = [5, 4, 3, 2, 7, 6, 5, 4, 3, 2];
const IS_WEIGHTS = [3, 2, 7, 6, 5, 4, 3, 2];
const BALTIC_FIRST = [1, 2, 3, 4, 5, 6, 7, 8, 9, 1];
const BALTIC_SECOND = [3, 4, 5, 6, 7, 8, 9, 1, 2, 3];
const LV_WEIGHTS = [10, 5, 8, 4, 2, 1, 6, 3, 7, 9];

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

/** The last two-digit year that can be the date of a log line. Later years are of the previous century. */
const LAST_YEAR_OF_LOGS = 30;

/** Whether the number can be a timestamp `YYMMDD-HHMM` of this century, or a date from 2020 on with a serial number. */
function canBeTimestamp(v: Uint8Array, length: number): boolean {
  const from = length - 10;
  const year = numberAt(v, from, 2);
  if (year > LAST_YEAR_OF_LOGS || (from === 2 && v[0] !== 2)) return false;
  return year >= 20 || (numberAt(v, from + 6, 2) < 24 && numberAt(v, from + 8, 2) < 60);
}

/** Whether a Finnish number that ends in a digit can be a timestamp `YYMMDD-HHMM`. */
function canHetuBeTimestamp(v: Uint8Array, length: number): boolean {
  return (
    length === 10 &&
    areAllDigits(v, 0, 10) &&
    isValidDate(numberAt(v, 0, 2), numberAt(v, 2, 2), numberAt(v, 4, 2)) &&
    canBeTimestamp(v, length)
  );
}

function isFodselsnummer(v: Uint8Array): boolean {
  let day = numberAt(v, 0, 2);
  let month = numberAt(v, 2, 2);
  if (day > 40) day -= 40;
  // Test numbers and auxiliary numbers add 40, 65 or 80 to the month.
  if (month > 80) month -= 80;
  else if (month > 65) month -= 65;
  else if (month > 40) month -= 40;
  if (!isValidDate(numberAt(v, 4, 2), month, day)) return false;
  return (11 - (weightedSum(v, NO_FIRST) % 11)) % 11 === v[9] && (11 - (weightedSum(v, NO_SECOND) % 11)) % 11 === v[10];
}

function isCpr(v: Uint8Array): boolean {
  return isValidDate(numberAt(v, 4, 2), numberAt(v, 2, 2), numberAt(v, 0, 2));
}

function isHetu(v: Uint8Array, length: number): boolean {
  let serialAt = 6;
  if (length === 11) {
    const century = v[6] as number;
    if (!((century >= 10 && century <= 15) || (century >= 30 && century <= 34))) return false;
    serialAt = 7;
  }
  if (length !== serialAt + 4 || !areAllDigits(v, 0, 6) || !areAllDigits(v, serialAt, 3)) return false;
  const serial = numberAt(v, serialAt, 3);
  if (serial < 2 || !isValidDate(numberAt(v, 4, 2), numberAt(v, 2, 2), numberAt(v, 0, 2))) return false;
  return HETU_CHECK[(numberAt(v, 0, 6) * 1000 + serial) % 31] === v[serialAt + 3];
}

function isKennitala(v: Uint8Array): boolean {
  const day = numberAt(v, 0, 2);
  if (!isValidDate(numberAt(v, 4, 2), numberAt(v, 2, 2), day > 40 ? day - 40 : day)) return false;
  const century = v[9];
  return (century === 8 || century === 9 || century === 0) && (11 - (weightedSum(v, IS_WEIGHTS) % 11)) % 11 === v[8];
}

/** Estonia and Lithuania have the same rule. Only a keyword distinguishes the numbers of the two countries. */
function isBalticPersonalCode(v: Uint8Array): boolean {
  const first = v[0] as number;
  if (first < 1 || first > 8 || !isValidDate(numberAt(v, 1, 2), numberAt(v, 3, 2), numberAt(v, 5, 2))) return false;
  let check = weightedSum(v, BALTIC_FIRST) % 11;
  if (check === 10) check = (weightedSum(v, BALTIC_SECOND) % 11) % 10;
  return check === v[10];
}

function isPersonasKods(v: Uint8Array): boolean {
  if (v[0] === 3 && v[1] === 2) return true;
  if (!isValidDate(numberAt(v, 4, 2), numberAt(v, 2, 2), numberAt(v, 0, 2)) || (v[6] as number) > 2) return false;
  return ((1 + weightedSum(v, LV_WEIGHTS)) % 11) % 10 === v[10];
}

export const NORTHERN_EUROPE_RULES: readonly NationalIdRule[] = [
  {
    scheme: 'fi_hetu',
    evidence: 'checksum',
    check: isHetu,
    anyCase: true,
    isAmbiguous: canHetuBeTimestamp,
    shapes: { '6-4': 'free', '6-4x': 'free', '6+4': 'free', '6+4x': 'free', '11x': 'free' },
  },
  {
    scheme: 'se_pnr',
    evidence: 'checksum',
    check: isPersonnummer,
    isAmbiguous: canBeTimestamp,
    shapes: {
      '6-4': 'free',
      '6+4': 'free',
      '8-4': 'free',
      '8+4': 'free',
      '10': 'keyword',
      '12': 'keyword',
      '6 4': 'keyword',
      '8 4': 'keyword',
    },
  },
  {
    scheme: 'no_fnr',
    evidence: 'checksum',
    check: isFodselsnummer,
    shapes: {
      '11': 'keyword',
      '6 5': 'keyword',
      '6-5': 'keyword',
      '9-2': 'keyword',
      '2 2 2 5': 'keyword',
      '2-2-2-5': 'keyword',
      '2 2 2 3 2': 'keyword',
      '2 2 2 2 3': 'keyword',
      '6 3 2': 'keyword',
      '2.2.2 5': 'keyword',
    },
  },
  {
    scheme: 'dk_cpr',
    evidence: 'format',
    check: isCpr,
    shapes: { '6-4': 'keyword', '6 4': 'keyword', '10': 'keyword', '2-2-2-4': 'keyword' },
  },
  {
    scheme: 'is_kt',
    evidence: 'checksum',
    check: isKennitala,
    shapes: { '6-4': 'keyword', '10': 'keyword', '6 4': 'keyword' },
  },
  { scheme: 'ee_ik', evidence: 'checksum', check: isBalticPersonalCode, shapes: { '11': 'keyword' } },
  { scheme: 'lt_ak', evidence: 'checksum', check: isBalticPersonalCode, shapes: { '11': 'keyword' } },
  { scheme: 'lv_pk', evidence: 'checksum', check: isPersonasKods, shapes: { '6-5': 'keyword', '11': 'keyword' } },
];
