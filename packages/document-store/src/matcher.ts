// Filters: MongoDB's query language over unpromoted BSON values. A function for every operator, over one way of walking
// paths.
import {
  type BsonDocument,
  compareValues,
  describe,
  equalValues,
  isDocument,
  isTruthy,
  orderOf,
  regexParts,
  toInteger,
  toJsNumber,
  toNative,
  typeOf,
  typesOfAlias,
} from './bson-values.ts';
import { CommandError } from './errors.ts';
import { identityOf } from './index-key.ts';
import { firstPart } from './paths.ts';

/** Where a filter met an array: what `$` in an update stands for. */
export interface MatchDetails {
  position?: number;
}

export interface Filter {
  /** Top-level fields that decide. */
  names: ReadonlySet<string>;
  matches(document: BsonDocument, details?: MatchDetails): boolean;
}

type Test = (document: BsonDocument, details: MatchDetails | undefined) => boolean;
type ValueTest = (value: unknown, details: MatchDetails | undefined) => boolean;

function bad(message: string): never {
  throw new CommandError('BadValue', message);
}

/** A test on a value; where arrays are opened, also on each of its elements. */
function meets(value: unknown, test: ValueTest, opens: boolean, details?: MatchDetails): boolean {
  if (test(value, details)) return true;
  if (!opens || !Array.isArray(value)) return false;
  for (const [index, element] of value.entries()) {
    if (test(element, details)) {
      if (details) details.position = index;
      return true;
    }
  }
  return false;
}

/**
 * Visits every value that a path reaches, through arrays of documents; `undefined` where it ends early. An element that the
 * path names by its index is met as it is, not opened once more, and nothing is below it when it is a plain value.
 */
function reaches(
  value: unknown,
  parts: readonly string[],
  at: number,
  test: ValueTest,
  opens: boolean,
  details?: MatchDetails,
): boolean {
  if (at === parts.length) return meets(value, test, opens, details);
  const part = parts[at] ?? '';
  if (Array.isArray(value)) {
    if (/^\d+$/.test(part) && Number(part) < value.length) {
      const named = value[Number(part)];
      if (at + 1 === parts.length) {
        if (test(named, details)) return true;
      } else if ((isDocument(named) || Array.isArray(named)) && reaches(named, parts, at + 1, test, opens, details)) {
        return true;
      }
    }
    for (const [index, element] of value.entries()) {
      if (isDocument(element) && reaches(element, parts, at, test, opens, details)) {
        if (details) details.position = index;
        return true;
      }
    }
    return false;
  }
  if (isDocument(value) && Object.hasOwn(value, part)) return reaches(value[part], parts, at + 1, test, opens, details);
  return test(undefined, details);
}

function isRegex(value: unknown): boolean {
  return value !== null && typeof value === 'object' && typeOf(value) === 'regex';
}

