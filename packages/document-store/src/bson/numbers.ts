// Numbers of BSON's four types: exact comparison and addition.
import { Decimal128 } from 'bson';
import { CommandError } from '../errors.ts';
import { encodeDouble, encodeValue } from './encode.ts';
import { bsonTypes, typeOrder } from './types.ts';
import type { BsonValue } from './value.ts';

/** int32 and double as number, int64 as bigint. */
export type NumericValue = number | bigint | Decimal128;

export function isNumeric(
  value: BsonValue | undefined,
): value is BsonValue & { readonly order: typeof typeOrder.number } {
  return value?.order === typeOrder.number;
}

/** @returns `undefined` if the value is not a number. */
export function numberOf(value: BsonValue | undefined): NumericValue | undefined {
  switch (value?.type) {
    case bsonTypes.int:
      return value.bytes.readInt32LE(value.start);
    case bsonTypes.double:
      return value.bytes.readDoubleLE(value.start);
    case bsonTypes.long:
      return value.bytes.readBigInt64LE(value.start);
    case bsonTypes.decimal:
      return new Decimal128(value.raw);
    default:
      return undefined;
  }
}

export function isNaNValue(value: BsonValue): boolean {
  return Number.isNaN(Number(numberOf(value) ?? 0));
}

/**
 * An integer of any numeric type; `undefined` if it is none, or not a safe integer in JavaScript.
 */
export function integerOf(value: BsonValue | undefined): number | undefined {
  const native = numberOf(value);
  if (native === undefined) return undefined;
  const number = Number(native);
  return Number.isSafeInteger(number) ? number : undefined;
}

/**
 * How MongoDB reads a boolean option: false are `false`, 0, null, undefined and a missing value.
 */
export function isTruthy(value: BsonValue | undefined): boolean {
  switch (value?.type) {
    case undefined:
    case bsonTypes.null:
    case bsonTypes.undefined:
      return false;
    case bsonTypes.bool:
      return value?.bytes[value.start] === 1;
    default:
      return Number(numberOf(value) ?? 1) !== 0;
  }
}

/** A decimal as coefficient · 10^exponent; a number where it is NaN or infinite. */
function decimalParts(value: Decimal128): { coefficient: bigint; exponent: number } | number {
  const text = value.toString();
  if (text === 'NaN') return Number.NaN;
  if (text.endsWith('Infinity')) return text.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  const [mantissa = '0', power = '0'] = text.split('E');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  return { coefficient: BigInt(whole + fraction), exponent: Number(power) - fraction.length };
}

/** The same text for equal decimals, without trailing zeros. */
export function canonicalDecimal(value: Decimal128): string {
  const parts = decimalParts(value);
  if (typeof parts === 'number') return String(parts);
  let { coefficient, exponent } = parts;
  if (coefficient === 0n) return '0';
  while (coefficient % 10n === 0n) {
    coefficient /= 10n;
    exponent += 1;
  }
  return `${coefficient}E${exponent}`;
}

/** @returns `undefined` if the decimal is not an integer. */
export function decimalToBigInt(value: Decimal128): bigint | undefined {
  const fraction = toFraction(value);
  if (typeof fraction === 'number') return undefined;
  const { numerator, denominator } = fraction;
  return numerator % denominator === 0n ? numerator / denominator : undefined;
}

interface Fraction {
  numerator: bigint;
  denominator: bigint;
}

function toFraction(value: NumericValue): Fraction | number {
  if (typeof value === 'bigint') return { numerator: value, denominator: 1n };
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) return value;
    let denominator = 1n;
    let scaled = value;
    while (!Number.isInteger(scaled)) {
      scaled *= 2;
      denominator *= 2n;
    }
    return { numerator: BigInt(scaled), denominator };
  }
  const parts = decimalParts(value);
  if (typeof parts === 'number') return parts;
  const power = 10n ** BigInt(Math.abs(parts.exponent));
  return parts.exponent < 0
    ? { numerator: parts.coefficient, denominator: power }
    : { numerator: parts.coefficient * power, denominator: 1n };
}

function signOf(left: number | bigint, right: number | bigint): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** NaN is equal to itself and below every other number. */
function compareDoubles(left: number, right: number): number {
  if (Number.isNaN(left)) return Number.isNaN(right) ? 0 : -1;
  return Number.isNaN(right) ? 1 : signOf(left, right);
}

/** Compares exact values across all types. */
export function compareNumbers(left: NumericValue, right: NumericValue): number {
  if (typeof left === 'number' && typeof right === 'number') return compareDoubles(left, right);
  if (Number.isNaN(Number(left)) || Number.isNaN(Number(right))) return compareDoubles(Number(left), Number(right));
  // JavaScript compares a bigint with a number exactly.
  if (!(left instanceof Decimal128) && !(right instanceof Decimal128)) return signOf(left, right);
  const a = toFraction(left);
  const b = toFraction(right);
  if (typeof a === 'number' || typeof b === 'number')
    return compareDoubles(typeof a === 'number' ? a : 0, typeof b === 'number' ? b : 0);
  return signOf(a.numerator * b.denominator, b.numerator * a.denominator);
}

/**
 * Adds as `$inc` does: the wider type wins, int32 widens to int64. @returns `undefined` if an int64
 * overflows.
 */
export function addNumbers(left: BsonValue, right: BsonValue): BsonValue | undefined {
  const types = [left.type, right.type];
  const a = numberOf(left) ?? 0;
  const b = numberOf(right) ?? 0;
  if (a instanceof Decimal128 || b instanceof Decimal128)
    throw new CommandError('NotImplemented', 'arithmetic with decimals is not implemented');
  if (types.includes(bsonTypes.double)) return encodeDouble(Number(a) + Number(b));
  const sum = BigInt(a) + BigInt(b);
  if (BigInt.asIntN(64, sum) !== sum) return undefined;
  const isLong = types.includes(bsonTypes.long) || BigInt.asIntN(32, sum) !== sum;
  return encodeValue(isLong ? sum : Number(sum));
}
