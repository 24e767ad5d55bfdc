// National ids of Central, Eastern and South-Eastern Europe: a check and a rule for every scheme. shared/pii/
// names the sources.
import { areAllSame, isValidDate, numberAt, passesMod1110, remainder, weightedSum } from '../checksums.ts';
import type { NationalIdRule } from './national-id-rule.ts';

const PESEL_WEIGHTS = [1, 3, 7, 9, 1, 3, 7, 9, 1, 3];
const CNP_WEIGHTS = [2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9];
const EGN_WEIGHTS = [2, 4, 8, 5, 10, 9, 7, 3, 6];
const JMBG_WEIGHTS = [7, 6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2];
const UA_WEIGHTS = [-1, 5, 7, 9, 4, 6, 10, 5, 7];
const SNILS_WEIGHTS = [9, 8, 7, 6, 5, 4, 3, 2, 1];
const INN_FIRST = [7, 2, 4, 10, 3, 5, 9, 4, 6, 8];
const INN_SECOND = [3, 7, 2, 4, 10, 3, 5, 9, 4, 6, 8];
const HU_TAX_WEIGHTS = [1, 2, 3, 4, 5, 6, 7, 8, 9];

/** The month without the offset for the century, a multiple of 20 in Poland and Bulgaria. */
function monthOfCentury(month: number): number {
  return month % 20;
}

function isPesel(v: Uint8Array): boolean {
  const month = numberAt(v, 2, 2);
  if (!isValidDate(numberAt(v, 0, 2), monthOfCentury(month), numberAt(v, 4, 2))) return false;
  return (10 - (weightedSum(v, PESEL_WEIGHTS) % 10)) % 10 === v[10];
}

function isRodneCislo(v: Uint8Array, length: number): boolean {
  const year = numberAt(v, 0, 2);
  let month = numberAt(v, 2, 2);
  if (month > 50) month -= 50;
  // Since 2004 the month plus 20 provides more serials for a day.
  if (month > 20 && year >= 4 && year < 54) month -= 20;
  if (!isValidDate(year, month, numberAt(v, 4, 2))) return false;
  if (length === 9) return year < 54 && numberAt(v, 6, 3) > 0;
  // A remainder of 10 was written as 0 until 1985, and in some numbers until 1999.
  return remainder(v, 0, 10, 11) === 0 || (remainder(v, 0, 9, 11) === 10 && v[9] === 0 && year >= 54);
}

function isCnp(v: Uint8Array): boolean {
  const county = numberAt(v, 7, 2);
  if (v[0] === 0 || !isValidDate(numberAt(v, 1, 2), numberAt(v, 3, 2), numberAt(v, 5, 2))) return false;
  if (county < 1 || (county > 52 && county !== 70)) return false;
  const check = weightedSum(v, CNP_WEIGHTS) % 11;
  return (check === 10 ? 1 : check) === v[12];
}

function isEgn(v: Uint8Array): boolean {
  const month = numberAt(v, 2, 2);
  if (month > 52 || !isValidDate(numberAt(v, 0, 2), monthOfCentury(month), numberAt(v, 4, 2))) return false;
  return (weightedSum(v, EGN_WEIGHTS) % 11) % 10 === v[9];
}

function isOib(v: Uint8Array): boolean {
  return passesMod1110(v, 11) && !areAllSame(v, 0, 11);
}

function isHungarianTaxId(v: Uint8Array): boolean {
  return v[0] === 8 && weightedSum(v, HU_TAX_WEIGHTS) % 11 === v[9];
}

function isTaj(v: Uint8Array): boolean {
  let sum = 0;
  for (let i = 0; i < 8; i++) sum += (v[i] as number) * (i % 2 === 0 ? 3 : 7);
  return sum % 10 === v[8] && !areAllSame(v, 0, 9);
}

function isJmbg(v: Uint8Array): boolean {
  if (!isValidDate(numberAt(v, 4, 3) % 100, numberAt(v, 2, 2), numberAt(v, 0, 2))) return false;
  const year = numberAt(v, 4, 3);
  if (year > 100 && year < 870) return false;
  const rest = weightedSum(v, JMBG_WEIGHTS) % 11;
  return ((11 - rest) % 11) % 10 === v[12];
}

function isEmso(v: Uint8Array): boolean {
  return v[7] === 5 && isJmbg(v);
}

function isRnokpp(v: Uint8Array): boolean {
  return (((weightedSum(v, UA_WEIGHTS) % 11) + 11) % 11) % 10 === v[9] && !areAllSame(v, 0, 10);
}

function isSnils(v: Uint8Array): boolean {
  if (numberAt(v, 0, 9) <= 1001998) return false;
  return (weightedSum(v, SNILS_WEIGHTS) % 101) % 100 === numberAt(v, 9, 2);
}

function isPersonInn(v: Uint8Array): boolean {
  return (
    (weightedSum(v, INN_FIRST) % 11) % 10 === v[10] &&
    (weightedSum(v, INN_SECOND) % 11) % 10 === v[11] &&
    !areAllSame(v, 0, 12)
  );
}

export const CENTRAL_EUROPE_RULES: readonly NationalIdRule[] = [
  {
    scheme: 'pl_pesel',
    evidence: 'checksum',
    check: isPesel,
    shapes: { '11': 'keyword', '6 5': 'keyword', '6-5': 'keyword' },
  },
  {
    scheme: 'cz_rc',
    evidence: 'checksum',
    check: isRodneCislo,
    shapes: { '6/4': 'free', '6/3': 'keyword', '10': 'keyword', '9': 'own', '6 4': 'keyword', '6-4': 'keyword' },
  },
  {
    scheme: 'sk_rc',
    evidence: 'checksum',
    ownKeywordOnly: true,
    check: isRodneCislo,
    shapes: { '6/4': 'keyword', '6/3': 'keyword', '10': 'keyword', '9': 'keyword', '6 4': 'keyword', '6-4': 'keyword' },
  },
  {
    scheme: 'ro_cnp',
    evidence: 'checksum',
    check: isCnp,
    shapes: { '13': 'keyword', '1 6 6': 'keyword', '1-6-6': 'keyword', '1 6 2 4': 'keyword' },
  },
  {
    scheme: 'bg_egn',
    evidence: 'checksum',
    check: isEgn,
    shapes: { '10': 'keyword', '6 3 1': 'keyword', '6 4': 'keyword', '6-4': 'keyword' },
  },
  { scheme: 'hr_oib', evidence: 'checksum', check: isOib, shapes: { '11': 'keyword' } },
  { scheme: 'hu_tax_id', evidence: 'checksum', check: isHungarianTaxId, shapes: { '10': 'keyword' } },
  {
    scheme: 'hu_taj',
    evidence: 'checksum',
    check: isTaj,
    shapes: { '9': 'keyword', '3 3 3': 'keyword', '3-3-3': 'keyword' },
  },
  { scheme: 'si_emso', evidence: 'checksum', check: isEmso, shapes: { '13': 'keyword' } },
  { scheme: 'rs_jmbg', evidence: 'checksum', check: isJmbg, shapes: { '13': 'keyword' } },
  { scheme: 'ua_rnokpp', evidence: 'checksum', check: isRnokpp, shapes: { '10': 'keyword' } },
  {
    scheme: 'ru_snils',
    evidence: 'checksum',
    check: isSnils,
    shapes: { '3-3-3 2': 'free', '3-3-3-2': 'keyword', '11': 'keyword', '3 3 3 2': 'keyword' },
  },
  { scheme: 'ru_inn', evidence: 'checksum', check: isPersonInn, shapes: { '12': 'keyword' } },
];
