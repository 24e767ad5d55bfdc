// Aggregation expressions and accumulators, evaluated by mingo, with our own comparison, arithmetic and conversion in place
// of what mingo does not know: BSON's type order, int64, decimal. What is not listed is refused with MongoDB's code.
// Values here are promoted: int32 and double are numbers, int64 is a bigint. Most of the file is the
// table of operators.
import { Decimal128, Long, ObjectId } from 'bson';
import { Context, evalExpr } from 'mingo/core';
import * as accumulatorOperators from 'mingo/operators/accumulator';
import * as expressionOperators from 'mingo/operators/expression';
import type { Options } from 'mingo/types';
import {
  type BsonDocument,
  combineNumbers,
  compareValues,
  describe,
  equalValues,
  isDocument,
  isNumeric,
  isTruthy,
  toNative,
  typeOf,
} from './bson-values.ts';
import { CommandError } from './errors.ts';

type Expression = (document: unknown, argument: unknown, options: Options) => unknown;
type Accumulator = (documents: unknown[], argument: unknown, options: Options) => unknown;

const fromMingo = [
  '$literal $arrayElemAt $arrayToObject $concatArrays $filter $first $last $isArray $map $range $reduce $reverseArray $size $slice',
  '$zip $ifNull $switch $dateAdd $dateDiff $dateFromParts $dateFromString $dateSubtract $dateToParts $dateToString $dateTrunc',
  '$dayOfMonth $dayOfWeek $dayOfYear $hour $isoDayOfWeek $isoWeek $isoWeekYear $millisecond $minute $month $second $week $year',
  '$getField $setField $unsetField $mergeObjects $objectToArray $allElementsTrue $anyElementTrue $concat $indexOfBytes $ltrim',
  '$regexFind $regexFindAll $regexMatch $replaceAll $replaceOne $rtrim $split $strLenBytes $strLenCP $substr $substrBytes',
  '$substrCP $toLower $toUpper $trim $let $toBool $toDate',
].flatMap((line) => line.split(' '));

/** Work on doubles: int64 takes part when a double holds it exactly, decimals do not. */
const onDoubles = '$abs $ceil $divide $exp $floor $ln $log $log10 $mod $pow $round $sqrt $trunc'.split(' ');

const accumulatorsFromMingo = '$first $last $count $mergeObjects $firstN $lastN $stdDevPop $stdDevSamp'.split(' ');

/** Accumulators that also work on the elements of an array, as expressions. */
const accumulatingExpressions = new Set('$sum $avg $min $max $stdDevPop $stdDevSamp'.split(' '));

function typeMismatch(message: string): never {
  throw new CommandError('TypeMismatch', message);
}

function promoted(value: unknown): unknown {
  return Long.isLong(value) ? value.toBigInt() : (toNative(value) ?? value);
}

/** Turns unpromoted values into the promoted ones that expressions work on. */
export function promote(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(promote);
  if (isDocument(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, promote(field)]));
  }
  const type = typeOf(value);
  return type === 'int' || type === 'double' || type === 'long' ? promoted(value) : value;
}

function argumentsOf(document: unknown, argument: unknown, options: Options): unknown[] {
  const value = evalExpr(document, argument, options);
  return Array.isArray(argument) ? (value as unknown[]) : [value];
}

function isMissing(value: unknown): boolean {
  return value === null || value === undefined;
}

function comparison(name: string, decide: (order: number) => unknown): Expression {
  return (document, argument, options) => {
    const [left, right, ...more] = argumentsOf(document, argument, options);
    if (more.length > 0 || (argument as unknown[]).length !== 2)
      throw new CommandError(16020, `Expression ${name} takes exactly 2 arguments.`);
    return decide(compareValues(left, right));
  };
}

function arithmetic(name: string, operation: 'add' | 'multiply'): Expression {
  return (document, argument, options) => {
    let total: unknown = operation === 'add' ? 0 : 1;
    let date: Date | undefined;
    const values = argumentsOf(document, argument, options);
    if (values.some(isMissing)) return null;
    for (const value of values) {
      if (value instanceof Date && operation === 'add') {
        if (date) throw new CommandError(16612, 'only one date allowed in an $add expression');
        date = value;
      } else if (isNumeric(value)) {
        total =
          combineNumbers(total, value, operation) ??
          combineNumbers(Number(toNative(total)), Number(toNative(value)), operation);
      } else typeMismatch(`${name} only supports numeric or date types, not ${typeOf(value)}`);
    }
    return date ? new Date(date.getTime() + Number(toNative(total))) : promoted(total);
  };
}

