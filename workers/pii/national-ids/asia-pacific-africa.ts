// National ids of Asia, the Pacific and Africa: a check and a rule for every scheme. shared/pii/ names the
// sources.
import {
  areAllDigits,
  areAllLetters,
  areAllSame,
  isValidDate,
  numberAt,
  passesLuhn,
  passesVerhoeff,
  valuesOf,
  weightedSum,
} from '../checksums.ts';
import type { NationalIdRule } from './national-id-rule.ts';

const CN_WEIGHTS = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
const CN_REGIONS = new Set([
  11, 12, 13, 14, 15, 21, 22, 23, 31, 32, 33, 34, 35, 36, 37, 41, 42, 43, 44, 45, 46, 50, 51, 52, 53, 54, 61, 62, 63,
  64, 65, 71, 81, 82, 83, 91,
]);
/** The values of A to Z in Taiwanese numbers. */
const TW_LETTERS = [
  10, 11, 12, 13, 14, 15, 16, 17, 34, 18, 19, 20, 21, 22, 35, 23, 24, 25, 26, 27, 28, 29, 32, 30, 31, 33,
];
const SG_WEIGHTS = [2, 7, 6, 5, 4, 3, 2];
const SG_CITIZEN = valuesOf('JZIHGFEDCBA');
const SG_FOREIGNER = valuesOf('XWUTRQPNMLK');
const SG_FOREIGNER_M = valuesOf('XWUTRQPNJLK');
const SG_PREFIXES = valuesOf('STFGM');
const PAN_HOLDERS = new Set(valuesOf('ABCEFGHJKLPT'));
const OLDEST_RRN = 70;
const RRN_WEIGHTS = [2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5];
const JP_WEIGHTS = [6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2];
const KZ_FIRST = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
const KZ_SECOND = [3, 4, 5, 6, 7, 8, 9, 10, 11, 1, 2];
const AU_WEIGHTS = [1, 4, 3, 7, 5, 8, 6, 9, 10];
const AU_WEIGHTS_OF_EIGHT = [10, 7, 8, 4, 6, 3, 5, 1];
const IRD_FIRST = [3, 2, 7, 6, 5, 4, 3, 2];
const IRD_SECOND = [7, 4, 3, 2, 5, 2, 7, 6];

/** Until 1999 the number had 15 digits, with a two-digit year and without a check digit. */
function isOldIdentityCard(v: Uint8Array): boolean {
  return CN_REGIONS.has(numberAt(v, 0, 2)) && isValidDate(numberAt(v, 6, 2), numberAt(v, 8, 2), numberAt(v, 10, 2));
}

function isResidentIdentityCard(v: Uint8Array, length: number): boolean {
  if (length === 15) return isOldIdentityCard(v);
  const year = numberAt(v, 6, 4);
  const check = v[17] as number;
  if (!areAllDigits(v, 0, 17) || (check > 9 && check !== 33) || !CN_REGIONS.has(numberAt(v, 0, 2))) return false;
  if (year < 1880 || year > 2035 || !isValidDate(year, numberAt(v, 10, 2), numberAt(v, 12, 2))) return false;
  const expected = (12 - (weightedSum(v, CN_WEIGHTS) % 11)) % 11;
  return (expected === 10 ? 33 : expected) === check;
}

function isTaiwanId(v: Uint8Array): boolean {
  const second = v[1] as number;
  if ((v[0] as number) < 10 || !areAllDigits(v, 2, 8)) return false;
  if (second !== 1 && second !== 2 && second !== 8 && second !== 9 && (second < 10 || second > 13)) return false;
  const first = TW_LETTERS[(v[0] as number) - 10] as number;
  let sum =
    Math.floor(first / 10) + (first % 10) * 9 + (second > 9 ? (TW_LETTERS[second - 10] as number) % 10 : second) * 8;
  for (let i = 2; i < 9; i++) sum += (v[i] as number) * (9 - i);
  return (sum + (v[9] as number)) % 10 === 0;
}

