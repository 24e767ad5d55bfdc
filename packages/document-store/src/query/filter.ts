// Filters: MongoDB's query language on the bytes of documents.
import { compareValues, equalValues } from '../bson/compare.ts';
import { describe } from '../bson/describe.ts';
import { isNaNValue, isTruthy } from '../bson/numbers.ts';
import { bsonTypes, typeOfAlias } from '../bson/types.ts';
import {
  type BsonValue,
  elementsOf,
  type Field,
  fieldOf,
  fieldsOf,
  isArray,
  isObject,
  stringOf,
  textOf,
} from '../bson/value.ts';
import { CommandError } from '../errors.ts';
import { identityOf } from '../index/index-key.ts';
import { firstPart, type Path, parsePath } from './path.ts';

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

function equalTest(operand: BsonValue): ValueTest {
  if (operand.type === bsonTypes.null) return isNullish;
  const { order } = operand;
  return (value) => value?.order === order && equalValues(value, operand);
}

function comparisonTest(operator: string, operand: BsonValue): ValueTest {
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

function inTest(operand: BsonValue): ValueTest {
  if (!isArray(operand)) bad('$in needs an array');
  // A set of index keys: one look-up for a value, however long the list is.
  const identities = new Set<string>();
  let hasNull = false;
  for (const value of elementsOf(operand)) {
    if (isOperatorDocument(value)) bad('cannot nest $ under $in');
    if (value.type === bsonTypes.null) hasNull = true;
    else identities.add(identityOf(value));
  }
  return (value) => (value === undefined || isNullish(value) ? hasNull : identities.has(identityOf(value)));
}

function typeTest(operand: BsonValue): ValueTest {
  const type = typeOfAlias(stringOf(operand)) ?? bad(`Unknown type name alias: ${describe(operand)}`);
  return (value) => value?.type === type;
}

/** Only texts without operators, as the service escapes them: every backslash is before one. */
function regexTest(operand: BsonValue): ValueTest {
  const pattern = stringOf(operand) ?? bad('$regex has to be a string');
  if (!/^(?:[^\\^$.*+?()[\]{}|]|\\[\\^$.*+?()[\]{}|])*$/.test(pattern))
    throw new CommandError('NotImplemented', `the regular expression ${pattern} is not an escaped text`);
  const text = pattern.replaceAll(/\\(.)/gs, '$1');
  return (value) => value?.type === bsonTypes.string && textOf(value).includes(text);
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
  const tests = fieldsOf(operators).map(({ name, value }) => compileOperator(name, value, reach));
  return (subject) => tests.every((test) => test(subject));
}

function compileOperator<Subject>(
  operator: string,
  operand: BsonValue,
  reach: Reach<Subject>,
): (subject: Subject) => boolean {
  const not = (test: (subject: Subject) => boolean) => (subject: Subject) => !test(subject);
  switch (operator) {
    case '$eq':
      return reach(equalTest(operand), true);
    case '$ne':
      return not(reach(equalTest(operand), true));
    case '$gt':
    case '$gte':
    case '$lt':
    case '$lte':
      return reach(comparisonTest(operator, operand), true);
    case '$in':
      return reach(inTest(operand), true);
    case '$not':
      if (!isOperatorDocument(operand)) bad('$not needs a document');
      return not(compileOperators(operand, reach));
    case '$exists': {
      const exists = reach((value) => value !== undefined, false);
      return isTruthy(operand) ? exists : not(exists);
    }
    case '$type':
      return reach(typeTest(operand), true);
    case '$regex':
      return reach(regexTest(operand), true);
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

/** The filters of `$and` or `$or`. */
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
    case '$or': {
      const tests = branchesOf(name, value).map((branch) => compileTest(branch, names));
      return (document) => (name === '$and' ? tests.every : tests.some).call(tests, (test) => test(document));
    }
    default:
  }
  if (name.startsWith('$')) bad(`unknown top level operator: ${name}`);
  names.add(firstPart(name));
  const reach = reachByPath(name);
  if (isOperatorDocument(value)) return compileOperators(value, reach);
  return reach(equalTest(value), true);
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

/** Compiles the condition of `$pull`, which tests the elements of an array: a filter or a value. */
export function compileElementTest(condition: BsonValue): (element: BsonValue) => boolean {
  if (!isObject(condition)) return (value) => equalValues(value, condition);
  if (isOperatorDocument(condition)) bad('operators on the elements themselves are not implemented in $pull');
  const { matches } = compileFilter(condition);
  return (value) => isObject(value) && matches(value);
}
