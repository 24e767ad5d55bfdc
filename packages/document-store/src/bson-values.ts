// BSON values as the store holds them: decoded without promotion, so that int32, int64, double and decimal stay apart,
// and compared in MongoDB's order across types. Every function here goes through the same list of types, so they stand together.
import {
  Binary,
  type BSONRegExp,
  type Code,
  Decimal128,
  Double,
  Int32,
  Long,
  type ObjectId,
  type Timestamp,
} from 'bson';
import { CommandError } from './errors.ts';

export type BsonDocument = Record<string, unknown>;

interface TypeInfo {
  /** Name in `$type`. */
  name: string;
  /** BSON type number. */
  number: number;
  /** Place among the types in a comparison; equal for types that compare by value (all numbers). */
  order: number;
}

const typeInfos = {
  minKey: { name: 'minKey', number: -1, order: 1 },
  undefined: { name: 'undefined', number: 6, order: 4 },
  null: { name: 'null', number: 10, order: 5 },
  int: { name: 'int', number: 16, order: 10 },
  long: { name: 'long', number: 18, order: 10 },
  double: { name: 'double', number: 1, order: 10 },
  decimal: { name: 'decimal', number: 19, order: 10 },
  string: { name: 'string', number: 2, order: 15 },
  symbol: { name: 'symbol', number: 14, order: 15 },
  object: { name: 'object', number: 3, order: 20 },
  array: { name: 'array', number: 4, order: 25 },
  binData: { name: 'binData', number: 5, order: 30 },
  objectId: { name: 'objectId', number: 7, order: 35 },
  bool: { name: 'bool', number: 8, order: 40 },
  date: { name: 'date', number: 9, order: 45 },
  timestamp: { name: 'timestamp', number: 17, order: 47 },
  regex: { name: 'regex', number: 11, order: 50 },
  dbPointer: { name: 'dbPointer', number: 12, order: 55 },
  javascript: { name: 'javascript', number: 13, order: 60 },
  javascriptWithScope: { name: 'javascriptWithScope', number: 15, order: 65 },
  maxKey: { name: 'maxKey', number: 127, order: 127 },
} as const satisfies Record<string, TypeInfo>;

export type BsonTypeName = keyof typeof typeInfos;

const typeNameByNumber = new Map<number, BsonTypeName>(
  Object.entries(typeInfos).map(([name, info]) => [info.number, name as BsonTypeName]),
);

export const numberOrder = typeInfos.int.order;

/** The type of a value; a missing one (`undefined`) is of type `undefined`. */
export function typeOf(value: unknown): BsonTypeName {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'undefined':
      return 'undefined';
    case 'number':
      return Number.isInteger(value) && Math.abs(value) < 2 ** 31 ? 'int' : 'double';
    case 'bigint':
      return 'long';
    case 'object':
      break;
    default:
      throw new CommandError('BadValue', `a ${typeof value} is no BSON value`);
  }
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (value instanceof Date) return 'date';
  if (value instanceof RegExp) return 'regex';
  switch ((value as { _bsontype?: unknown })._bsontype) {
    case 'Int32':
      return 'int';
    case 'Double':
      return 'double';
    case 'Long':
      return 'long';
    case 'Decimal128':
      return 'decimal';
    case 'ObjectId':
      return 'objectId';
    case 'Binary':
      return 'binData';
    case 'BSONRegExp':
      return 'regex';
    case 'Timestamp':
      return 'timestamp';
    case 'BSONSymbol':
      return 'symbol';
    case 'MinKey':
      return 'minKey';
    case 'MaxKey':
      return 'maxKey';
    case 'Code':
      return (value as Code).scope ? 'javascriptWithScope' : 'javascript';
    default:
      return value instanceof Uint8Array ? 'binData' : 'object';
  }
}

/** Place of the value's type in MongoDB's comparison order. */
export function orderOf(value: unknown): number {
  return typeInfos[typeOf(value)].order;
}

/** Resolves one alias or number of `$type`; `number` stands for all four numeric types. */
export function typesOfAlias(alias: unknown): readonly BsonTypeName[] {
  if (typeof alias === 'string') {
    if (alias === 'number') return ['int', 'long', 'double', 'decimal'];
    if (Object.hasOwn(typeInfos, alias)) return [alias as BsonTypeName];
    throw new CommandError('BadValue', `Unknown type name alias: ${alias}`);
  }
  const number = toJsNumber(alias);
  const name = number === undefined ? undefined : typeNameByNumber.get(number);
  if (!name) throw new CommandError('BadValue', `Invalid numerical type code: ${describe(alias)}`);
  return [name];
}

export function isNumeric(value: unknown): boolean {
  return orderOf(value) === numberOrder;
}

export function isDocument(value: unknown): value is BsonDocument {
  return typeOf(value) === 'object';
}

