// Filters: MongoDB's query language on the bytes of documents.
import { compareValues, equalValues } from '../bson/compare.ts';
import { describe } from '../bson/describe.ts';
import { integerOf, isNaNValue, isTruthy } from '../bson/numbers.ts';
import { bsonTypes, typeOrder, typesOfAlias } from '../bson/types.ts';
import {
  type BsonValue,
  elementsOf,
  type Field,
  fieldOf,
  fieldsOf,
  isArray,
  isObject,
  isRegex,
  regexParts,
  stringOf,
  textOf,
} from '../bson/value.ts';
import { CommandError } from '../errors.ts';
import { identityOf } from '../index/index-key.ts';
import { firstPart, type Path, parsePath } from './path.ts';
import { compileRegex } from './regex.ts';

export interface Filter {
  source: BsonValue;
  /** The top-level fields that the filter reads. */
  names: ReadonlySet<string>;
  matches: (document: BsonValue) => boolean;
}

type DocumentTest = (document: BsonValue) => boolean;
/** `undefined` is a missing value. */
type ValueTest = (value: BsonValue | undefined) => boolean;

function bad(message: string): never {
  throw new CommandError('BadValue', message);
}

/**
 * Tests the value at the end of a path and, if `opensArrays`, the elements of an array. One match
 * is enough.
 */
function meets(value: BsonValue | undefined, test: ValueTest, opensArrays: boolean): boolean {
  return test(value) || (opensArrays && isArray(value) && elementsOf(value).some(test));
}

/**
 * Tests the values that a path leads to, through arrays of documents. One match is enough. Where
 * the path ends early, the value is missing (`undefined`). An element that the path names by its
 * position is tested as a whole; if it is a plain value, the path ends there without a value,
 * missing or not.
 */
function reaches(value: BsonValue, path: Path, at: number, test: ValueTest, opensArrays: boolean): boolean {
  const part = path[at];
  if (!part) return meets(value, test, opensArrays);
  const isLast = at + 1 === path.length;
  if (isArray(value)) {
    const elements = elementsOf(value);
    const named = part.index === undefined ? undefined : elements[part.index];
    if (named) {
      if (isLast ? test(named) : (isObject(named) || isArray(named)) && reaches(named, path, at + 1, test, opensArrays))
        return true;
    }
    return elements.some((element) => isObject(element) && reaches(element, path, at, test, opensArrays));
  }
  const next = isObject(value) ? fieldOf(value, part.name) : undefined;
  return next ? reaches(next, path, at + 1, test, opensArrays) : test(undefined);
}

function isNullish(value: BsonValue | undefined): boolean {
  return value === undefined || value.type === bsonTypes.null || value.type === bsonTypes.undefined;
}

function refuseUndefined(operand: BsonValue): void {
  if (operand.type === bsonTypes.undefined) bad('cannot compare to undefined');
}

function regexTest(pattern: string, options: string): (value: BsonValue | undefined) => boolean {
  const expression = compileRegex(pattern, options);
  return (value) =>
    (value?.type === bsonTypes.string || value?.type === bsonTypes.symbol) && expression.test(textOf(value));
}

/** A regular expression matches strings, and itself. */
function patternTest(operand: BsonValue): ValueTest {
  const { pattern, options } = regexParts(operand);
  const test = regexTest(pattern, options);
  return (value) => test(value) || (isRegex(value) && equalValues(value, operand));
}

/** Under `$eq`, a regular expression is a value and not a pattern. */
function equalTest(operand: BsonValue): ValueTest {
  refuseUndefined(operand);
  if (operand.type === bsonTypes.null) return isNullish;
  const { order } = operand;
  return (value) => value?.order === order && equalValues(value, operand);
}

function comparisonTest(operator: string, operand: BsonValue): ValueTest {
  refuseUndefined(operand);
  if (isRegex(operand)) bad(`Can't have RegEx as arg to predicate over field with ${operator}.`);
  if (operand.type === bsonTypes.minKey || operand.type === bsonTypes.maxKey)
    throw new CommandError('NotImplemented', `${operator} with MinKey or MaxKey is not implemented`);
  const allowsEqual = operator.endsWith('e');
  const sign = operator.startsWith('$g') ? 1 : -1;
  if (operand.type === bsonTypes.null) return (value) => allowsEqual && isNullish(value);
  return (value) => {
    if (value?.order !== operand.order) return false;
    const difference = compareValues(value, operand);
    if (difference === 0) return allowsEqual;
    // NaN is neither above nor below any number.
    return Math.sign(difference) === sign && !isNaNValue(operand) && !isNaNValue(value);
  };
}