function isHkid(v: Uint8Array, length: number): boolean {
  const from = length - 7;
  if (!areAllLetters(v, 0, from) || !areAllDigits(v, from, 6) || (v[length - 1] as number) > 10) return false;
  // A single letter has a blank before it, with the value 36.
  let sum = from === 2 ? (v[0] as number) * 9 + (v[1] as number) * 8 : 36 * 9 + (v[0] as number) * 8;
  for (let i = 0; i < 6; i++) sum += (v[from + i] as number) * (7 - i);
  return (sum + (v[length - 1] as number)) % 11 === 0;
}

function isNric(v: Uint8Array): boolean {
  const prefix = SG_PREFIXES.indexOf(v[0] as number);
  if (prefix < 0 || !areAllDigits(v, 1, 7)) return false;
  const sum = weightedSum(v, SG_WEIGHTS, 1) + (prefix === 1 || prefix === 3 ? 4 : prefix === 4 ? 3 : 0);
  const table = prefix < 2 ? SG_CITIZEN : prefix < 4 ? SG_FOREIGNER : SG_FOREIGNER_M;
  return table[sum % 11] === v[8];
}

function isMyKad(v: Uint8Array): boolean {
  const place = numberAt(v, 6, 2);
  if (!isValidDate(numberAt(v, 0, 2), numberAt(v, 2, 2), numberAt(v, 4, 2))) return false;
  if (place === 0 || (place > 16 && place < 21) || place === 69 || place === 70 || place === 73) return false;
  return place !== 80 && place !== 81 && (place < 94 || place > 97);
}

function isThaiPin(v: Uint8Array): boolean {
  let sum = 0;
  for (let i = 0; i < 12; i++) sum += (v[i] as number) * (13 - i);
  return v[0] !== 0 && v[0] !== 9 && (11 - (sum % 11)) % 10 === v[12] && !areAllSame(v, 0, 13);
}

function isRrn(v: Uint8Array): boolean {
  const century = v[6] as number;
  if (!isValidDate(numberAt(v, 0, 2), numberAt(v, 2, 2), numberAt(v, 4, 2))) return false;
  if (century >= 1 && century <= 8) return true;
  // 9 and 0 mark births before 1900. Nobody born before 1870 had a number, and all these numbers have a check digit.
  if (numberAt(v, 0, 2) < OLDEST_RRN) return false;
  return (11 - (weightedSum(v, RRN_WEIGHTS) % 11)) % 10 === v[12];
}

function isMyNumber(v: Uint8Array): boolean {
  const rest = weightedSum(v, JP_WEIGHTS) % 11;
  return (rest <= 1 ? 0 : 11 - rest) === v[11] && !areAllSame(v, 0, 12);
}

function isAadhaar(v: Uint8Array): boolean {
  return (v[0] as number) > 1 && passesVerhoeff(v, 12) && !areAllSame(v, 0, 12);
}

function isPan(v: Uint8Array): boolean {
  return areAllLetters(v, 0, 5) && areAllDigits(v, 5, 4) && (v[9] as number) > 9 && PAN_HOLDERS.has(v[3] as number);
}

function isCnic(v: Uint8Array): boolean {
  return v[0] !== 0 && v[0] !== 9 && !areAllSame(v, 0, 13);
}

function isNik(v: Uint8Array): boolean {
  const day = numberAt(v, 6, 2);
  const province = numberAt(v, 0, 2);
  return (
    province >= 11 && province <= 96 && isValidDate(numberAt(v, 10, 2), numberAt(v, 8, 2), day > 40 ? day - 40 : day)
  );
}

function isCccd(v: Uint8Array): boolean {
  const province = numberAt(v, 0, 3);
  return province >= 1 && province <= 96 && (v[3] as number) < 4;
}

function isLankanNic(v: Uint8Array, length: number): boolean {
  const suffix = v[length - 1] as number;
  if (length === 10 && (!areAllDigits(v, 0, 9) || (suffix !== 31 && suffix !== 33))) return false;
  if (length === 12 && (numberAt(v, 0, 4) < 1900 || numberAt(v, 0, 4) > 2035)) return false;
  const day = numberAt(v, length === 12 ? 4 : 2, 3);
  return (day >= 1 && day <= 366) || (day >= 501 && day <= 866);
}

function isMelli(v: Uint8Array): boolean {
  let sum = 0;
  for (let i = 0; i < 9; i++) sum += (v[i] as number) * (10 - i);
  const rest = sum % 11;
  return (rest < 2 ? rest : 11 - rest) === v[9] && !areAllSame(v, 0, 10);
}

