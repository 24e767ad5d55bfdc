// Exact decimal arithmetic. Prices and amounts are whole numbers of 10^-28 USD. This unit is always
// exact: the longest list price, function compute, has 24 decimals per MB·ms, and a discount in per
// cent with two decimals adds four.

/** An amount in units of 10^-28 USD. */
export type Money = bigint;

export const moneyDecimals = 28;
/** Decimals of amounts and GB-seconds in responses and files. */
const outputDecimals = 12;
const moneyPerOutputUnit = 10n ** BigInt(moneyDecimals - outputDecimals);
const halfOutputUnit = moneyPerOutputUnit / 2n;

const outputUnitsPerWhole = 10n ** BigInt(outputDecimals);

/** MB·ms in one GB-second: 1 GB is 1,024 MB, 1 s is 1,000 ms. */
export const mbMsPerGbSecond = 1_024_000n;

/**
 * The exact price of one unit from a price for `units` units: `unitPrice('0.40', 1_000_000n)`.
 * @throws RangeError if the price is not a decimal string, or the result is not a whole number of
 * 10^-28 USD.
 */
export function unitPrice(price: string, units: bigint): Money {
  const scaled = parseDecimal(price, moneyDecimals);
  if (scaled % units !== 0n)
    throw new RangeError(`a price of ${price} for ${units} units is not a whole number of 10^-28 per unit`);
  return scaled / units;
}

/**
 * Parses a decimal string as an integer multiple of 10^-decimals: `parseDecimal('1.18', 2)` is
 * 118n.
 * @throws RangeError if the text is not a non-negative decimal number, or has more decimals.
 */
export function parseDecimal(text: string, decimals: number): bigint {
  const match = /^(\d+)(?:\.(\d+))?$/.exec(text);
  const fraction = match?.[2] ?? '';
  if (match?.[1] === undefined || fraction.length > decimals) {
    throw new RangeError(`"${text}" is not a decimal number with at most ${decimals} decimals`);
  }
  return BigInt(match[1] + fraction.padEnd(decimals, '0'));
}

const maxDigits = 60;

/**
 * Multiplies a decimal number by a power of ten, exactly: `shiftDecimal('0.0000033', 3, 21)` is
 * `'0.0033'`. The result has no trailing zeros.
 * @throws RangeError if the text is not a number without sign and exponent, or the result has more
 * than `maxDecimals` decimals, because rounding would change the price.
 */
export function shiftDecimal(text: string, power: number, maxDecimals: number): string {
  const form = 'a price is a decimal number without sign and exponent';
  if (!/^\d{1,60}(?:\.\d{1,60})?$/.test(text)) throw new RangeError(`"${text.slice(0, 40)}" is not a price: ${form}`);
  const shifted = formatExact(parseDecimal(text, maxDigits), maxDigits - power);
  const [whole = '', fraction = ''] = shifted.split('.');
  if (whole.length > 30) throw new RangeError(`${text} is too large for a price`);
  if (fraction.length <= maxDecimals) return shifted;
  throw new RangeError(
    `${text} has ${fraction.length} decimals in the unit of the price book, which holds ${maxDecimals}`,
  );
}

/**
 * Formats an amount with 12 decimals, rounded half up. Negative amounts are rounded half away from
 * zero.
 */
export function formatMoney(amount: Money): string {
  return amount < 0n ? prefixMinus(formatMoney(-amount)) : formatScaled((amount + halfOutputUnit) / moneyPerOutputUnit);
}

/** Formats MB·ms as GB-seconds with 12 decimals, rounded half up. */
export function formatGbSeconds(mbMs: bigint): string {
  return formatScaled((mbMs * outputUnitsPerWhole + mbMsPerGbSecond / 2n) / mbMsPerGbSecond);
}

/** Formats an amount or a price with all its decimals, without trailing zeros. */
export function formatExactMoney(amount: Money): string {
  return formatExact(amount, moneyDecimals);
}

/** Formats MB·ms as GB-seconds with all their decimals, which are at most 13. */
export function formatExactGbSeconds(mbMs: bigint): string {
  const decimals = 13;
  return formatExact((mbMs * 10n ** BigInt(decimals)) / mbMsPerGbSecond, decimals);
}

/**
 * Formats the difference of two amounts as a share of the first with 4 decimals, rounded half up,
 * with a minus for a decrease; null if the first is 0.
 */
export function formatRelativeDifference(first: Money, second: Money): string | null {
  if (first === 0n) return null;
  return second < first ? prefixMinus(formatShare(first - second, first)) : formatShare(second - first, first);
}

/**
 * Formats the share of a part in a total with 4 decimals, rounded half up; "0.0000" for a total
 * of 0. Part and total must not be negative.
 */
export function formatShare(part: Money, total: Money): string {
  if (total === 0n) return '0.0000';
  const scaled = (part * 20_000n + total) / (total * 2n);
  return insertPoint(scaled.toString(), 4);
}

function formatExact(value: bigint, decimals: number): string {
  if (value < 0n) return `-${formatExact(-value, decimals)}`;
  const digits = value.toString().padStart(decimals + 1, '0');
  const fraction = digits.slice(-decimals).replace(/0+$/, '');
  return fraction === '' ? digits.slice(0, -decimals) : `${digits.slice(0, -decimals)}.${fraction}`;
}

function formatScaled(scaled: bigint): string {
  return insertPoint(scaled.toString(), outputDecimals);
}

const zero = '0.000000000000';

/**
 * Inserts the decimal point. It slices instead of padding, because it runs several times per row of
 * metrics.
 */
function insertPoint(digits: string, decimals: number): string {
  const whole = digits.length - decimals;
  return whole > 0 ? `${digits.slice(0, whole)}.${digits.slice(whole)}` : zero.slice(0, 2 - whole) + digits;
}

/** A negative amount that rounds to zero has no sign. */
function prefixMinus(formatted: string): string {
  return /[1-9]/.test(formatted) ? `-${formatted}` : formatted;
}
