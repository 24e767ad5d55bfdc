// Exact decimal arithmetic. Every price and every amount is a whole number of 10^-24 USD, which no rule of
// the price book can leave: the longest result, function compute, has 23 decimals.

/** An amount in units of 10^-24 USD. */
export type Money = bigint;

const moneyDecimals = 24;
/** Decimals of amounts and GB-seconds in answers and files. */
const shownDecimals = 12;
const moneyPerShown = 10n ** BigInt(moneyDecimals - shownDecimals);
const halfOfShown = moneyPerShown / 2n;

const shownPerWhole = 10n ** BigInt(shownDecimals);

/** MB·ms in one GB-second: 1 GB is 1,024 MB, 1 s is 1,000 ms. */
export const mbMsPerGbSecond = 1_024_000n;

/**
 * The exact price of one unit, of a price for `units` of them: `unitPrice('0.40', 1_000_000n)`.
 * @throws RangeError when the price is not a decimal string, or does not come out even at 10^-24 USD.
 */
export function unitPrice(price: string, units: bigint): Money {
  const scaled = parseDecimal(price, moneyDecimals);
  if (scaled % units !== 0n) throw new RangeError(`a price of ${price} for ${units} units is not exact at 10^-24`);
  return scaled / units;
}

/**
 * Reads a decimal string as an integer of 10^-decimals: `parseDecimal('1.18', 2)` is 118n.
 * @throws RangeError when it is not a plain decimal number of 0 or more, or has more decimals than that.
 */
export function parseDecimal(text: string, decimals: number): bigint {
  const match = /^(\d+)(?:\.(\d+))?$/.exec(text);
  const fraction = match?.[2] ?? '';
  if (match?.[1] === undefined || fraction.length > decimals) {
    throw new RangeError(`"${text}" is not a decimal number with at most ${decimals} decimals`);
  }
  return BigInt(match[1] + fraction.padEnd(decimals, '0'));
}

/** A decimal string with exactly 12 decimals, half up; a negative difference is rounded like a positive one. */
export function formatMoney(amount: Money): string {
  return amount < 0n ? withSign(formatMoney(-amount)) : formatScaled((amount + halfOfShown) / moneyPerShown);
}

/** MB·ms as GB-seconds: a decimal string with exactly 12 decimals, half up. */
export function formatGbSeconds(mbMs: bigint): string {
  return formatScaled((mbMs * shownPerWhole + mbMsPerGbSecond / 2n) / mbMsPerGbSecond);
}

/** The share of a part in a total, neither negative: 4 decimals, half up; "0.0000" when the total is 0. */
export function formatShare(part: Money, total: Money): string {
  if (total === 0n) return '0.0000';
  const scaled = (part * 20_000n + total) / (total * 2n);
  return pointed(scaled.toString(), 4);
}

/** An amount for charts and reports: 2 decimals, half up; "< 0.01" for a positive amount that would show as 0.00. */
export function formatAmount(amount: Money): string {
  if (amount < 0n) return withSign(formatAmount(-amount));
  const perCent = 10n ** BigInt(moneyDecimals - 2);
  const cents = (amount + perCent / 2n) / perCent;
  return cents === 0n && amount > 0n ? '< 0.01' : pointed(cents.toString(), 2);
}

function formatScaled(scaled: bigint): string {
  return pointed(scaled.toString(), shownDecimals);
}

const zero = '0.000000000000';

/** Sets the decimal point. It runs several times per row of metrics, so it cuts once instead of padding first. */
function pointed(digits: string, decimals: number): string {
  const whole = digits.length - decimals;
  return whole > 0 ? `${digits.slice(0, whole)}.${digits.slice(whole)}` : zero.slice(0, 2 - whole) + digits;
}

/** A difference that rounds to nothing carries no sign. */
function withSign(formatted: string): string {
  return /[1-9]/.test(formatted) ? `-${formatted}` : formatted;
}