/** A number in JavaScript's terms: int64 as bigint, decimal as itself. `undefined` for anything that is no number. */
export function toNative(value: unknown): number | bigint | Decimal128 | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  if (value instanceof Int32 || value instanceof Double) return value.value;
  if (Long.isLong(value)) return value.toBigInt();
  return value instanceof Decimal128 ? value : undefined;
}

/** The number as a double, possibly rounded; `undefined` for anything that is no number. */
export function toJsNumber(value: unknown): number | undefined {
  const native = toNative(value);
  return native === undefined ? undefined : Number(native);
}

/** An integer of any numeric type; `undefined` when it has a fraction or is no number. */
export function toInteger(value: unknown): number | undefined {
  const number = toJsNumber(value);
  return number !== undefined && Number.isSafeInteger(number) ? number : undefined;
}

/** Truth as commands and projections see it: every number but zero, `true`. */
export function isTruthy(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  if (value === null || value === undefined) return false;
  const number = toJsNumber(value);
  return number === undefined || number !== 0;
}

interface Rational {
  numerator: bigint;
  denominator: bigint;
}

function decimalParts(value: Decimal128): { coefficient: bigint; exponent: number } | number {
  const text = value.toString();
  if (text === 'NaN') return Number.NaN;
  if (text.endsWith('Infinity')) return text.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  const [mantissa = '0', power = '0'] = text.split('E');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  return { coefficient: BigInt(whole + fraction), exponent: Number(power) - fraction.length };
}

function toRational(value: number | bigint | Decimal128): Rational | number {
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

/** The one spelling of a decimal's value, whatever its trailing zeros: for keys that compare by equality. */
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

function sign(left: number | bigint, right: number | bigint): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

function compareDoubles(left: number, right: number): number {
  if (Number.isNaN(left)) return Number.isNaN(right) ? 0 : -1;
  return Number.isNaN(right) ? 1 : sign(left, right);
}

function compareNumbers(left: number | bigint | Decimal128, right: number | bigint | Decimal128): number {
  if (typeof left === 'number' && typeof right === 'number') return compareDoubles(left, right);
  if (Number.isNaN(Number(left)) || Number.isNaN(Number(right))) return compareDoubles(Number(left), Number(right));
  // JavaScript compares bigint with number by their exact values.
  if (!(left instanceof Decimal128) && !(right instanceof Decimal128)) return sign(left, right);
  const a = toRational(left);
  const b = toRational(right);
  if (typeof a === 'number' || typeof b === 'number') {
    return compareDoubles(typeof a === 'number' ? a : 0, typeof b === 'number' ? b : 0);
  }
  return sign(a.numerator * b.denominator, b.numerator * a.denominator);
}

/** Order of two strings by their UTF-8 bytes, which UTF-16 code units only miss at surrogates. */
function compareStrings(left: string, right: string): number {
  if (left === right) return 0;
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index += 1) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a !== b) {
      if (a >= 0xd800 && b >= 0xd800) {
        const aIsSurrogate = a <= 0xdfff;
        const bIsSurrogate = b <= 0xdfff;
        if (aIsSurrogate !== bIsSurrogate) return aIsSurrogate ? 1 : -1;
      }
      return a - b;
    }
  }
  return left.length - right.length;
}

export function bytesOf(value: unknown): { bytes: Uint8Array; subtype: number } {
  if (value instanceof Binary) return { bytes: value.buffer.subarray(0, value.position), subtype: value.sub_type };
  return { bytes: value as Uint8Array, subtype: 0 };
}

export function regexParts(value: unknown): { pattern: string; options: string } {
  if (value instanceof RegExp) return { pattern: value.source, options: value.flags };
  const { pattern, options } = value as BSONRegExp;
  return { pattern, options };
}

function compareBinary(left: unknown, right: unknown): number {
  const a = bytesOf(left);
  const b = bytesOf(right);
  return a.bytes.length - b.bytes.length || a.subtype - b.subtype || Buffer.compare(a.bytes, b.bytes);
}

function compareDocuments(left: BsonDocument, right: BsonDocument): number {
  const leftEntries = Object.entries(left);
  const rightEntries = Object.entries(right);
  for (const [index, [name, value]] of leftEntries.entries()) {
    const other = rightEntries[index];
    if (!other) return 1;
    const order =
      orderOf(value) - orderOf(other[1]) || compareStrings(name, other[0]) || compareValues(value, other[1]);
    if (order !== 0) return order;
  }
  return leftEntries.length - rightEntries.length;
}

