// Check digit algorithms and dates of values.

/**
 * Whether a value can be a number of a scheme. The value has no separators. Its elements are 0 to 9
 * for digits, and 10 to 35 for A to Z in either case. Only the first `length` elements are valid.
 */
export type Check = (value: Uint8Array, length: number) => boolean;

/** The characters of values: each has its index as its value. */
export const CHARACTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** Verifies the Luhn check digit (ISO/IEC 7812-1) of `length` digits from index `from`. */
export function passesLuhn(value: Uint8Array, from: number, length: number): boolean {
  let sum = 0;
  let double = false;
  for (let i = from + length - 1; i >= from; i--) {
    let digit = value[i] as number;
    if (double) {
      digit *= 2;
      if (digit > 9) digit -= 9;
    }
    sum += digit;
    double = !double;
  }
  return sum % 10 === 0;
}

/** Verifies the check digit of ISO/IEC 7064 MOD 11,10, which is the last digit. */
export function passesMod1110(value: Uint8Array, length: number): boolean {
  let product = 10;
  for (let i = 0; i < length - 1; i++) {
    const sum = ((value[i] as number) + product) % 10;
    product = ((sum === 0 ? 10 : sum) * 2) % 11;
  }
  return (product + (value[length - 1] as number)) % 10 === 1;
}

const VERHOEFF_PRODUCT = [
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  [1, 2, 3, 4, 0, 6, 7, 8, 9, 5],
  [2, 3, 4, 0, 1, 7, 8, 9, 5, 6],
  [3, 4, 0, 1, 2, 8, 9, 5, 6, 7],
  [4, 0, 1, 2, 3, 9, 5, 6, 7, 8],
  [5, 9, 8, 7, 6, 0, 4, 3, 2, 1],
  [6, 5, 9, 8, 7, 1, 0, 4, 3, 2],
  [7, 6, 5, 9, 8, 2, 1, 0, 4, 3],
  [8, 7, 6, 5, 9, 3, 2, 1, 0, 4],
  [9, 8, 7, 6, 5, 4, 3, 2, 1, 0],
] as const;
const VERHOEFF_PERMUTATION = [
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  [1, 5, 7, 6, 2, 8, 3, 0, 9, 4],
  [5, 8, 0, 3, 7, 9, 6, 1, 4, 2],
  [8, 9, 1, 6, 0, 4, 3, 5, 2, 7],
  [9, 4, 5, 3, 1, 2, 6, 8, 7, 0],
  [4, 2, 8, 6, 5, 7, 3, 9, 0, 1],
  [2, 7, 9, 3, 8, 0, 6, 4, 1, 5],
  [7, 0, 4, 6, 9, 1, 3, 2, 5, 8],
] as const;

/** Verifies the Verhoeff check digit at index `at`, for the first `count` digits. */
export function passesVerhoeff(value: Uint8Array, count: number, at: number): boolean {
  let check = value[at] as number;
  for (let i = 1; i <= count; i++) {
    const digit = value[count - i] as number;
    check = (VERHOEFF_PRODUCT[check] as readonly number[])[
      (VERHOEFF_PERMUTATION[i % 8] as readonly number[])[digit] as number
    ] as number;
  }
  return check === 0;
}

/** The number that `length` digits from index `from` represent. */
export function numberAt(value: Uint8Array, from: number, length: number): number {
  let result = 0;
  for (let i = from; i < from + length; i++) result = result * 10 + (value[i] as number);
  return result;
}

export function areAllSame(value: Uint8Array, from: number, length: number): boolean {
  for (let i = from + 1; i < from + length; i++) if (value[i] !== value[from]) return false;
  return true;
}

const DAYS_IN_MONTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * Whether the date exists. A two-digit `year` is a leap year if it is a leap year in either
 * century.
 */
export function isValidDate(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1 || day > (DAYS_IN_MONTH[month - 1] as number)) return false;
  return month !== 2 || day !== 29 || (year % 4 === 0 && (year < 100 || year % 100 !== 0 || year % 400 === 0));
}

/** Whether the six digits from index `from` are a date, YYMMDD. */
export function isYearMonthDay(value: Uint8Array, from: number): boolean {
  return isValidDate(numberAt(value, from, 2), numberAt(value, from + 2, 2), numberAt(value, from + 4, 2));
}