/** What PCRE knows and JavaScript takes for something else: `\\A`, `\\Q…\\E`, `[[:alpha:]]`. */
const pcreOnly = /\\[AzZGhHRKQEX]|\[\[:/;

function toRegExp(pattern: string, options: string): RegExp {
  let flags = '';
  let source = pattern;
  for (const option of options) {
    if (option === 'x') bad('the regular expression option x is not implemented');
    else if ('imsu'.includes(option)) flags += flags.includes(option) ? '' : option;
    else throw new CommandError(51108, `invalid flag in regex options: ${option}`);
  }
  const inline = /^\(\?([ims]+)\)/.exec(source);
  if (inline) {
    source = source.slice(inline[0].length);
    for (const option of inline[1] ?? '') flags += flags.includes(option) ? '' : option;
  }
  try {
    return new RegExp(source, flags.includes('u') ? flags : `${flags}u`);
  } catch {
    // Without the flag u JavaScript takes escapes that it does not know for plain letters.
    if (pcreOnly.test(source)) bad(`the regular expression ${source} is not implemented`);
    try {
      return new RegExp(source, flags.replace('u', ''));
    } catch (error) {
      throw new CommandError(
        51091,
        `Regular expression is invalid: ${error instanceof Error ? error.message : pattern}`,
      );
    }
  }
}

function regexTest(operand: unknown): ValueTest {
  const { pattern, options } = regexParts(operand);
  const expression = toRegExp(pattern, options);
  return (value) =>
    typeof value === 'string' ? expression.test(value) : isRegex(value) ? equalValues(value, operand) : false;
}

function equalTest(operand: unknown): ValueTest {
  if (operand === null || operand === undefined) return (value) => value === null || value === undefined;
  if (typeof operand === 'string') return (value) => value === operand;
  return (value) => value !== undefined && equalValues(value, operand);
}

function comparisonTest(operator: string, operand: unknown): ValueTest {
  if (isRegex(operand)) bad(`Can't have RegEx as arg to predicate over field with ${operator}.`);
  const allowsEqual = operator.endsWith('e');
  const wanted = operator.startsWith('$g') ? 1 : -1;
  const order = orderOf(operand ?? null);
  const anyType = order === 1 || order === 127;
  const isNull = operand === null || operand === undefined;
  const isNaN = Number.isNaN(toJsNumber(operand) ?? 0);
  return (value) => {
    if (isNull) return allowsEqual && (value === null || value === undefined);
    if (value === undefined || (!anyType && orderOf(value) !== order)) return false;
    const difference = compareValues(value, operand);
    if (difference === 0) return allowsEqual;
    if (isNaN || Number.isNaN(toJsNumber(value) ?? 0)) return false;
    return Math.sign(difference) === wanted;
  };
}

function inTest(operand: unknown, operator: string): ValueTest {
  if (!Array.isArray(operand)) bad(`${operator} needs an array`);
  // By their keys, so that a list of thousands costs one look-up for a value.
  const keys = new Set<string>();
  const patterns: ValueTest[] = [];
  let hasNull = false;
  for (const value of operand) {
    if (isRegex(value)) patterns.push(regexTest(value));
    else if (isDocument(value) && Object.keys(value)[0]?.startsWith('$')) bad(`cannot nest $ under ${operator}`);
    else if (value === null || value === undefined) hasNull = true;
    else keys.add(identityOf(value));
  }
  return (value, details) => {
    if (value === null || value === undefined) return hasNull;
    return (keys.size > 0 && keys.has(identityOf(value))) || patterns.some((test) => test(value, details));
  };
}

function modTest(operand: unknown): ValueTest {
  if (!Array.isArray(operand) || operand.length < 2) bad('malformed mod, not enough elements');
  if (operand.length > 2) bad('malformed mod, too many elements');
  const [divisor, remainder] = operand.map((value) => Math.trunc(toJsNumber(value) ?? Number.NaN));
  if (divisor === undefined || remainder === undefined || Number.isNaN(divisor) || Number.isNaN(remainder)) {
    bad('malformed mod, divisor and remainder must be numbers');
  }
  if (divisor === 0) bad('divisor cannot be 0');
  return (value) => {
    const native = toNative(value);
    if (native === undefined || !Number.isFinite(Number(native))) return false;
    const whole = typeof native === 'bigint' ? native : BigInt(Math.trunc(Number(native)));
    return whole % BigInt(divisor) === BigInt(remainder);
  };
}

function bitsTest(operator: string, operand: unknown): ValueTest {
  const positions = Array.isArray(operand) ? operand.map((value) => toInteger(value)) : undefined;
  const mask = positions
    ? positions.reduce<bigint>(
        (sum, bit) => sum | (1n << BigInt(bit ?? bad(`bit positions of ${operator} are integers`))),
        0n,
      )
    : BigInt(
        toInteger(operand) ??
          bad(`${operator} takes an Array, a number, or a BinData but received: ${describe(operand)}`),
      );
  if (mask < 0n) bad(`Expected a non-negative number in: ${operator}: ${describe(operand)}`);
  return (value) => {
    const integer = toNative(value);
    const whole =
      typeof integer === 'bigint' ? integer : Number.isInteger(integer) ? BigInt(integer as number) : undefined;
    if (whole === undefined) return false;
    const bits = BigInt.asUintN(64, whole) & mask;
    switch (operator) {
      case '$bitsAllSet':
        return bits === mask;
      case '$bitsAllClear':
        return bits === 0n;
      case '$bitsAnySet':
        return bits !== 0n;
      default:
        return bits !== mask;
    }
  };
}

function elementTest(operand: unknown): ValueTest {
  if (!isDocument(operand)) bad('$elemMatch needs an Object');
  let matches: ValueTest;
  if (isValueCondition(operand)) {
    const tests = operatorTests(operand);
    matches = (value, details) => tests.every((test) => test({ value }, details));
  } else {
    const filter = compileFilter(operand);
    // An array stands for a document whose fields are its positions.
    matches = (value) =>
      Array.isArray(value)
        ? filter.matches(Object.fromEntries(value.entries()))
        : isDocument(value) && filter.matches(value);
  }
  return (value, details) => {
    if (!Array.isArray(value)) return false;
    const index = value.findIndex((element) => matches(element, undefined));
    if (index >= 0 && details) details.position = index;
    return index >= 0;
  };
}

/**
 * The tests of `{$gt: 1, $lt: 5}` on a path; each looks at the document for itself, as MongoDB does. Without a path the value
 * is an element that $elemMatch looks at, and is not opened once more when it is an array itself.
 */
function operatorTests(operators: BsonDocument, path?: string): Test[] {
  const parts = path === undefined ? ['value'] : path.split('.');
  const at = (test: ValueTest, opens = false): Test => {
    const [only] = parts;
    if (parts.length === 1 && only !== undefined) {
      return (document, details) =>
        meets(Object.hasOwn(document, only) ? document[only] : undefined, test, opens, details);
    }
    return (document, details) => reaches(document, parts, 0, test, opens, details);
  };
  const spread = (test: ValueTest): Test => at(test, path !== undefined);
  const not =
    (test: Test): Test =>
    (document) =>
      !test(document, undefined);

  return Object.entries(operators).flatMap(([operator, operand]): Test[] => {
    switch (operator) {
      case '$eq':
        return [
          spread(isRegex(operand) ? (value) => isRegex(value) && equalValues(value, operand) : equalTest(operand)),
        ];
      case '$ne':
        if (isRegex(operand)) bad("Can't have regex as arg to $ne.");
        return [not(spread(equalTest(operand)))];
      case '$gt':
      case '$gte':
      case '$lt':
      case '$lte':
        return [spread(comparisonTest(operator, operand))];
      case '$in':
        return [spread(inTest(operand, operator))];
      case '$nin':
        return [not(spread(inTest(operand, operator)))];
      case '$not': {
        if (isRegex(operand)) return [not(spread(regexTest(operand)))];
        if (!isDocument(operand) || Object.keys(operand).length === 0) bad('$not needs a regex or a document');
        const tests = operatorTests(operand, path);
        return [(document) => !tests.every((test) => test(document, undefined))];
      }
      case '$exists': {
        const exists = at((value) => value !== undefined);
        return [isTruthy(operand) ? exists : not(exists)];
      }
      case '$type': {
        const aliases = Array.isArray(operand) ? operand : [operand];
        if (aliases.length === 0) throw new CommandError('FailedToParse', '$type must match at least one type');
        const types = new Set<string>(aliases.flatMap((alias) => typesOfAlias(alias)));
        return [spread((value) => value !== undefined && types.has(typeOf(value)))];
      }
      case '$size': {
        const size = toInteger(operand);
        if (size === undefined) bad(`Failed to parse $size. Expected an integer in: $size: ${describe(operand)}`);
        if (size < 0) bad(`Failed to parse $size. Expected a non-negative number in: $size: ${size}`);
        return [at((value) => Array.isArray(value) && value.length === size)];
      }
      case '$all': {
        if (!Array.isArray(operand)) bad('$all needs an array');
        if (operand.length === 0) return [() => false];
        return operand.map((value) => {
          if (isDocument(value) && Object.hasOwn(value, '$elemMatch')) return at(elementTest(value.$elemMatch));
          return spread(isRegex(value) ? regexTest(value) : equalTest(value));
        });
      }
      case '$elemMatch':
        return [at(elementTest(operand))];
      case '$mod':
        return [spread(modTest(operand))];
      case '$bitsAllSet':
      case '$bitsAllClear':
      case '$bitsAnySet':
      case '$bitsAnyClear':
        return [spread(bitsTest(operator, operand))];
      case '$regex': {
        const given = isRegex(operand) ? regexParts(operand) : { pattern: operand, options: '' };
        if (typeof given.pattern !== 'string') bad('$regex has to be a string');
        const flags = operators.$options ?? given.options;
        if (typeof flags !== 'string') bad('$options has to be a string');
        const expression = toRegExp(given.pattern, flags);
        return [spread((value) => typeof value === 'string' && expression.test(value))];
      }
      case '$options':
        if (!Object.hasOwn(operators, '$regex')) bad('$options needs a $regex');
        return [];
      case '$comment':
        return [];
      default:
        return bad(`unknown operator: ${operator}`);
    }
  });
}

/** Is the condition of a field `{$gt: …}` rather than a value to equal? */
export function isOperatorDocument(condition: unknown): condition is BsonDocument {
  return (
    isDocument(condition) && Object.keys(condition)[0]?.startsWith('$') === true && !Object.hasOwn(condition, '$ref')
  );
}

/** Does `$elemMatch` or `$pull` say `{$gt: …}` of the element itself rather than something of its fields? */
export function isValueCondition(condition: unknown): condition is BsonDocument {
  return isOperatorDocument(condition) && !/^\$(and|or|nor)$/.test(Object.keys(condition)[0] ?? '');
}

function compileInto(filter: BsonDocument, names: Set<string>): Test[] {
  return Object.entries(filter).flatMap(([path, condition]): Test[] => {
    if (path.startsWith('$')) {
      switch (path) {
        case '$and':
        case '$or':
        case '$nor': {
          if (!Array.isArray(condition)) bad(`${path} must be an array`);
          if (condition.length === 0) bad(`${path} argument must be a non-empty array`);
          const branches = condition.map((branch) => {
            if (!isDocument(branch)) return bad(`${path} argument's entries must be objects`);
            const tests = compileInto(branch, names);
            return (document: BsonDocument, details: MatchDetails | undefined) =>
              tests.every((test) => test(document, details));
          });
          if (path === '$and') return branches;
          if (path === '$or') return [(document, details) => branches.some((test) => test(document, details))];
          return [(document) => !branches.some((test) => test(document, undefined))];
        }
        case '$comment':
          return [];
        case '$text':
          throw new CommandError('IndexNotFound', 'text index required for $text query');
        default:
          return bad(
            `unknown top level operator: ${path}. If you have a field name that starts with a '$' symbol, consider using $getField or $setField.`,
          );
      }
    }
    names.add(firstPart(path));
    if (isOperatorDocument(condition)) return operatorTests(condition, path);
    return operatorTests({ [isRegex(condition) ? '$regex' : '$eq']: condition }, path);
  });
}

/** Compiles a filter once; throws MongoDB's refusal for whatever it does not know. */
export function compileFilter(filter: BsonDocument): Filter {
  const names = new Set<string>();
  const tests = compileInto(filter, names);
  return {
    names,
    matches: (document, details) => tests.every((test) => test(document, details)),
  };
}

/** Compiles a condition on one value, as `$pull` and array filters use it. */
export function compileValueTest(condition: unknown): (value: unknown) => boolean {
  if (isOperatorDocument(condition)) {
    const tests = operatorTests(condition, 'value');
    return (value) => tests.every((test) => test({ value }, undefined));
  }
  if (isRegex(condition)) {
    const test = regexTest(condition);
    return (value) => test(value, undefined);
  }
  return (value) => equalValues(value, condition);
}