const subtract: Expression = (document, argument, options) => {
  const [left, right] = argumentsOf(document, argument, options);
  if (isMissing(left) || isMissing(right)) return null;
  if (left instanceof Date) {
    if (right instanceof Date) return BigInt(left.getTime() - right.getTime());
    if (isNumeric(right)) return new Date(left.getTime() - Number(toNative(right)));
  }
  if (!isNumeric(left) || !isNumeric(right)) typeMismatch(`can't $subtract ${typeOf(right)} from ${typeOf(left)}`);
  const negated = combineNumbers(right, -1, 'multiply');
  return promoted(combineNumbers(left, negated, 'add') ?? Number(toNative(left)) - Number(toNative(right)));
};

function asDouble(name: string, value: unknown): unknown {
  if (value instanceof Decimal128) throw new CommandError('NotImplemented', `${name} on a decimal is not implemented`);
  if (typeof value !== 'bigint') return value;
  if (!Number.isSafeInteger(Number(value)))
    throw new CommandError('NotImplemented', `${name} on ${value} is not implemented`);
  return Number(value);
}

function mingoExpression(name: string): Expression {
  const operator = (expressionOperators as unknown as Record<string, Expression | undefined>)[name];
  if (!operator) throw new Error(`mingo has no ${name}`);
  return operator;
}

function doubles(name: string): Expression {
  const operator = mingoExpression(name);
  return (document, argument, options) => {
    const given = argumentsOf(document, argument, options).map((value) => asDouble(name, value));
    if (given[1] === 0 && name === '$divide') throw new CommandError('BadValue', "can't $divide by zero");
    if (given[1] === 0 && name === '$mod') throw new CommandError(16610, "can't $mod by zero");
    const values = given.map((value) => ({ $literal: value }));
    return operator(document, Array.isArray(argument) ? values : values[0], options);
  };
}

/** mingo truncates in UTC whatever the time zone says, so only UTC is let through. */
const dateTrunc: Expression = (document, argument, options) => {
  const { timezone, ...rest } = argument as BsonDocument;
  const zone = timezone === undefined ? 'UTC' : evalExpr(document, timezone, options);
  if (!['UTC', 'GMT', 'Etc/UTC', 'Z', '+00:00', '+0000'].includes(String(zone))) {
    throw new CommandError('NotImplemented', `$dateTrunc in the time zone ${String(zone)} is not implemented`);
  }
  return mingoExpression('$dateTrunc')(document, rest, options);
};

function conversion(name: string, convert: (value: unknown) => unknown): Expression {
  return (document, argument, options) => {
    const [value] = argumentsOf(document, argument, options);
    if (isMissing(value)) return null;
    try {
      return convert(value);
    } catch (error) {
      throw new CommandError(
        241,
        `Failed to convert ${describe(value)} by ${name}: ${error instanceof Error ? error.message : ''}`,
      );
    }
  };
}

function toWhole(value: unknown): bigint {
  if (typeof value === 'string') return BigInt(value);
  if (value instanceof Date) return BigInt(value.getTime());
  if (typeof value === 'boolean') return value ? 1n : 0n;
  const native = toNative(value);
  if (native === undefined) throw new TypeError(`unsupported type ${typeOf(value)}`);
  return typeof native === 'bigint' ? native : BigInt(Math.trunc(Number(native)));
}

function toDouble(value: unknown): number {
  const number =
    typeof value === 'string'
      ? Number(value.trim() === '' ? Number.NaN : value)
      : Number(value instanceof Date ? value.getTime() : typeof value === 'boolean' ? value : toNative(value));
  if (Number.isNaN(number)) throw new TypeError('not a number');
  return number;
}

function toText(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  if (['string', 'bool', 'int', 'long', 'double', 'decimal', 'objectId'].includes(typeOf(value))) return String(value);
  throw new TypeError(`unsupported type ${typeOf(value)}`);
}

function arraysOf(name: string, document: unknown, argument: unknown, options: Options): unknown[][] | null {
  const values = argumentsOf(document, argument, options);
  if (values.some(isMissing)) return null;
  if (!values.every((value) => Array.isArray(value)))
    throw new CommandError(17043, `All operands of ${name} must be arrays.`);
  return values as unknown[][];
}

