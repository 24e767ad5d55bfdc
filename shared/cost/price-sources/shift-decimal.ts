const number = /^(\d{1,60})(?:\.(\d{1,60}))?(?:[eE]([+-]?\d{1,3}))?$/;

/**
 * Multiplies a decimal number by a power of ten, exactly: `shiftDecimal('3.3e-06', 3, 21)` is
 * `'0.0033'`. The result has no exponent and no trailing zeros.
 * @throws RangeError if the text is not a non-negative number, or the result has more than
 * `maxDecimals` decimals, because rounding would change the price.
 */
export function shiftDecimal(text: string, power: number, maxDecimals: number): string {
  const match = number.exec(text);
  if (match === null) throw new RangeError(`"${text.slice(0, 40)}" is not a price: a price is a non-negative number`);
  const [, whole = '', fraction = '', exponent = '0'] = match;
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  const scale = Number(exponent) + power - fraction.length + (digits.length - significant.length);
  if (-scale > maxDecimals) {
    throw new RangeError(`${text} has ${-scale} decimals in the unit of the price book, which holds ${maxDecimals}`);
  }
  if (significant.length + scale > 30) throw new RangeError(`${text} is too large for a price`);
  if (scale >= 0) return significant + '0'.repeat(scale);
  const padded = significant.padStart(1 - scale, '0');
  return `${padded.slice(0, scale)}.${padded.slice(scale)}`;
}
