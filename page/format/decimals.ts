/** The exact sum of two decimal strings that are not negative: `0.10` + `2.005` is `2.105`. */
export function addDecimals(a: string, b: string): string {
  const decimals = Math.max(decimalsOf(a), decimalsOf(b));
  const digits = String(scaled(a, decimals) + scaled(b, decimals)).padStart(decimals + 1, '0');
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

const decimalsOf = (text: string) => text.split('.')[1]?.length ?? 0;

function scaled(text: string, decimals: number): bigint {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(decimals, '0'));
}