function distinct(values: readonly unknown[]): unknown[] {
  return values
    .toSorted(compareValues)
    .filter((value, index, all) => index === 0 || !equalValues(value, all[index - 1]));
}

const includes = (values: readonly unknown[], wanted: unknown): boolean =>
  values.some((value) => equalValues(value, wanted));

function sets(name: string, combine: (first: unknown[], others: unknown[][]) => unknown): Expression {
  return (document, argument, options) => {
    const arrays = arraysOf(name, document, argument, options);
    return arrays && combine(arrays[0] ?? [], arrays.slice(1));
  };
}

const own: Record<string, Expression> = {
  $eq: comparison('$eq', (order) => order === 0),
  $ne: comparison('$ne', (order) => order !== 0),
  $gt: comparison('$gt', (order) => order > 0),
  $gte: comparison('$gte', (order) => order >= 0),
  $lt: comparison('$lt', (order) => order < 0),
  $lte: comparison('$lte', (order) => order <= 0),
  $cmp: comparison('$cmp', Math.sign),
  $add: arithmetic('$add', 'add'),
  $multiply: arithmetic('$multiply', 'multiply'),
  $subtract: subtract,
  $dateTrunc: dateTrunc,
  $and: (document, argument, options) => argumentsOf(document, argument, options).every(isTruthy),
  $or: (document, argument, options) => argumentsOf(document, argument, options).some(isTruthy),
  $not: (document, argument, options) => !isTruthy(argumentsOf(document, argument, options)[0]),
  $cond: (document, argument, options) => {
    const [condition, yes, no] = Array.isArray(argument)
      ? argument
      : [(argument as BsonDocument).if, (argument as BsonDocument).then, (argument as BsonDocument).else];
    const chosen = isTruthy(evalExpr(document, condition, options)) ? yes : no;
    return evalExpr(document, chosen as BsonDocument, options);
  },
  $in: (document, argument, options) => {
    const [wanted, values] = argumentsOf(document, argument, options);
    if (!Array.isArray(values)) throw new CommandError(40081, '$in requires an array as a second argument');
    return includes(values, wanted);
  },
  $indexOfArray: (document, argument, options) => {
    const [values, wanted, start = 0, end] = argumentsOf(document, argument, options);
    if (isMissing(values)) return null;
    if (!Array.isArray(values)) throw new CommandError(40090, '$indexOfArray requires an array as a first argument');
    const last = end === undefined ? values.length : Number(end);
    return values.findIndex((value, index) => index >= Number(start) && index < last && equalValues(value, wanted));
  },
  $setUnion: sets('$setUnion', (first, others) => distinct([first, ...others].flat())),
  $setIntersection: sets('$setIntersection', (first, others) =>
    distinct(first.filter((value) => others.every((other) => includes(other, value)))),
  ),
  $setDifference: sets('$setDifference', (first, others) =>
    distinct(first.filter((value) => !includes(others[0] ?? [], value))),
  ),
  $setIsSubset: sets('$setIsSubset', (first, others) => first.every((value) => includes(others[0] ?? [], value))),
  $setEquals: sets('$setEquals', (first, others) =>
    others.every(
      (other) => first.every((value) => includes(other, value)) && other.every((value) => includes(first, value)),
    ),
  ),
  $type: (document, argument, options) => {
    const [value] = argumentsOf(document, argument, options);
    return value === undefined ? 'missing' : typeOf(value);
  },
  $isNumber: (document, argument, options) => isNumeric(argumentsOf(document, argument, options)[0]),
  $toObjectId: conversion('$toObjectId', (value) =>
    value instanceof ObjectId ? value : ObjectId.createFromHexString(String(value)),
  ),
  $toString: conversion('$toString', toText),
  $toLong: conversion('$toLong', toWhole),
  $toInt: conversion('$toInt', (value) => {
    const whole = toWhole(value);
    if (BigInt.asIntN(32, whole) !== whole) throw new RangeError('out of range');
    return Number(whole);
  }),
  $toDouble: conversion('$toDouble', toDouble),
  $toDecimal: conversion('$toDecimal', (value) =>
    value instanceof Decimal128 ? value : Decimal128.fromString(String(toNative(value) ?? value)),
  ),
};

function valuesOf(documents: unknown[], argument: unknown, options: Options): unknown[] {
  const { $push } = accumulatorOperators as unknown as { $push: Accumulator };
  return $push(documents, argument, options) as unknown[];
}