function inTest(operator: string, operand: BsonValue): ValueTest {
  if (!isArray(operand)) bad(`${operator} needs an array`);
  // A set of index keys: one look-up for a value, however long the list is.
  const identities = new Set<string>();
  const orders = new Set<number>();
  const patterns: ValueTest[] = [];
  let hasNull = false;
  for (const value of elementsOf(operand)) {
    refuseUndefined(value);
    if (isRegex(value)) patterns.push(patternTest(value));
    else if (isOperatorDocument(value)) bad(`cannot nest $ under ${operator}`);
    else if (value.type === bsonTypes.null) hasNull = true;
    else {
      identities.add(identityOf(value));
      orders.add(value.order);
    }
  }
  return (value) =>
    value === undefined || isNullish(value)
      ? hasNull
      : (orders.has(value.order) && identities.has(identityOf(value))) || patterns.some((test) => test(value));
}

function typeTest(operand: BsonValue): ValueTest {
  const aliases = isArray(operand) ? elementsOf(operand) : [operand];
  if (aliases.length === 0) throw new CommandError('FailedToParse', '$type must match at least one type');
  const types = new Set(
    aliases.flatMap((alias) => typesOfAlias(stringOf(alias) ?? integerOf(alias)) ?? unknownType(alias)),
  );
  return (value) => value !== undefined && types.has(value.type);
}

function unknownType(alias: BsonValue): never {
  return bad(
    alias.order === typeOrder.string
      ? `Unknown type name alias: ${textOf(alias)}`
      : `Invalid numerical type code: ${describe(alias)}`,
  );
}

function sizeTest(operand: BsonValue): ValueTest {
  const size = integerOf(operand);
  if (size === undefined) bad(`Failed to parse $size. Expected an integer in: $size: ${describe(operand)}`);
  if (size < 0) bad(`Failed to parse $size. Expected a non-negative number in: $size: ${size}`);
  return (value) => isArray(value) && elementsOf(value).length === size;
}

/**
 * An array within the array is tested as a document whose names are its positions, as it is in
 * BSON.
 */
function elementTest(operand: BsonValue): ValueTest {
  if (!isObject(operand)) bad('$elemMatch needs an Object');
  const matches = isValueCondition(operand)
    ? compileOperators<BsonValue>(operand, (test) => test)
    : compileFilter(operand).matches;
  const canMatch = isValueCondition(operand) ? () => true : (value: BsonValue) => isObject(value) || isArray(value);
  return (value) => isArray(value) && elementsOf(value).some((element) => canMatch(element) && matches(element));
}

function regexOperatorTest(operand: BsonValue, siblings: readonly Field[]): ValueTest {
  const { pattern, options } = isRegex(operand) ? regexParts(operand) : { pattern: stringOf(operand), options: '' };
  if (pattern === undefined) bad('$regex has to be a string');
  const separate = siblings.find(({ name }) => name === '$options')?.value;
  if (separate && options !== '') throw new CommandError(51075, 'options set in both $regex and $options');
  return regexTest(pattern, separate ? (stringOf(separate) ?? bad('$options has to be a string')) : options);
}

/** Applies a test of values to a subject, which is a document (by a path) or a value. */
type Reach<Subject> = (test: ValueTest, opensArrays: boolean) => (subject: Subject) => boolean;

function reachByPath(dotted: string): Reach<BsonValue> {
  const path = parsePath(dotted);
  const [first] = path;
  if (path.length === 1 && first)
    return (test, opensArrays) => (document) => meets(fieldOf(document, first.name), test, opensArrays);
  return (test, opensArrays) => (document) => reaches(document, path, 0, test, opensArrays);
}

/**
 * Compiles operators like `{$gt: 1, $lt: 5}`. One element of an array may match the first
 * and another the second.
 */
function compileOperators<Subject>(operators: BsonValue, reach: Reach<Subject>): (subject: Subject) => boolean {
  const fields = fieldsOf(operators);
  const tests = fields.flatMap(({ name, value }) => compileOperator(name, value, fields, reach) ?? []);
  return (subject) => tests.every((test) => test(subject));
}

