// Applies an update to a document's bytes. Top-level fields that the update does not name stay the bytes they were.
import { ObjectId } from 'bson';
import { type BsonDocument, describe, equalValues, isDocument } from './bson-values.ts';
import { CommandError } from './errors.ts';
import { evaluateExpression, validateExpression } from './expression.ts';
import { firstPart } from './indexes.ts';
import { compileFilter, compileValueTest, isOperatorDocument, type MatchDetails } from './matcher.ts';
import {
  assembleDocument,
  checkId,
  decodeDocument,
  decodeFields,
  elementsOf,
  encodeDocument,
  encodeElement,
  maxDocumentBytes,
} from './raw-document.ts';
import { type Change, changeFor, keep, remove } from './update-operators.ts';

export interface Update {
  /** Top-level names that may change; `null` when the document is replaced. */
  touched: ReadonlySet<string> | null;
  /** The new bytes; the same object when nothing changed. Throws the operators' refusals. */
  apply(bytes: Buffer, details: MatchDetails): Buffer;
  /** The document to insert when an upsert finds nothing. */
  insertion(filter: BsonDocument): Buffer;
}

interface Step {
  path: string;
  parts: readonly string[];
  change: Change;
  creates: boolean;
  onInsertOnly: boolean;
}

type ElementTest = (element: unknown) => boolean;
type ArrayFilters = ReadonlyMap<string, ElementTest>;

const nonCreating = new Set(['$unset', '$pull', '$pullAll', '$pop']);

function compileArrayFilters(filters: readonly BsonDocument[]): ArrayFilters {
  const tests = new Map<string, ElementTest>();
  for (const filter of filters) {
    const identifiers = new Set<string>();
    const visit = (document: BsonDocument): void => {
      for (const [path, condition] of Object.entries(document)) {
        if (path.startsWith('$')) for (const branch of condition as BsonDocument[]) visit(branch);
        else identifiers.add(firstPart(path));
      }
    };
    visit(filter);
    const [identifier, ...others] = identifiers;
    if (identifier === undefined || others.length > 0) {
      throw new CommandError(
        'FailedToParse',
        'Error parsing array filter :: caused by :: Expected a single top-level field name',
      );
    }
    if (tests.has(identifier)) {
      throw new CommandError(
        'FailedToParse',
        `Found multiple array filters with the same top-level field name ${identifier}`,
      );
    }
    const names = Object.keys(filter);
    const condition = filter[identifier];
    if (names.length === 1 && Object.hasOwn(filter, identifier)) tests.set(identifier, compileValueTest(condition));
    else {
      const compiled = compileFilter(filter);
      tests.set(identifier, (element) => compiled.matches({ [identifier]: element }));
    }
  }
  return tests;
}

function checkConflicts(steps: readonly { path: string }[]): void {
  const paths = steps.map(({ path }) => path).toSorted();
  for (const [index, path] of paths.entries()) {
    const other = paths.find(
      (candidate, at) => at !== index && (candidate === path || candidate.startsWith(`${path}.`)),
    );
    if (other !== undefined) {
      throw new CommandError(
        'ConflictingUpdateOperators',
        `Updating the path '${other}' would create a conflict at '${path}'`,
      );
    }
  }
}

