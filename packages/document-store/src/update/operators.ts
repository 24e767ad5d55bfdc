// The update operators: how each changes the value at its path, and which operands it refuses.
import { describe } from '../bson/describe.ts';
import { encodeValue } from '../bson/encode.ts';
import { addNumbers, isNumeric } from '../bson/numbers.ts';
import { typeName } from '../bson/types.ts';
import { type BsonValue, elementsOf, fieldsOf, isArray, isObject } from '../bson/value.ts';
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

function elementsFor(current: BsonValue | undefined, id: BsonValue | undefined, path: string): BsonValue[] {
  if (current && !isArray(current))
    bad(
      `The field '${path}' must be an array but is of type ${typeName(current.type)} in document {_id: ${describe(id)}}`,
    );
  return current ? elementsOf(current) : [];
}

/** One value, or those of `$each`. */
function push(operand: BsonValue, path: string): Change {
  const [first, ...others] = isObject(operand) ? fieldsOf(operand) : [];
  const each = first?.name === '$each' ? first.value : undefined;
  if (first?.name.startsWith('$') && (!each || others.length > 0))
    throw new CommandError('NotImplemented', `the modifiers of $push are not implemented, but for $each: '${path}'`);
  if (each && !isArray(each)) mismatch('The argument to $each in $push must be an array');
  const added = each ? elementsOf(each) : [operand];
  return (current, id) => encodeValue([...elementsFor(current, id, path), ...added]);
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

export const operators: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ['$set', { compile: (operand) => () => operand, creates: true }],
  ['$setOnInsert', { compile: (operand) => () => operand, creates: true, onInsertOnly: true }],
  ['$unset', { compile: () => () => 'remove', creates: false }],
  ['$inc', { compile: increment, creates: true }],
  ['$push', { compile: push, creates: true }],
  ['$pull', { compile: pull, creates: false }],
]);