/** Unlike mingo's `$push`, which stands null in for what is missing, MongoDB leaves it out. */
function presentValues(documents: unknown[], argument: unknown, options: Options): unknown[] {
  const values = documents.map((document): unknown => evalExpr(document, argument, options));
  return values.filter((value) => value !== undefined);
}

function extreme(sign: 1 | -1): Accumulator {
  return (documents, argument, options) => {
    const values = valuesOf(documents, argument, options).filter((value) => !isMissing(value));
    return (
      values.reduce(
        (best, value) => (best === undefined || compareValues(value, best) * sign > 0 ? value : best),
        undefined,
      ) ?? null
    );
  };
}

const ownAccumulators: Record<string, Accumulator> = {
  $sum: (documents, argument, options) => {
    const values = valuesOf(documents, argument, options).filter(isNumeric);
    return promoted(
      values.reduce(
        (total, value) =>
          combineNumbers(total, value, 'add') ??
          combineNumbers(Number(toNative(total)), Number(toNative(value)), 'add'),
        0,
      ),
    );
  },
  $avg: (documents, argument, options) => {
    const values = valuesOf(documents, argument, options).filter(isNumeric);
    if (values.some((value) => value instanceof Decimal128))
      throw new CommandError('NotImplemented', '$avg of decimals is not implemented');
    return values.length === 0
      ? null
      : values.reduce<number>((total, value) => total + Number(toNative(value)), 0) / values.length;
  },
  $min: extreme(-1),
  $max: extreme(1),
  $push: presentValues,
  $addToSet: (documents, argument, options) => distinct(presentValues(documents, argument, options)),
};

const table: Record<string, Expression> = {
  ...Object.fromEntries(fromMingo.map((name) => [name, mingoExpression(name)])),
  ...Object.fromEntries(onDoubles.map((name) => [name, doubles(name)])),
  ...own,
};

const accumulatorTable: Record<string, Accumulator> = {
  ...Object.fromEntries(
    accumulatorsFromMingo.map((name) => {
      const operator = (accumulatorOperators as unknown as Record<string, Accumulator | undefined>)[name];
      if (!operator) throw new Error(`mingo has no ${name}`);
      return [name, operator];
    }),
  ),
  ...ownAccumulators,
};

export const mingoOptions: Partial<Options> = {
  scriptEnabled: false,
  context: Context.init({
    expression: table,
    accumulator: accumulatorTable,
  }),
};

export function isAccumulator(name: string): boolean {
  return Object.hasOwn(accumulatorTable, name);
}

/** Refuses operators that are not implemented, wherever in the expression they stand. */
export function validateExpression(expression: unknown): void {
  if (Array.isArray(expression)) {
    for (const part of expression) validateExpression(part);
    return;
  }
  if (!isDocument(expression)) return;
  for (const [name, argument] of Object.entries(expression)) {
    if (name === '$literal') continue;
    if (name.startsWith('$')) {
      if (!Object.hasOwn(table, name) && !accumulatingExpressions.has(name)) {
        throw new CommandError('InvalidPipelineOperator', `Unrecognized expression '${name}'`);
      }
      if (Object.keys(expression).length > 1) {
        throw new CommandError(
          15983,
          `an expression specification must contain exactly one field, the name of the expression; found: ${Object.keys(expression).join(', ')}`,
        );
      }
    }
    validateExpression(argument);
  }
}

/** Evaluates an expression on promoted values; mingo's complaints become MongoDB's BadValue. */
export function evaluate(expression: unknown, document: unknown, options: Partial<Options> = mingoOptions): unknown {
  try {
    return evalExpr(document, expression, options as Options);
  } catch (error) {
    throw error instanceof CommandError
      ? error
      : new CommandError('BadValue', error instanceof Error ? error.message : String(error));
  }
}

/** Evaluates an expression on a document as the store holds it. */
export function evaluateExpression(expression: unknown, document: BsonDocument): unknown {
  return evaluate(promote(expression), promote(document));
}

/** Applies one accumulator to the documents of a group. */
export function accumulate(name: string, argument: unknown, documents: unknown[], options: Partial<Options>): unknown {
  const accumulator = accumulatorTable[name];
  if (!accumulator) throw new CommandError(15952, `unknown group operator '${name}'`);
  try {
    return accumulator(documents, argument, options as Options);
  } catch (error) {
    throw error instanceof CommandError
      ? error
      : new CommandError('BadValue', error instanceof Error ? error.message : String(error));
  }
}