/** MongoDB's total order over BSON values: by type first, then by value; arrays as wholes. */
export function compareValues(left: unknown, right: unknown): number {
  if (typeof left === 'string' && typeof right === 'string') return compareStrings(left, right);
  const order = orderOf(left);
  const difference = order - orderOf(right);
  if (difference !== 0) return difference;
  switch (order) {
    case typeInfos.int.order:
      return compareNumbers(toNative(left) ?? 0, toNative(right) ?? 0);
    case typeInfos.string.order:
      return compareStrings(String(left), String(right));
    case typeInfos.object.order:
      return compareDocuments(left as BsonDocument, right as BsonDocument);
    case typeInfos.array.order: {
      const a = left as unknown[];
      const b = right as unknown[];
      for (let index = 0; index < Math.min(a.length, b.length); index += 1) {
        const step = compareValues(a[index], b[index]);
        if (step !== 0) return step;
      }
      return a.length - b.length;
    }
    case typeInfos.binData.order:
      return compareBinary(left, right);
    case typeInfos.objectId.order:
      return Buffer.compare((left as ObjectId).id, (right as ObjectId).id);
    case typeInfos.bool.order:
      return Number(left) - Number(right);
    case typeInfos.date.order:
      return (left as Date).getTime() - (right as Date).getTime();
    case typeInfos.timestamp.order:
      return sign((left as Timestamp).toBigInt(), (right as Timestamp).toBigInt());
    case typeInfos.regex.order: {
      const a = regexParts(left);
      const b = regexParts(right);
      return compareStrings(a.pattern, b.pattern) || compareStrings(a.options, b.options);
    }
    case typeInfos.javascript.order:
    case typeInfos.javascriptWithScope.order:
      return compareStrings((left as Code).code, (right as Code).code);
    default:
      return 0;
  }
}

export function equalValues(left: unknown, right: unknown): boolean {
  return compareValues(left, right) === 0;
}

/** A value as it reads in MongoDB's messages: `{ a: 1, b: "x" }`. */
export function describe(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (value === undefined || value === null) return 'null';
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `[ ${value.map(describe).join(', ')} ]`;
  switch (typeOf(value)) {
    case 'objectId':
      return `ObjectId('${(value as ObjectId).toHexString()}')`;
    case 'date':
      return `new Date(${(value as Date).getTime()})`;
    case 'binData': {
      const { bytes, subtype } = bytesOf(value);
      return `BinData(${subtype}, ${Buffer.from(bytes).toString('hex').toUpperCase()})`;
    }
    case 'regex': {
      const { pattern, options } = regexParts(value);
      return `/${pattern}/${options}`;
    }
    case 'object': {
      const fields = Object.entries(value as BsonDocument).map(([name, field]) => `${name}: ${describe(field)}`);
      return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
    }
    default:
      return (toNative(value) ?? (value as boolean)).toString();
  }
}

const int64Limit = 2n ** 63n;
const int32Limit = 2n ** 31n;

/** Adds or multiplies as MongoDB does: the wider type wins, int32 widens to int64. `undefined` when int64 overflows. */
export function combineNumbers(left: unknown, right: unknown, operation: 'add' | 'multiply'): unknown {
  const types = [typeOf(left), typeOf(right)];
  const a = toNative(left) ?? 0;
  const b = toNative(right) ?? 0;
  if (types.includes('decimal')) return combineDecimals(a, b, operation);
  if (types.includes('double')) {
    const [x, y] = [Number(a), Number(b)];
    return new Double(operation === 'add' ? x + y : x * y);
  }
  const [x, y] = [BigInt(a as number | bigint), BigInt(b as number | bigint)];
  const result = operation === 'add' ? x + y : x * y;
  if (result < -int64Limit || result >= int64Limit) return undefined;
  const staysInt = !types.includes('long') && result >= -int32Limit && result < int32Limit;
  return staysInt ? new Int32(Number(result)) : Long.fromBigInt(result);
}

function combineDecimals(left: number | bigint | Decimal128, right: number | bigint | Decimal128, operation: string) {
  const parts = [left, right].map((value) => {
    const decimal =
      value instanceof Decimal128
        ? value
        : Decimal128.fromStringWithRounding(typeof value === 'number' ? value.toPrecision(15) : String(value));
    return decimalParts(decimal);
  });
  const [a, b] = parts;
  if (a === undefined || b === undefined || typeof a === 'number' || typeof b === 'number') {
    throw new CommandError('NotImplemented', 'arithmetic with a decimal NaN or Infinity is not implemented');
  }
  if (operation === 'multiply') {
    return Decimal128.fromStringWithRounding(`${a.coefficient * b.coefficient}E${a.exponent + b.exponent}`);
  }
  const exponent = Math.min(a.exponent, b.exponent);
  const sum =
    a.coefficient * 10n ** BigInt(a.exponent - exponent) + b.coefficient * 10n ** BigInt(b.exponent - exponent);
  return Decimal128.fromStringWithRounding(`${sum}E${exponent}`);
}
