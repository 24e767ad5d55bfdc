// The update operators: how each changes the value at its path, and which operands it refuses.
import { compareValues, equalValues } from '../bson/compare.ts';
import { describe } from '../bson/describe.ts';
import { encodeValue } from '../bson/encode.ts';
import { addNumbers, integerOf, isNumeric } from '../bson/numbers.ts';
import { typeName } from '../bson/types.ts';
import { type BsonValue, elementsOf, type Field, fieldsOf, isArray, isObject } from '../bson/value.ts';
import { CommandError } from '../errors.ts';
import { compileElementTest } from '../query/filter.ts';
import type { Outcome } from './document-tree.ts';

/**
 * Changes a value (`undefined`: missing). `id` is the `_id` of the document, for error messages.
 */
type Change = (current: BsonValue | undefined, id: BsonValue | undefined) => Outcome;

interface Operator {
  /** Returns the change for one path. Throws if the operand is malformed. */
  compile: (operand: BsonValue, path: string) => Change;
  /** Whether missing documents on the path are created. */
  creates: boolean;
  onInsertOnly?: boolean;
}

function bad(message: string): never {
  throw new CommandError('BadValue', message);
}

function mismatch(message: string): never {
  throw new CommandError('TypeMismatch', message);
}

function increment(operand: BsonValue, path: string): Change {
  if (!isNumeric(operand)) mismatch(`Cannot increment with non-numeric argument: {${path}: ${describe(operand)}}`);
  return (current, id) => {
    if (!current) return operand;
    if (!isNumeric(current))
      mismatch(
        `Cannot apply $inc to a value of non-numeric type. {_id: ${describe(id)}} has the field '${path.split('.').at(-1)}' of non-numeric type ${typeName(current.type)}`,
      );
    return (
      addNumbers(current, operand) ??
      bad(
        `Failed to apply $inc operations to current value ((NumberLong)${describe(current)}) for document {_id: ${describe(id)}}`,
      )
    );
  };
}

/** `$max` for 1, `$min` for -1. */
function extreme(sign: 1 | -1): Operator['compile'] {
  return (operand) => (current) => (!current || compareValues(operand, current) * sign > 0 ? operand : 'keep');
}

function elementsFor(current: BsonValue | undefined, id: BsonValue | undefined, path: string): BsonValue[] {
  if (current && !isArray(current))
    bad(
      `The field '${path}' must be an array but is of type ${typeName(current.type)} in document {_id: ${describe(id)}}`,
    );
  return current ? elementsOf(current) : [];
}

/**
 * The clauses of an operand with `$each`; `undefined` if the operand is itself the value to add.
 */
function clausesOf(operator: string, operand: BsonValue, allowed: readonly string[]): Field[] | undefined {
  const clauses = isObject(operand) ? fieldsOf(operand) : [];
  if (!clauses.some(({ name }) => name === '$each')) {
    if (clauses.some(({ name }) => allowed.includes(name))) bad(`The ${operator} modifiers need $each`);
    return undefined;
  }
  const unknown = clauses.find(({ name }) => name !== '$each' && !allowed.includes(name));
  if (unknown) bad(`Unrecognized clause in ${operator}: ${unknown.name}`);
  return clauses;
}

function addedValues(operator: string, operand: BsonValue, clauses: readonly Field[] | undefined): BsonValue[] {
  const each = clauses?.find(({ name }) => name === '$each')?.value;
  if (!each) return [operand];
  if (!isArray(each))
    mismatch(`The argument to $each in ${operator} must be an array but it was of type: ${typeName(each.type)}`);
  return elementsOf(each);
}

function push(operand: BsonValue, path: string): Change {
  const clauses = clausesOf('$push', operand, ['$slice', '$position']);
  const added = addedValues('$push', operand, clauses);
  const integer = (clause: string): number | undefined => {
    const value = clauses?.find(({ name }) => name === clause)?.value;
    if (!value) return undefined;
    return (
      integerOf(value) ??
      bad(`The value for ${clause} must be an integer value but was given type: ${typeName(value.type)}`)
    );
  };
  const slice = integer('$slice');
  const position = integer('$position');
  return (current, id) => {
    const values = elementsFor(current, id, path);
    values.splice(position ?? values.length, 0, ...added);
    if (slice === undefined) return encodeValue(values);
    return encodeValue(slice < 0 ? values.slice(slice) : values.slice(0, slice));
  };
}

function addToSet(operand: BsonValue, path: string): Change {
  const added = addedValues('$addToSet', operand, clausesOf('$addToSet', operand, []));
  return (current, id) => {
    const values = elementsFor(current, id, path);
    const before = values.length;
    for (const value of added) if (!values.some((known) => equalValues(known, value))) values.push(value);
    return current && values.length === before ? 'keep' : encodeValue(values);
  };
}

function pull(operand: BsonValue): Change {
  const matches = compileElementTest(operand);
  return (current) => {
    if (!current) return 'keep';
    if (!isArray(current)) bad('Cannot apply $pull to a non-array value');
    const values = elementsOf(current);
    const kept = values.filter((value) => !matches(value));
    return kept.length === values.length ? 'keep' : encodeValue(kept);
  };
}

/** All operators except `$rename`, which has two paths. */
export const operators: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ['$set', { compile: (operand) => () => operand, creates: true }],
  ['$setOnInsert', { compile: (operand) => () => operand, creates: true, onInsertOnly: true }],
  ['$unset', { compile: () => () => 'remove', creates: false }],
  ['$inc', { compile: increment, creates: true }],
  ['$min', { compile: extreme(-1), creates: true }],
  ['$max', { compile: extreme(1), creates: true }],
  ['$push', { compile: push, creates: true }],
  ['$addToSet', { compile: addToSet, creates: true }],
  ['$pull', { compile: pull, creates: false }],
]);
