// Updates: by operators or by a replacement, and the documents that upserts insert.
import { equalValues } from '../bson/compare.ts';
import { describe } from '../bson/describe.ts';
import { encodeFields } from '../bson/encode.ts';
import { typeName } from '../bson/types.ts';
import { type BsonValue, documentValue, type Field, fieldsOf, isArray, isObject } from '../bson/value.ts';
import { CommandError } from '../errors.ts';
import { branchesOf, isOperatorDocument } from '../query/filter.ts';
import { firstPart, type Path, parsePath } from '../query/path.ts';
import { idOf, maxDocumentBytes, toStoredDocument } from '../stored-document.ts';
import { Tree } from './document-tree.ts';
import { operators } from './operators.ts';

export interface Update {
  /** Top-level fields that may change; `null` if the document is replaced. */
  touched: ReadonlySet<string> | null;
  /**
   * Returns the new bytes, or the same object if nothing changes. Throws the errors of the
   * operators.
   */
  apply: (bytes: Buffer) => Buffer;
  /** The document to insert if an upsert finds none. */
  insertion: (filter: BsonValue) => Buffer;
}

interface Step {
  dotted: string;
  path: Path;
  apply: (tree: Tree, id: BsonValue | undefined) => void;
  onInsertOnly: boolean;
}

const emptyDocument = encodeFields([]);

function checkSize(bytes: Buffer): Buffer {
  if (bytes.length > maxDocumentBytes)
    throw new CommandError(17419, `Resulting document after update is larger than ${maxDocumentBytes}`);
  return bytes;
}

function checkSameId(before: BsonValue | undefined, after: BsonValue | undefined): void {
  if (before && !(after && equalValues(before, after)))
    throw new CommandError(
      'ImmutableField',
      "Performing an update on the path '_id' would modify the immutable field '_id'",
    );
}

function checkPath(dotted: string): void {
  for (const part of dotted.split('.')) {
    if (part === '')
      throw new CommandError(
        'EmptyFieldName',
        `The update path '${dotted}' contains an empty field name, which is not allowed.`,
      );
    if (part === '$' || part.startsWith('$['))
      throw new CommandError('NotImplemented', `the positional operator ${part} in '${dotted}' is not implemented`);
    if (part.startsWith('$'))
      throw new CommandError(
        'DollarPrefixedFieldName',
        `The dollar ($) prefixed field '${part}' in '${dotted}' is not valid for storage.`,
      );
  }
}

function parseOperator({ name, value }: Field): Step[] {
  const operator = operators.get(name);
  if (!operator)
    throw new CommandError(
      'FailedToParse',
      `Unknown modifier: ${name}. Expected a valid update modifier or pipeline-style update specified as an array`,
    );
  if (!isObject(value))
    throw new CommandError(
      'FailedToParse',
      `Modifiers operate on fields but we found type ${typeName(value.type)} instead. For example: {$mod: {<field>: ...}} not {${name}: ${describe(value)}}`,
    );
  return fieldsOf(value).map((field): Step => {
    checkPath(field.name);
    const { creates, onInsertOnly = false } = operator;
    const change = operator.compile(field.value, field.name);
    const path = parsePath(field.name);
    const apply: Step['apply'] = (tree, id) => tree.change(path, creates, (current) => change(current, id));
    return { dotted: field.name, path, apply, onInsertOnly };
  });
}

/**
 * The order in which MongoDB adds new fields: first positions by number, then names by their bytes.
 */