function parseSteps(update: BsonDocument, arrayFilters: ArrayFilters): Step[] {
  const steps: Step[] = [];
  const usedFilters = new Set<string>();
  const conflictPaths: { path: string }[] = [];
  for (const [operator, fields] of Object.entries(update)) {
    if (operator === '$rename') continue;
    // An unknown operator is refused whatever stands under it.
    if (!operator.startsWith('$')) changeFor(operator, null, '');
    if (!isDocument(fields)) {
      throw new CommandError(
        'FailedToParse',
        `Modifiers operate on fields but we found type ${fields === null ? 'null' : typeof fields} instead. For example: {$mod: {<field>: ...}} not {${operator}: ${describe(fields)}}`,
      );
    }
    if (Object.keys(fields).length === 0)
      changeFor(operator, operator === '$pop' ? 1 : operator === '$currentDate' ? true : {}, '');
    for (const [path, operand] of Object.entries(fields)) {
      const parts = path.split('.');
      if (parts.includes(''))
        throw new CommandError(
          'EmptyFieldName',
          `The update path '${path}' contains an empty field name, which is not allowed.`,
        );
      for (const part of parts) {
        const identifier = /^\$\[(.+)\]$/.exec(part)?.[1];
        if (identifier === undefined) {
          if (part.startsWith('$') && part !== '$' && part !== '$[]') {
            throw new CommandError(
              'DollarPrefixedFieldName',
              `The dollar ($) prefixed field '${part}' in '${path}' is not valid for storage.`,
            );
          }
          continue;
        }
        if (!arrayFilters.has(identifier))
          throw new CommandError('BadValue', `No array filter found for identifier '${identifier}' in path '${path}'`);
        usedFilters.add(identifier);
      }
      conflictPaths.push({ path });
      steps.push({
        path,
        parts,
        change: changeFor(operator, operand, path),
        creates: !nonCreating.has(operator),
        onInsertOnly: operator === '$setOnInsert',
      });
    }
  }
  for (const [from, to] of renamesOf(update)) conflictPaths.push({ path: from }, { path: to });
  checkConflicts(conflictPaths);
  for (const identifier of arrayFilters.keys()) {
    if (!usedFilters.has(identifier)) {
      throw new CommandError(
        'FailedToParse',
        `The array filter for identifier '${identifier}' was not used in the update ${describe(update)}`,
      );
    }
  }
  return steps.sort((left, right) => (left.path < right.path ? -1 : left.path > right.path ? 1 : 0));
}

function renamesOf(update: BsonDocument): [string, string][] {
  return Object.entries((update.$rename ?? {}) as BsonDocument).map(([from, to]) => {
    if (typeof to !== 'string')
      throw new CommandError('BadValue', `The 'to' field for $rename must be a string: ${from}: ${describe(to)}`);
    if (/(^|\.)(\$|\d+$)/.test(`${from}.${to}`))
      throw new CommandError('BadValue', `The source and destination field for $rename cannot be dynamic: ${from}`);
    return [from, to];
  });
}

interface Context {
  document: BsonDocument;
  details: MatchDetails;
  arrayFilters: ArrayFilters;
}

function settle(
  current: unknown,
  step: Step,
  { document }: Context,
  assign: (value: unknown) => void,
  drop: () => void,
): void {
  const next = step.change(current, document);
  if (next === remove) drop();
  else if (next !== keep) assign(next);
}

function notViable(step: Step, part: string, container: unknown): never {
  throw new CommandError(
    'PathNotViable',
    `Cannot create field '${part}' in element {${step.parts[step.parts.indexOf(part) - 1] ?? ''}: ${describe(container)}}`,
  );
}

function applyStep(container: unknown, at: number, step: Step, context: Context): void {
  const given = step.parts[at] ?? '';
  const isLast = at === step.parts.length - 1;
  let part = given;
  if (given === '$') {
    if (context.details.position === undefined) {
      throw new CommandError('BadValue', 'The positional operator did not find the match needed from the query.');
    }
    part = String(context.details.position);
  }
  const wide = /^\$\[(.*)\]$/.exec(part);
  if (wide) {
    if (!Array.isArray(container)) {
      throw new CommandError(
        'BadValue',
        `The path '${step.parts.slice(0, at).join('.')}' must exist in the document in order to apply array updates.`,
      );
    }
    const test = wide[1] === '' ? () => true : context.arrayFilters.get(wide[1] ?? '');
    for (const [index, element] of container.entries()) {
      if (test?.(element)) applyToElement(container, index, at, isLast, step, context);
    }
    return;
  }
  if (Array.isArray(container)) {
    if (!/^\d+$/.test(part)) {
      if (step.creates) notViable(step, part, container);
      return;
    }
    const index = Number(part);
    if (index >= container.length) {
      if (!step.creates) return;
      if (index > 1_500_000) throw new CommandError('BadValue', `can't backfill more than 1500000 elements`);
    }
    applyToElement(container, index, at, isLast, step, context);
    return;
  }
  if (!isDocument(container)) {
    if (step.creates) notViable(step, part, container);
    return;
  }
  const exists = Object.hasOwn(container, part);
  if (isLast) {
    settle(
      exists ? container[part] : undefined,
      step,
      context,
      (value) => {
        container[part] = value;
      },
      () => {
        delete container[part];
      },
    );
    return;
  }
  if (!exists) {
    if (!step.creates) return;
    container[part] = {};
  }
  applyStep(container[part], at + 1, step, context);
}

