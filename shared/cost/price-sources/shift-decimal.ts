const number = /^(\d{1,60})(?:\.(\d{1,60}))?$/;

/**
 * Multiplies a decimal number by a power of ten, exactly: `shiftDecimal('0.0000033', 3, 21)` is
 * `'0.0033'`. The result has no trailing zeros.
 * @throws RangeError if the text is not a number without sign and exponent, or the result has more
 * than `maxDecimals` decimals, because rounding would change the price.
 */
export function shiftDecimal(text: string, power: number, maxDecimals: number): string {
  const match = number.exec(text);
  if (match === null)
    throw new RangeError(
      `"${text.slice(0, 40)}" is not a price: a price is a decimal number without sign and exponent`,
    );
  const [, whole = '', fraction = ''] = match;
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  const scale = power - fraction.length + (digits.length - significant.length);
  if (-scale > maxDecimals) {
    throw new RangeError(`${text} has ${-scale} decimals in the unit of the price book, which holds ${maxDecimals}`);
  }
  if (significant.length + scale > 30) throw new RangeError(`${text} is too large for a price`);
  if (scale >= 0) return significant + '0'.repeat(scale);
  const padded = significant.padStart(1 - scale, '0');
  return `${padded.slice(0, scale)}.${padded.slice(scale)}`;
}