function comparePaths(left: Path, right: Path): number {
  for (const [at, part] of left.entries()) {
    const other = right[at];
    if (!other) return 1;
    const byNumber = (part.index ?? Number.POSITIVE_INFINITY) - (other.index ?? Number.POSITIVE_INFINITY);
    const order = byNumber || Buffer.compare(part.name, other.name);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

/**
 * Throws if two paths are equal or one contains the other. The two are neighbours in sorted
 * order.
 */
function checkConflicts(paths: readonly string[]): void {
  const sorted = paths.map((dotted) => ({ dotted, path: parsePath(dotted) }));
  sorted.sort((left, right) => comparePaths(left.path, right.path));
  for (const [at, { dotted }] of sorted.entries()) {
    const previous = sorted[at - 1]?.dotted;
    if (previous !== undefined && `${dotted}.`.startsWith(`${previous}.`))
      throw new CommandError(
        'ConflictingUpdateOperators',
        `Updating the path '${dotted}' would create a conflict at '${previous}'`,
      );
  }
}

function operatorUpdate(fields: readonly Field[]): Update {
  const steps = fields.flatMap(parseOperator).sort((left, right) => comparePaths(left.path, right.path));
  const paths = steps.map(({ dotted }) => dotted);
  checkConflicts(paths);
  const touched = new Set(paths.map(firstPart));
  const run = (before: Buffer, isInsert: boolean): Buffer => {
    const id = idOf(before);
    const tree = new Tree(documentValue(before));
    for (const step of steps) if (isInsert || !step.onInsertOnly) step.apply(tree, id);
    const { raw } = tree.toValue();
    if (touched.has('_id')) checkSameId(id, idOf(raw));
    return checkSize(raw);
  };
  return {
    touched,
    apply(bytes) {
      const next = run(bytes, false);
      return next.equals(bytes) ? bytes : next;
    },
    insertion: (filter) => checkSize(toStoredDocument(run(documentFromFilter(filter), true))),
  };
}

function replacement(fields: readonly Field[], source: BsonValue): Update {
  const operator = fields.find(({ name }) => name.startsWith('$'))?.name;
  if (operator !== undefined)
    throw new CommandError(
      'DollarPrefixedFieldName',
      `The dollar ($) prefixed field '${operator}' in '${operator}' is not allowed in the context of an update's replacement document.`,
    );
  const own = idOf(source.raw);
  const withId = (id: BsonValue | undefined): Buffer => {
    if (!id) return toStoredDocument(source.raw);
    if (own) checkSameId(id, own);
    const others = fields.filter(({ name }) => name !== '_id');
    return checkSize(toStoredDocument(encodeFields([['_id', id], ...others.map(toEntry)])));
  };
  return {
    touched: null,
    apply(bytes) {
      const next = withId(idOf(bytes));
      return next.equals(bytes) ? bytes : next;
    },
    insertion: (filter) => withId(equalitiesOf(filter).find(([path]) => path === '_id')?.[1]),
  };
}

function toEntry({ name, value }: Field): [string, BsonValue] {
  return [name, value];
}

/** The paths that a filter compares for equality, with their values. */
function equalitiesOf(filter: BsonValue): [string, BsonValue][] {
  return fieldsOf(filter).flatMap(({ name, value }): [string, BsonValue][] => {
    if (name === '$and') return branchesOf(name, value).flatMap(equalitiesOf);
    if (name.startsWith('$')) return [];
    if (!isOperatorDocument(value)) return [[name, value]];
    return fieldsOf(value).flatMap((operator) => (operator.name === '$eq' ? [[name, operator.value]] : []));
  });
}

/** The document that an upsert starts from: the fields that the filter compares for equality. */
function documentFromFilter(filter: BsonValue): Buffer {
  const tree = new Tree(documentValue(emptyDocument));
  const equalities = equalitiesOf(filter);
  for (const [path, value] of equalities) {
    const other = equalities.find(([candidate, found]) => found !== value && `${path}.`.startsWith(`${candidate}.`));
    if (other)
      throw new CommandError(
        'NotSingleValueField',
        path === other[0]
          ? `cannot infer query fields to set, path '${path}' is matched twice`
          : `cannot infer query fields to set, both paths '${other[0]}' and '${path}' are matched`,
      );
    tree.change(parsePath(path), true, () => value);
  }
  return tree.toValue().raw;
}

/**
 * Compiles an update by operators or a replacement. Throws MongoDB's error for everything that is
 * not implemented.
 */
export function compileUpdate(update: BsonValue | undefined): Update {
  if (isArray(update))
    throw new CommandError('NotImplemented', 'updates by an aggregation pipeline are not implemented');
  if (!isObject(update))
    throw new CommandError('FailedToParse', 'Update argument must be either an object or an array');
  const fields = fieldsOf(update);
  return fields[0]?.name.startsWith('$') ? operatorUpdate(fields) : replacement(fields, update);
}