function compileOperator<Subject>(
  operator: string,
  operand: BsonValue,
  siblings: readonly Field[],
  reach: Reach<Subject>,
): ((subject: Subject) => boolean) | undefined {
  const not = (test: (subject: Subject) => boolean) => (subject: Subject) => !test(subject);
  switch (operator) {
    case '$eq':
      return reach(equalTest(operand), true);
    case '$ne':
      if (isRegex(operand)) bad("Can't have regex as arg to $ne.");
      return not(reach(equalTest(operand), true));
    case '$gt':
    case '$gte':
    case '$lt':
    case '$lte':
      return reach(comparisonTest(operator, operand), true);
    case '$in':
      return reach(inTest(operator, operand), true);
    case '$nin':
      return not(reach(inTest(operator, operand), true));
    case '$not':
      if (isRegex(operand)) return not(reach(patternTest(operand), true));
      if (!isOperatorDocument(operand)) bad('$not needs a regex or a document');
      return not(compileOperators(operand, reach));
    case '$exists': {
      const exists = reach((value) => value !== undefined, false);
      return isTruthy(operand) ? exists : not(exists);
    }
    case '$type':
      return reach(typeTest(operand), true);
    case '$size':
      return reach(sizeTest(operand), false);
    case '$elemMatch':
      return reach(elementTest(operand), false);
    case '$regex':
      return reach(regexOperatorTest(operand, siblings), true);
    case '$options':
      if (!siblings.some(({ name }) => name === '$regex')) bad('$options needs a $regex');
      return undefined;
    default:
      return bad(`unknown operator: ${operator}`);
  }
}

/**
 * Whether the condition of a field consists of operators. If not, it is a value to compare with.
 */
export function isOperatorDocument(condition: BsonValue): boolean {
  return isObject(condition) && fieldsOf(condition)[0]?.name.startsWith('$') === true;
}

/**
 * Whether the operators of `$elemMatch` or `$pull` concern the element itself rather than its
 * fields.
 */
function isValueCondition(condition: BsonValue): boolean {
  return isOperatorDocument(condition) && !/^\$(and|or|nor)$/.test(fieldsOf(condition)[0]?.name ?? '');
}

/** The filters of `$and`, `$or` or `$nor`. */
export function branchesOf(operator: string, operand: BsonValue): BsonValue[] {
  if (!isArray(operand)) bad(`${operator} must be an array`);
  const branches = elementsOf(operand);
  if (branches.length === 0) bad(`${operator} argument must be a non-empty array`);
  if (!branches.every(isObject)) bad(`${operator} argument's entries must be objects`);
  return branches;
}

function compileField({ name, value }: Field, names: Set<string>): DocumentTest {
  switch (name) {
    case '$and':
    case '$or':
    case '$nor': {
      const tests = branchesOf(name, value).map((branch) => compileTest(branch, names));
      if (name === '$and') return (document) => tests.every((test) => test(document));
      const some: DocumentTest = (document) => tests.some((test) => test(document));
      return name === '$or' ? some : (document) => !some(document);
    }
    default:
  }
  if (name.startsWith('$')) bad(`unknown top level operator: ${name}`);
  names.add(firstPart(name));
  const reach = reachByPath(name);
  if (isOperatorDocument(value)) return compileOperators(value, reach);
  return reach(isRegex(value) ? patternTest(value) : equalTest(value), true);
}

function compileTest(filter: BsonValue, names: Set<string>): DocumentTest {
  const tests = fieldsOf(filter).map((field) => compileField(field, names));
  const [only] = tests;
  return only && tests.length === 1 ? only : (document) => tests.every((test) => test(document));
}

/** Compiles a filter. Throws MongoDB's error for everything that is not implemented. */
export function compileFilter(source: BsonValue): Filter {
  const names = new Set<string>();
  return { source, names, matches: compileTest(source, names) };
}

/** Compiles the condition of `$pull`, which tests the elements of an array. */
export function compileElementTest(condition: BsonValue): (element: BsonValue) => boolean {
  if (isValueCondition(condition))
    return compileOperators(condition, (test, opensArrays) => (value: BsonValue) => meets(value, test, opensArrays));
  if (isRegex(condition)) return patternTest(condition);
  if (!isObject(condition)) return (value) => equalValues(value, condition);
  const { matches } = compileFilter(condition);
  return (value) => isObject(value) && matches(value);
}