function applyToElement(
  array: unknown[],
  index: number,
  at: number,
  isLast: boolean,
  step: Step,
  context: Context,
): void {
  const pad = (): void => {
    while (array.length < index) array.push(null);
  };
  if (isLast) {
    settle(
      array[index],
      step,
      context,
      (value) => {
        pad();
        array[index] = value;
      },
      () => {
        array[index] = null;
      },
    );
    return;
  }
  if (index >= array.length) {
    pad();
    array[index] = {};
  }
  applyStep(array[index], at + 1, step, context);
}

function applyRename(document: BsonDocument, from: string, to: string): void {
  const parts = from.split('.');
  const last = parts.pop() ?? from;
  let source: unknown = document;
  for (const part of parts) source = isDocument(source) ? source[part] : undefined;
  if (!isDocument(source) || !Object.hasOwn(source, last)) return;
  const value = source[last];
  delete source[last];
  const step: Step = { path: to, parts: to.split('.'), change: () => value, creates: true, onInsertOnly: false };
  applyStep(document, 0, step, { document, details: {}, arrayFilters: new Map() });
}

function checkSize(bytes: Buffer): Buffer {
  if (bytes.length > maxDocumentBytes) {
    throw new CommandError(17419, `Resulting document after update is larger than ${maxDocumentBytes}`);
  }
  return bytes;
}

function checkSameId(before: unknown, after: unknown): void {
  if (before !== undefined && (after === undefined || !equalValues(before, after))) {
    throw new CommandError(
      'ImmutableField',
      "Performing an update on the path '_id' would modify the immutable field '_id'",
    );
  }
}

/** Puts changed top-level fields back among the untouched bytes. */
function merge(bytes: Buffer, touched: ReadonlySet<string>, changed: BsonDocument): Buffer {
  const parts: Uint8Array[] = [];
  const seen = new Set<string>();
  for (const { name, start, end } of elementsOf(bytes)) {
    seen.add(name);
    if (!touched.has(name)) parts.push(bytes.subarray(start, end));
    else if (Object.hasOwn(changed, name)) parts.push(encodeElement(name, changed[name]));
  }
  for (const [name, value] of Object.entries(changed)) if (!seen.has(name)) parts.push(encodeElement(name, value));
  const next = assembleDocument(parts);
  return next.equals(bytes) ? bytes : checkSize(next);
}

/** What the equalities of a filter say about a document that is to be made from it. */
function documentFromFilter(filter: BsonDocument): BsonDocument {
  const document: BsonDocument = {};
  const visit = (part: BsonDocument): void => {
    for (const [path, condition] of Object.entries(part)) {
      if (path === '$and') for (const branch of condition as BsonDocument[]) visit(branch);
      else if (!path.startsWith('$') && (!isOperatorDocument(condition) || Object.hasOwn(condition, '$eq'))) {
        const value = isOperatorDocument(condition) ? condition.$eq : condition;
        if (value instanceof RegExp || (value as { _bsontype?: string } | null)?._bsontype === 'BSONRegExp') continue;
        const step: Step = { path, parts: path.split('.'), change: () => value, creates: true, onInsertOnly: false };
        applyStep(document, 0, step, { document, details: {}, arrayFilters: new Map() });
      }
    }
  };
  visit(filter);
  return document;
}

function withId(document: BsonDocument): Buffer {
  const { _id = new ObjectId(), ...rest } = document;
  checkId(_id);
  return checkSize(encodeDocument({ _id, ...rest }));
}

