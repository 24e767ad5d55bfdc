// MongoDB's update operators on unpromoted values, each with its own refusals. mingo has them without exact int64, without
// `$setOnInsert`, and without MongoDB's error codes.
import { Int32, Long, Timestamp } from 'bson';
import {
  type BsonDocument,
  combineNumbers,
  compareValues,
  describe,
  equalValues,
  isDocument,
  isNumeric,
  toInteger,
  toNative,
  typeOf,
} from './bson-values.ts';
import { CommandError } from './errors.ts';
import { compileFilter, compileValueTest, isValueCondition } from './matcher.ts';
import { cloneValue } from './raw-document.ts';
import { compareByFields, parseSort, sortValue } from './sort-order.ts';

/** A change of one value: from what stands there (`undefined`: nothing) to what shall; `remove` takes the field away. */
export type Change = (current: unknown, document: BsonDocument) => unknown;

export const remove = Symbol('remove');
/** Leaves everything as it is, without creating the path. */
export const keep = Symbol('keep');

function bad(message: string): never {
  throw new CommandError('BadValue', message);
}

function mismatch(message: string): never {
  throw new CommandError('TypeMismatch', message);
}

function arithmetic(operator: '$inc' | '$mul', operand: unknown, path: string): Change {
  if (!isNumeric(operand)) {
    mismatch(
      `Cannot ${operator === '$inc' ? 'increment' : 'multiply'} with non-numeric argument: {${path}: ${describe(operand)}}`,
    );
  }
  return (current, document) => {
    if (current === undefined) return operator === '$inc' ? operand : combineNumbers(operand, new Int32(0), 'multiply');
    if (!isNumeric(current)) {
      mismatch(
        `Cannot apply ${operator} to a value of non-numeric type. {_id: ${describe(document._id)}} has the field '${path.split('.').at(-1)}' of non-numeric type ${typeOf(current)}`,
      );
    }
    const result = combineNumbers(current, operand, operator === '$inc' ? 'add' : 'multiply');
    if (result === undefined) {
      bad(
        `Failed to apply ${operator} operations to current value ((NumberLong)${describe(current)}) for document {_id: ${describe(document._id)}}`,
      );
    }
    return result;
  };
}

function arrayFor(operator: string, current: unknown, document: BsonDocument, path: string): unknown[] {
  if (current === undefined) return [];
  if (!Array.isArray(current)) {
    const message = `The field '${path}' must be an array but is of type ${typeOf(current)} in document {_id: ${describe(document._id)}}`;
    if (operator === '$push' || operator === '$addToSet') bad(message);
    bad(
      operator === '$pop'
        ? `Path '${path}' contains an element of non-array type '${typeOf(current)}'`
        : `Cannot apply ${operator} to a non-array value`,
    );
  }
  return [...current];
}

function modifiersOf(operator: string, operand: unknown, allowed: readonly string[]): BsonDocument | undefined {
  if (!isDocument(operand) || !Object.hasOwn(operand, '$each')) {
    if (isDocument(operand) && Object.keys(operand).some((name) => allowed.includes(name)))
      bad(`The ${operator} modifiers need $each`);
    return undefined;
  }
  for (const name of Object.keys(operand)) {
    if (!allowed.includes(name)) bad(`Unrecognized clause in ${operator}: ${name}`);
  }
  if (!Array.isArray(operand.$each))
    mismatch(`The argument to $each in ${operator} must be an array but it was of type: ${typeOf(operand.$each)}`);
  return operand;
}

function push(operand: unknown, path: string): Change {
  const modifiers = modifiersOf('$push', operand, ['$each', '$slice', '$sort', '$position']);
  const added = modifiers ? (modifiers.$each as unknown[]) : [operand];
  const integer = (name: string): number | undefined => {
    if (modifiers?.[name] === undefined) return undefined;
    return (
      toInteger(modifiers[name]) ??
      bad(`The value for ${name} must be an integer value but was given type: ${typeOf(modifiers[name])}`)
    );
  };
  const slice = integer('$slice');
  const position = integer('$position');
  const sort = modifiers?.$sort;
  const fields = isDocument(sort) ? parseSort(sort) : undefined;
  const direction = fields || sort === undefined ? undefined : toInteger(sort);
  if (sort !== undefined && !fields && direction !== 1 && direction !== -1) {
    bad('The $sort element value must be either 1 or -1');
  }
  return (current, document) => {
    const values = arrayFor('$push', current, document, path);
    const at = position === undefined ? values.length : position < 0 ? Math.max(0, values.length + position) : position;
    values.splice(at, 0, ...added);
    if (fields) {
      const compare = compareByFields(fields);
      const keyed = values.map((value) => ({
        value,
        keys: fields.map((field) => sortValue(isDocument(value) ? value : {}, field)),
      }));
      keyed.sort((left, right) => compare(left.keys, right.keys));
      values.splice(0, values.length, ...keyed.map(({ value }) => value));
    } else if (direction !== undefined) values.sort((left, right) => compareValues(left, right) * direction);
    if (slice === undefined) return values;
    return slice < 0 ? values.slice(slice) : values.slice(0, slice);
  };
}

