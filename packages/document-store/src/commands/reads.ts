// find, getMore, killCursors, aggregate, count, distinct.
import { compareValues } from '../bson/compare.ts';
import { isTruthy } from '../bson/numbers.ts';
import {
  type BsonValue,
  copyValue,
  documentValue,
  elementsOf,
  fieldOf,
  fieldsByName,
  isArray,
  isObject,
  stringOf,
} from '../bson/value.ts';
import { CommandError } from '../errors.ts';
import { identityOf } from '../index/index-key.ts';
import { compileFilter } from '../query/filter.ts';
import { type Path, parsePath } from '../query/path.ts';
import { compileProjection } from '../query/projection.ts';
import { parseSort } from '../query/sort.ts';
import { countMatching, findDocuments } from '../search.ts';
import type { Work } from '../slices.ts';
import { maxDocumentBytes } from '../stored-document.ts';
import {
  type Command,
  type CommandContext,
  collectionName,
  countField,
  cursorId,
  documentField,
  integerField,
  knownCollection,
  optionalDocument,
} from './command.ts';
import { parseCountPipeline } from './count-pipeline.ts';

/**
 * `allowDiskUse` and `allowPartialResults` have no effect: sorts use memory, and there are no
 * shards.
 */
export const find: Command = {
  fields: [
    'filter',
    'sort',
    'skip',
    'limit',
    'projection',
    'batchSize',
    'singleBatch',
    'allowDiskUse',
    'allowPartialResults',
  ],
  notImplemented: [
    'awaitData',
    'collation',
    'hint',
    'let',
    'max',
    'min',
    'noCursorTimeout',
    'oplogReplay',
    'returnKey',
    'showRecordId',
    'tailable',
  ],
  run(context) {
    const { store, request, deadline } = context;
    const { body } = request;
    const filter = compileFilter(documentField(body, 'filter'));
    const sort = parseSort(documentField(body, 'sort'));
    const projection = optionalDocument(body, 'projection');
    const project = projection && compileProjection(projection);
    const signedLimit = integerField(body, 'limit') ?? 0;
    const search = { filter, sort, skip: countField(body, 'skip'), limit: Math.abs(signedLimit), project };
    const collection = knownCollection(context);
    function* documents(): Generator<Buffer | undefined> {
      for (const found of collection ? findDocuments(collection, search) : []) yield found?.bytes;
    }
    return store.cursors.start(documents(), {
      namespace: `${request.database}.${collectionName(request)}`,
      batchSize: countField(body, 'batchSize'),
      singleBatch: isTruthy(body.get('singleBatch')) || signedLimit < 0,
      deadline,
    });
  },
};

export const getMore: Command = {
  fields: ['collection', 'batchSize', 'term', 'lastKnownCommittedOpTime'],
  run({ store, request: { body, database } }) {
    if (body.has('maxTimeMS'))
      throw new CommandError('BadValue', 'cannot set maxTimeMS on getMore command for a non-awaitData cursor');
    const namespace = `${database}.${stringOf(body.get('collection')) ?? ''}`;
    return store.cursors.next(cursorId(body.get('getMore')), namespace, countField(body, 'batchSize'));
  },
};

export const killCursors: Command = {
  fields: ['cursors'],
  run({ store, request: { body } }) {
    const cursors = body.get('cursors');
    const ids = (isArray(cursors) ? elementsOf(cursors) : []).map(cursorId);
    const killed = ids.filter((id) => store.cursors.kill(id));
    return {
      cursorsKilled: killed,
      cursorsNotFound: ids.filter((id) => !killed.includes(id)),
      cursorsAlive: [],
      cursorsUnknown: [],
      ok: 1,
    };
  },
};

/** Runs the pipeline of the driver's `countDocuments`, and no other. */
export const aggregate: Command = {
  fields: ['pipeline', 'cursor', 'allowDiskUse'],
  notImplemented: ['collation', 'explain', 'hint', 'let'],
  async run(context) {
    const { store, request, deadline } = context;
    const { body } = request;
    const cursor = body.get('cursor');
    if (!isObject(cursor))
      throw new CommandError(
        'FailedToParse',
        "The 'cursor' option is required, except for aggregate with the explain argument",
      );
    const { filter, skip, limit, result } = parseCountPipeline(body.get('pipeline'));
    const collection = knownCollection(context);
    const counting = collection && countMatching(collection, { filter: compileFilter(filter), skip, limit });
    const total = counting ? await store.storage.readInSlices(counting, deadline) : 0;
    return store.cursors.start((total > 0 ? [result(total)] : []).values(), {
      namespace: `${request.database}.${collectionName(request)}`,
      batchSize: countField(fieldsByName(cursor, 'cursor'), 'batchSize'),
    });
  },
};

export const count: Command = {
  fields: ['query', 'skip', 'limit'],
  notImplemented: ['collation', 'hint'],
  async run(context) {
    const { store, request, deadline } = context;
    const { body } = request;
    const filter = compileFilter(documentField(body, 'query'));
    const limit = Math.abs(integerField(body, 'limit') ?? 0);
    const collection = knownCollection(context);
    const counting = collection && countMatching(collection, { filter, skip: countField(body, 'skip'), limit });
    return { n: counting ? await store.storage.readInSlices(counting, deadline) : 0, ok: 1 };
  },
};

/** The values at a path, those of arrays one by one. */
function valuesAt(value: BsonValue | undefined, [part, ...rest]: Path): BsonValue[] {
  if (!value) return [];
  if (!part) return isArray(value) ? elementsOf(value) : [value];
  if (!isArray(value)) return isObject(value) ? valuesAt(fieldOf(value, part.name), rest) : [];
  const elements = elementsOf(value);
  const named = part.index === undefined ? undefined : elements[part.index];
  if (named) return valuesAt(named, rest);
  return elements.flatMap((element) => (isObject(element) ? valuesAt(element, [part, ...rest]) : []));
}

function* distinctValues(context: CommandContext): Work<BsonValue[]> {
  const { body } = context.request;
  const key = stringOf(body.get('key')) ?? '';
  if (key === '') throw new CommandError('TypeMismatch', "BSON field 'distinct.key' must be a string");
  const filter = compileFilter(documentField(body, 'query'));
  const path = parsePath(key);
  const found = new Map<string, BsonValue>();
  let bytes = 0;
  const collection = knownCollection(context);
  for (const one of collection ? findDocuments(collection, { filter }) : []) {
    yield 'pause';
    for (const value of one ? valuesAt(documentValue(one.bytes), path) : []) {
      const identity = identityOf(value);
      if (found.has(identity)) continue;
      found.set(identity, copyValue(value));
      bytes += value.end - value.start;
      if (bytes > maxDocumentBytes) throw new CommandError('BSONObjectTooLarge', 'distinct too big, 16mb cap');
    }
  }
  return [...found.values()].sort(compareValues);
}

export const distinct: Command = {
  fields: ['key', 'query'],
  notImplemented: ['collation', 'hint'],
  async run(context) {
    const values = await context.store.storage.readInSlices(distinctValues(context), context.deadline);
    return { values, ok: 1 };
  },
};