function replacement(document: BsonDocument): Update {
  for (const name of Object.keys(document)) {
    if (name.startsWith('$'))
      throw new CommandError(
        'DollarPrefixedFieldName',
        `The dollar ($) prefixed field '${name}' in '${name}' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.`,
      );
  }
  return {
    touched: null,
    apply(bytes) {
      const { _id } = decodeFields(bytes, new Set(['_id']));
      if (document._id !== undefined) checkSameId(_id, document._id);
      const next = withId({ ...document, _id });
      return next.equals(bytes) ? bytes : next;
    },
    insertion(filter) {
      const { _id } = documentFromFilter(filter);
      if (document._id !== undefined) checkSameId(_id, document._id);
      return withId(_id === undefined ? document : { ...document, _id });
    },
  };
}

/** Pipelines of `$set` and `$unset` on whole top-level fields: what leaves every other field's bytes alone. */
function pipelineUpdate(stages: readonly unknown[]): Update {
  const touched = new Set<string>();
  const steps: ((document: BsonDocument) => void)[] = [];
  const nameOf = (path: string): string => {
    if (path.includes('.'))
      throw new CommandError('NotImplemented', `an update pipeline on the nested path '${path}' is not implemented`);
    touched.add(path);
    return path;
  };
  for (const stage of stages) {
    const [name, argument] = (isDocument(stage) ? Object.entries(stage)[0] : undefined) ?? [];
    if (name === '$unset') {
      const names = (Array.isArray(argument) ? argument : [argument]).map((path) => nameOf(String(path)));
      steps.push((document) => {
        for (const field of names) delete document[field];
      });
    } else if ((name === '$set' || name === '$addFields') && isDocument(argument)) {
      for (const [path, expression] of Object.entries(argument)) {
        nameOf(path);
        validateExpression(expression);
        if (isDocument(expression) && !Object.keys(expression)[0]?.startsWith('$')) {
          throw new CommandError(
            'NotImplemented',
            `merging an object into '${path}' in an update pipeline is not implemented`,
          );
        }
      }
      steps.push((document) => {
        const values = Object.entries(argument).map(
          ([path, expression]) => [path, evaluateExpression(expression, document)] as const,
        );
        for (const [path, value] of values) {
          if (value === undefined) delete document[path];
          else document[path] = value;
        }
      });
    } else throw new CommandError('InvalidOptions', `${String(name)} is not allowed to be used within an update`);
  }
  const run = (document: BsonDocument): BsonDocument => {
    const { _id } = document;
    for (const step of steps) step(document);
    checkSameId(_id, document._id);
    return document;
  };
  return {
    touched,
    apply(bytes) {
      const changed = run(decodeDocument(bytes));
      return merge(bytes, touched, Object.fromEntries(Object.entries(changed).filter(([name]) => touched.has(name))));
    },
    insertion: (filter) => withId(run(documentFromFilter(filter))),
  };
}

/** Compiles an update: operators, a replacement or a pipeline. Throws MongoDB's refusals for what it does not know. */
export function compileUpdate(update: unknown, filters: readonly BsonDocument[] = []): Update {
  if (Array.isArray(update)) return pipelineUpdate(update);
  if (!isDocument(update))
    throw new CommandError('FailedToParse', 'Update argument must be either an object or an array');
  if (!Object.keys(update)[0]?.startsWith('$')) {
    if (filters.length > 0)
      throw new CommandError('FailedToParse', 'arrayFilters may not be specified for replacement updates');
    return replacement(update);
  }
  const arrayFilters = compileArrayFilters(filters);
  const steps = parseSteps(update, arrayFilters);
  const renames = renamesOf(update);
  const touched = new Set([...steps.map(({ path }) => firstPart(path)), ...renames.flat().map(firstPart)]);
  const visible = new Set([...touched, '_id']);

  const run = (document: BsonDocument, details: MatchDetails, isInsert: boolean): void => {
    const { _id } = document;
    for (const [from, to] of renames) applyRename(document, from, to);
    for (const step of steps) {
      if (isInsert || !step.onInsertOnly) applyStep(document, 0, step, { document, details, arrayFilters });
    }
    checkSameId(_id, document._id);
  };
  return {
    touched,
    apply(bytes, details) {
      const document = decodeFields(bytes, visible);
      run(document, details, false);
      if (!touched.has('_id')) delete document._id;
      return merge(bytes, touched, document);
    },
    insertion(filter) {
      const document = documentFromFilter(filter);
      run(document, {}, true);
      return withId(document);
    },
  };
}