function addToSet(operand: unknown, path: string): Change {
  const modifiers = modifiersOf('$addToSet', operand, ['$each']);
  const added = modifiers ? (modifiers.$each as unknown[]) : [operand];
  return (current, document) => {
    const values = arrayFor('$addToSet', current, document, path);
    const before = values.length;
    for (const value of added) if (!values.some((known) => equalValues(known, value))) values.push(value);
    return current !== undefined && values.length === before ? keep : values;
  };
}

function pull(operand: unknown, path: string): Change {
  let matches: (value: unknown) => boolean;
  if (isDocument(operand) && !isValueCondition(operand)) {
    const filter = compileFilter(operand);
    matches = (value) => isDocument(value) && filter.matches(value);
  } else matches = compileValueTest(operand);
  return (current, document) => {
    if (current === undefined) return keep;
    const values = arrayFor('$pull', current, document, path);
    const kept = values.filter((value) => !matches(value));
    return kept.length === values.length ? keep : kept;
  };
}

function pullAll(operand: unknown, path: string): Change {
  if (!Array.isArray(operand)) bad('$pullAll requires an array argument but was given a different type');
  return (current, document) => {
    if (current === undefined) return keep;
    const values = arrayFor('$pullAll', current, document, path);
    const kept = values.filter((value) => !operand.some((unwanted) => equalValues(value, unwanted)));
    return kept.length === values.length ? keep : kept;
  };
}

function pop(operand: unknown, path: string): Change {
  const side = toInteger(operand);
  if (side !== 1 && side !== -1)
    throw new CommandError('FailedToParse', `$pop expects 1 or -1, found: ${describe(operand)}`);
  return (current, document) => {
    if (current === undefined) return keep;
    if (!Array.isArray(current)) mismatch(`Path '${path}' contains an element of non-array type '${typeOf(current)}'`);
    const values = arrayFor('$pop', current, document, path);
    if (values.length === 0) return keep;
    return side === 1 ? values.slice(0, -1) : values.slice(1);
  };
}

function currentDate(operand: unknown): Change {
  const type = isDocument(operand) ? operand.$type : typeof operand === 'boolean' ? 'date' : undefined;
  if (type === 'date') return () => new Date();
  if (type === 'timestamp') return () => new Timestamp({ t: Math.floor(Date.now() / 1000), i: 1 });
  return bad("$currentDate takes a boolean or {$type: 'date'} or {$type: 'timestamp'}");
}

function bit(operand: unknown): Change {
  if (!isDocument(operand) || Object.keys(operand).length === 0)
    bad('The $bit modifier needs an object with and, or, xor');
  return (current) => {
    const given = current === undefined ? new Int32(0) : current;
    const isInteger = (value: unknown): boolean => typeOf(value) === 'int' || typeOf(value) === 'long';
    if (!isInteger(given)) bad(`Cannot apply $bit to a value of non-integral type ${typeOf(given)}`);
    let isLong = typeOf(given) === 'long';
    let bits = BigInt(toNative(given) as number | bigint);
    for (const [name, value] of Object.entries(operand)) {
      if (!isInteger(value))
        bad(`The $bit modifier field must be an Integer(32/64 bit); a '${typeOf(value)}' is not supported here`);
      isLong ||= typeOf(value) === 'long';
      const mask = BigInt(toNative(value) as number | bigint);
      if (name === 'and') bits &= mask;
      else if (name === 'or') bits |= mask;
      else if (name === 'xor') bits ^= mask;
      else bad(`The $bit modifier only supports 'and', 'or', and 'xor', not '${name}'`);
    }
    return isLong ? Long.fromBigInt(bits) : new Int32(Number(bits));
  };
}

function extreme(operand: unknown, wanted: 1 | -1): Change {
  return (current) => (current === undefined || compareValues(operand, current) * wanted > 0 ? operand : keep);
}

/** The change that one operator makes; refuses malformed operands and unknown operators. `$rename` is made elsewhere. */
export function changeFor(operator: string, operand: unknown, path: string): Change {
  switch (operator) {
    case '$set':
    case '$setOnInsert':
      return () => cloneValue(operand);
    case '$unset':
      return (current) => (current === undefined ? keep : remove);
    case '$inc':
    case '$mul':
      return arithmetic(operator, operand, path);
    case '$min':
      return extreme(operand, -1);
    case '$max':
      return extreme(operand, 1);
    case '$push':
      return push(operand, path);
    case '$addToSet':
      return addToSet(operand, path);
    case '$pull':
      return pull(operand, path);
    case '$pullAll':
      return pullAll(operand, path);
    case '$pop':
      return pop(operand, path);
    case '$currentDate':
      return currentDate(operand);
    case '$bit':
      return bit(operand);
    default:
      throw new CommandError(
        'FailedToParse',
        `Unknown modifier: ${operator}. Expected a valid update modifier or pipeline-style update specified as an array`,
      );
  }
}