function isMisparZehut(v: Uint8Array, length: number): boolean {
  return passesLuhn(v, 0, length) && !areAllSame(v, 0, length);
}

function isKimlik(v: Uint8Array): boolean {
  if (v[0] === 0) return false;
  let [odd, even] = [0, 0];
  for (let i = 0; i < 9; i += 2) odd += v[i] as number;
  for (let i = 1; i < 8; i += 2) even += v[i] as number;
  const tenth = (((odd * 7 - even) % 10) + 10) % 10;
  return tenth === v[9] && (odd + even + tenth) % 10 === v[10];
}

function isIin(v: Uint8Array): boolean {
  const century = v[6] as number;
  if (century > 6 || !isValidDate(numberAt(v, 0, 2), numberAt(v, 2, 2), numberAt(v, 4, 2))) return false;
  let check = weightedSum(v, KZ_FIRST) % 11;
  if (check === 10) check = weightedSum(v, KZ_SECOND) % 11;
  return check === v[11];
}

function isEmiratesId(v: Uint8Array): boolean {
  const year = numberAt(v, 3, 4);
  return numberAt(v, 0, 3) === 784 && year >= 1900 && year <= 2035;
}

function isEgyptianId(v: Uint8Array): boolean {
  const century = v[0];
  const governorate = numberAt(v, 7, 2);
  if ((century !== 2 && century !== 3) || governorate === 0 || (governorate > 35 && governorate !== 88)) return false;
  return isValidDate(numberAt(v, 1, 2), numberAt(v, 3, 2), numberAt(v, 5, 2));
}

function isSouthAfricanId(v: Uint8Array): boolean {
  const citizenship = v[10] as number;
  if (citizenship > 2 || !isValidDate(numberAt(v, 0, 2), numberAt(v, 2, 2), numberAt(v, 4, 2))) return false;
  return passesLuhn(v, 0, 13);
}

function isNigerianNin(v: Uint8Array): boolean {
  return v[0] !== 0 && !areAllSame(v, 0, 11);
}

function isTfn(v: Uint8Array, length: number): boolean {
  return weightedSum(v, length === 9 ? AU_WEIGHTS : AU_WEIGHTS_OF_EIGHT) % 11 === 0 && !areAllSame(v, 0, length);
}

function isIrd(v: Uint8Array, length: number): boolean {
  const full = new Uint8Array(9);
  full.set(v.subarray(0, length), 9 - length);
  const base = numberAt(full, 0, 9);
  if (base < 10_000_000 || base > 150_000_000) return false;
  let check = (11 - (weightedSum(full, IRD_FIRST) % 11)) % 11;
  if (check === 10) check = (11 - (weightedSum(full, IRD_SECOND) % 11)) % 11;
  return check === full[8];
}

