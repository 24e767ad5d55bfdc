// Applies an update to a document's bytes. Top-level fields that the update does not name stay the bytes they were.
import { ObjectId } from 'bson';
import { type BsonDocument, equalValues, isDocument } from './bson-values.ts';
import { CommandError } from './errors.ts';
import { isOperatorDocument, type MatchDetails } from './matcher.ts';
import { firstPart } from './paths.ts';
import {
  assembleDocument,
  checkId,
  cloneValue,
  decodeFields,
  elementsOf,
  encodeDocument,
  encodeElement,
  maxDocumentBytes,
} from './raw-document.ts';
import { applyRename, applyStep, compileArrayFilters, parseSteps, renamesOf, type Step } from './update-steps.ts';

export interface Update {
  /** Top-level names that may change; `null` when the document is replaced. */
  touched: ReadonlySet<string> | null;
  /** The new bytes; the same object when nothing changed. Throws the operators' refusals. */
  apply(bytes: Buffer, details: MatchDetails): Buffer;
  /** The document to insert when an upsert finds nothing. */
  insertion(filter: BsonDocument): Buffer;
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

/** Compiles an update: operators or a replacement. Throws MongoDB's refusals for what it does not know. */
export function compileUpdate(update: unknown, filters: readonly BsonDocument[] = []): Update {
  if (Array.isArray(update))
    throw new CommandError('NotImplemented', 'updates by an aggregation pipeline are not implemented');
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
    const _id = cloneValue(document._id);
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
