// Numbers of three types of BSON: exact comparison and addition.
import { encodeDouble, encodeValue } from './encode.ts';
import { bsonTypes, typeOrder } from './types.ts';
import type { BsonValue } from './value.ts';

/** int32 and double as number, int64 as bigint. */
export type NumericValue = number | bigint;

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
 * How MongoDB reads a boolean option: false are `false`, 0, null and a missing value.
 */
export function isTruthy(value: BsonValue | undefined): boolean {
  switch (value?.type) {
    case undefined:
    case bsonTypes.null:
      return false;
    case bsonTypes.bool:
      return value?.bytes[value.start] === 1;
    default:
      return Number(numberOf(value) ?? 1) !== 0;
  }
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
  return signOf(left, right);
}

/**
 * Adds as `$inc` does: the wider type wins, int32 widens to int64. @returns `undefined` if an int64
 * overflows.
 */
export function addNumbers(left: BsonValue, right: BsonValue): BsonValue | undefined {
  const types = [left.type, right.type];
  const a = numberOf(left) ?? 0;
  const b = numberOf(right) ?? 0;
  if (types.includes(bsonTypes.double)) return encodeDouble(Number(a) + Number(b));
  const sum = BigInt(a) + BigInt(b);
  if (BigInt.asIntN(64, sum) !== sum) return undefined;
  const isLong = types.includes(bsonTypes.long) || BigInt.asIntN(32, sum) !== sum;
  return encodeValue(isLong ? sum : Number(sum));
}