export const ASIA_PACIFIC_AFRICA_RULES: readonly NationalIdRule[] = [
  {
    scheme: 'cn_ric',
    evidence: 'checksum',
    check: isResidentIdentityCard,
    anyCase: true,
    shapes: {
      '18': 'free',
      '18x': 'free',
      '6 8 4': 'free',
      '6 8 4x': 'free',
      '6-8-4': 'free',
      '6-8-4x': 'free',
      '15': 'own',
    },
  },
  { scheme: 'tw_nid', evidence: 'checksum', check: isTaiwanId, shapes: { '10x': 'free' } },
  {
    scheme: 'hk_hkid',
    evidence: 'checksum',
    check: isHkid,
    shapes: {
      '7x(1': 'free',
      '8x(1': 'free',
      '8x(1a': 'free',
      '7x(1a': 'free',
      '8x': 'keyword',
      '9x': 'keyword',
      '1a 6(1': 'free',
      '1a 6(1a': 'free',
      '7x-1': 'keyword',
      '7x-1a': 'keyword',
      '7x[1': 'keyword',
      '7x[1a': 'keyword',
      '8x[1': 'keyword',
      '8x[1a': 'keyword',
    },
  },
  {
    scheme: 'sg_nric',
    evidence: 'checksum',
    check: isNric,
    anyCase: true,
    shapes: { '9x': 'free', '1a-7-1a': 'keyword', '8x-1a': 'keyword', '1a 7 1a': 'keyword' },
  },
  {
    scheme: 'my_nric',
    evidence: 'format',
    check: isMyKad,
    shapes: { '6-2-4': 'keyword', '12': 'keyword', '6 2 4': 'keyword' },
  },
  {
    scheme: 'th_pin',
    evidence: 'checksum',
    check: isThaiPin,
    shapes: { '1-4-5-2-1': 'free', '1 4 5 2 1': 'free', '13': 'keyword' },
  },
  { scheme: 'kr_rrn', evidence: 'format', check: isRrn, shapes: { '6-7': 'free', '13': 'own', '6 7': 'keyword' } },
  {
    scheme: 'jp_my_number',
    evidence: 'checksum',
    check: isMyNumber,
    shapes: { '12': 'keyword', '4 4 4': 'keyword', '4-4-4': 'keyword' },
  },
  {
    scheme: 'in_aadhaar',
    evidence: 'checksum',
    check: isAadhaar,
    shapes: { '4 4 4': 'free', '4-4-4': 'free', '12': 'keyword', '4.4.4': 'keyword' },
  },
  {
    scheme: 'in_pan',
    evidence: 'format',
    check: isPan,
    shapes: { '10x': 'keyword', '5a-4-1a': 'keyword', '5a 4 1a': 'keyword' },
  },
  { scheme: 'pk_cnic', evidence: 'format', check: isCnic, shapes: { '5-7-1': 'keyword', '13': 'own' } },
  {
    scheme: 'id_nik',
    evidence: 'format',
    check: isNik,
    shapes: { '16': 'keyword', '6 6 4': 'keyword', '4 4 4 4': 'keyword', '6-6-4': 'keyword' },
  },
  { scheme: 'vn_cccd', evidence: 'format', check: isCccd, ownKeywordOnly: true, shapes: { '12': 'keyword' } },
  { scheme: 'lk_nic', evidence: 'format', check: isLankanNic, shapes: { '10x': 'keyword', '12': 'own' } },
  { scheme: 'ir_melli', evidence: 'checksum', check: isMelli, shapes: { '10': 'keyword', '3-6-1': 'keyword' } },
  {
    scheme: 'il_id',
    evidence: 'checksum',
    check: isMisparZehut,
    shapes: { '9': 'keyword', '8': 'own', '8-1': 'keyword', '7-1': 'keyword' },
  },
  { scheme: 'tr_tckn', evidence: 'checksum', check: isKimlik, shapes: { '11': 'keyword', '3 3 3 2': 'keyword' } },
  { scheme: 'kz_iin', evidence: 'checksum', check: isIin, shapes: { '12': 'keyword' } },
  {
    scheme: 'ae_eid',
    evidence: 'format',
    check: isEmiratesId,
    shapes: { '3-4-7-1': 'free', '3 4 7 1': 'free', '15': 'keyword' },
  },
  { scheme: 'eg_nid', evidence: 'format', check: isEgyptianId, shapes: { '14': 'keyword' } },
  {
    scheme: 'za_id',
    evidence: 'checksum',
    check: isSouthAfricanId,
    shapes: {
      '13': 'keyword',
      '6 4 3': 'keyword',
      '6 4 2 1': 'keyword',
      '6 4 1 2': 'keyword',
      '6-4-2-1': 'keyword',
      '6-4-3': 'keyword',
    },
  },
  { scheme: 'ng_nin', evidence: 'format', check: isNigerianNin, ownKeywordOnly: true, shapes: { '11': 'keyword' } },
  {
    scheme: 'au_tfn',
    evidence: 'checksum',
    check: isTfn,
    shapes: {
      '9': 'keyword',
      '8': 'keyword',
      '3 3 3': 'keyword',
      '3-3-3': 'keyword',
      '3 3 2': 'keyword',
      '2 3 3': 'keyword',
    },
  },
  {
    scheme: 'nz_ird',
    evidence: 'checksum',
    check: isIrd,
    shapes: {
      '9': 'keyword',
      '8': 'keyword',
      '3-3-3': 'keyword',
      '2-3-3': 'keyword',
      '3 3 3': 'keyword',
      '7-1': 'keyword',
    },
  },
];
