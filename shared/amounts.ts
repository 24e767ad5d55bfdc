// Amounts and counts as people read them. Amounts come as decimal strings and stay exact: no amount
// passes through a floating-point number to be shown whole.

const twoDecimals = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const decimal = /^(-?)(\d+)(?:\.(\d+))?$/;

const unknownAmount = 'no price';

/**
 * A cost in cents, as on a bill: `$1,234.57`; `< $0.01` below half a cent; null is an amount
 * without a price.
 */
export function formatUsd(amount: string | null): string {
  if (amount === null) return unknownAmount;
  const [, , whole = '0', fraction = ''] = decimal.exec(amount) ?? [];
  const isZero = /^0*$/.test(whole + fraction);
  if (isZero) return '$0.00';
  const cents = roundToCents(whole, fraction);
  if (cents === 0n) return '< $0.01';
  return `$${groupThousands(String(cents / 100n))}.${String(cents % 100n).padStart(2, '0')}`;
}

/**
 * As `formatUsd`, with two significant digits below a cent, for amounts that are compared:
 * `$0.0024`.
 */
export function formatFineUsd(amount: string | null): string {
  const short = formatUsd(amount);
  const [, digits] = /^0\.(0*\d{1,2})/.exec(amount ?? '') ?? [];
  return short === '< $0.01' && digits !== undefined ? `$0.${digits}` : short;
}

/** An estimate: whole dollars from ten on, otherwise as `formatFineUsd`: `$133`, `$3.12`. */
export function formatRoundUsd(amount: string | null): string {
  const [, sign = '', whole = '0', fraction = ''] = decimal.exec(amount ?? '') ?? [];
  if (amount === null || sign !== '' || whole.length < 2) return formatFineUsd(amount);
  return `$${groupThousands(String(BigInt(whole) + (/^[5-9]/.test(fraction) ? 1n : 0n)))}`;
}

/** With all decimals that the service sent: `1.909251901250 USD`. */
export function formatExactUsd(amount: string | null): string {
  if (amount === null) return unknownAmount;
  const [, sign = '', whole = '0', fraction] = decimal.exec(amount) ?? [];
  return `${sign === '' ? '' : '−'}${groupThousands(whole)}${fraction === undefined ? '' : `.${fraction}`} USD`;
}

/** A share such as `0.0019` in per cent: `0.19 %`. */
export function formatShare(share: string | null): string {
  return share === null ? '–' : `${twoDecimals.format(Number(share) * 100)} %`;
}

/**
 * A whole number or a decimal string, with commas: `1,234,567`, `37.50`. At most `maxDecimals`
 * decimals are shown.
 */
export function formatNumber(value: number | string, maxDecimals = 2): string {
  const [, sign = '', whole = '0', fraction = ''] = decimal.exec(String(value)) ?? [];
  const shown = fraction.slice(0, maxDecimals).replace(/0+$/, '');
  return `${sign}${groupThousands(whole)}${shown === '' ? '' : `.${shown}`}`;
}

/** In bytes: `245 kB`. */
export function formatBytes(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const;
  const power = bytes < 1_000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1);
  const value = bytes / 1_000 ** power;
  return `${power === 0 ? bytes : value.toFixed(value < 10 ? 1 : 0)} ${units[power]}`;
}

const spanUnits = [
  { name: 'day', seconds: 86_400 },
  { name: 'hour', seconds: 3_600 },
  { name: 'minute', seconds: 60 },
  { name: 'second', seconds: 1 },
] as const;

/** `3.3 hours`, `a minute`; rounded down, so that 23.99 hours are less than a day. */
export function spanInWords(seconds: number): string {
  const unit = spanUnits.find(({ seconds: length }) => seconds >= length) ?? spanUnits[3];
  const count = Math.floor((seconds * 10) / unit.seconds) / 10;
  if (count === 1) return `${unit.name === 'hour' ? 'an' : 'a'} ${unit.name}`;
  return `${count.toLocaleString('en-US')} ${unit.name}s`;
}

function roundToCents(whole: string, fraction: string): bigint {
  const [cents, rest] = [fraction.slice(0, 2).padEnd(2, '0'), fraction.slice(2, 3) || '0'];
  return BigInt(whole + cents) + (rest >= '5' ? 1n : 0n);
}

const groupThousands = (digits: string) => digits.replace(/\B(?=(\d{3})+$)/g, ',');
