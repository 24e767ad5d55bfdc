// find, getMore, killCursors, aggregate, count, distinct.
import { Long } from 'bson';
import { type BsonDocument, compareValues, describe, isDocument, isTruthy, toInteger } from '../bson-values.ts';
import { CommandError } from '../errors.ts';
import { identityOf } from '../index-key.ts';
import { compileFilter } from '../matcher.ts';
import { compileProjection, compileRawProjection } from '../projection.ts';
import { decodeDocument, decodeFields, encodeDocument } from '../raw-document.ts';
import type { Work } from '../slices.ts';
import { parseSort } from '../sort-order.ts';
import {
  type Command,
  type CommandContext,
  checkHint,
  collectionName,
  countField,
  documentField,
  knownCollection,
} from './command.ts';
import { parseCountPipeline } from './count-pipeline.ts';

const nothing: Iterator<undefined> = [][Symbol.iterator]();

function refuseTrue(body: BsonDocument, names: readonly string[]): void {
  for (const name of names)
    if (isTruthy(body[name])) throw new CommandError('NotImplemented', `the option ${name} is not implemented`);
}

export const find: Command = {
  fields: [
    'filter',
    'sort',
    'skip',
    'limit',
    'projection',
    'batchSize',
    'singleBatch',
    'hint',
    'allowDiskUse',
    'noCursorTimeout',
    'allowPartialResults',
    'collation',
    'tailable',
    'awaitData',
    'oplogReplay',
    'returnKey',
    'showRecordId',
  ],
  run(context) {
    const { body, store } = context;
    refuseTrue(body, ['tailable', 'awaitData', 'returnKey', 'showRecordId']);
    const name = collectionName(context);
    const collection = knownCollection(context);
    checkHint(collection, body.hint);
    const filter = documentField(body, 'filter');
    const compiled = compileFilter(filter);
    const sort = Object.keys(documentField(body, 'sort')).length > 0 ? documentField(body, 'sort') : undefined;
    if (sort && sort.$natural === undefined) parseSort(sort);
    const projection = documentField(body, 'projection');
    const project = Object.keys(projection).length > 0 ? compileProjection(projection, true) : undefined;
    const positional = Object.keys(projection).some((path) => path.endsWith('.$'));
    const givenLimit = toInteger(body.limit) ?? 0;
    const request = { filter, sort, skip: countField(body, 'skip'), limit: Math.abs(givenLimit) };
    const batch = {
      namespace: `${context.database}.${name}`,
      batchSize: countField(body, 'batchSize'),
      singleBatch: isTruthy(body.singleBatch) || givenLimit < 0,
      staysOpen: isTruthy(body.noCursorTimeout),
    };
    if (!collection) return store.cursors.start(nothing, batch);
    const found = collection.find(request, compiled);
    const projectRaw = project && compileRawProjection(projection);
    const answer = (bytes: Buffer): Buffer => {
      if (projectRaw) return projectRaw(bytes);
      if (!project) return bytes;
      const details = positional ? (collection.matchDetails(bytes, compiled) ?? {}) : {};
      return encodeDocument(project(decodeDocument(bytes), details));
    };
    function* answers(): Generator<Buffer | undefined> {
      for (const one of found) yield one && answer(one.bytes);
    }
    return store.cursors.start(answers(), batch);
  },
};

function cursorId(value: unknown): bigint {
  if (Long.isLong(value)) return value.toBigInt();
  const integer = toInteger(value);
  if (integer === undefined) throw new CommandError('TypeMismatch', `a cursor id is a long, not ${describe(value)}`);
  return BigInt(integer);
}

export const getMore: Command = {
  fields: ['collection', 'batchSize', 'term', 'lastKnownCommittedOpTime'],
  run({ body, store, database }) {
    return store.cursors.next(
      cursorId(body.getMore),
      `${database}.${String(body.collection)}`,
      countField(body, 'batchSize'),
    );
  },
};

export const killCursors: Command = {
  fields: ['cursors'],
  run({ body, store }) {
    const ids = Array.isArray(body.cursors) ? body.cursors : [];
    const killed = ids.filter((id) => store.cursors.kill(cursorId(id)));
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
  fields: ['pipeline', 'cursor', 'allowDiskUse', 'hint', 'collation'],
  run(context) {
    const { body, store, database } = context;
    if (!isDocument(body.cursor))
      throw new CommandError(
        'FailedToParse',
        "The 'cursor' option is required, except for aggregate with the explain argument",
      );
    const name = collectionName(context);
    const { filter, skip, limit, result } = parseCountPipeline(body.pipeline);
    compileFilter(filter);
    const collection = knownCollection(context);
    checkHint(collection, body.hint);
    function* rows(): Generator<Buffer | undefined> {
      const count = collection ? yield* collection.countMatching({ filter, skip, limit }) : 0;
      if (count > 0) yield encodeDocument(result(count));
    }
    return store.cursors.start(rows(), {
      namespace: `${database}.${name}`,
      batchSize: countField(body.cursor, 'batchSize'),
    });
  },
};

export const count: Command = {
  fields: ['query', 'skip', 'limit', 'hint', 'collation'],
  async run(context) {
    const { body, store } = context;
    const filter = documentField(body, 'query');
    compileFilter(filter);
    const collection = knownCollection(context);
    checkHint(collection, body.hint);
    const limit = Math.abs(toInteger(body.limit) ?? 0);
    const counted = collection?.countMatching({ filter, skip: countField(body, 'skip'), limit });
    return { n: counted ? await store.storage.readInSlices(counted) : 0, ok: 1 };
  },
};

function valuesAt(value: unknown, parts: readonly string[]): unknown[] {
  const [part, ...rest] = parts;
  if (part === undefined) return Array.isArray(value) ? value : value === undefined ? [] : [value];
  if (Array.isArray(value)) {
    if (/^\d+$/.test(part) && Number(part) < value.length) return valuesAt(value[Number(part)], rest);
    return value.flatMap((element) => (isDocument(element) ? valuesAt(element, parts) : []));
  }
  return isDocument(value) && Object.hasOwn(value, part) ? valuesAt(value[part], rest) : [];
}

function* distinctValues(context: CommandContext): Work<unknown[]> {
  const { body } = context;
  const { key } = body;
  if (typeof key !== 'string' || key === '')
    throw new CommandError('TypeMismatch', "BSON field 'distinct.key' must be a string");
  const filter = documentField(body, 'query');
  const compiled = compileFilter(filter);
  const parts = key.split('.');
  const found = new Map<string, unknown>();
  const names = new Set(parts.slice(0, 1));
  for (const one of knownCollection(context)?.find({ filter }, compiled) ?? []) {
    yield;
    for (const value of one ? valuesAt(decodeFields(one.bytes, names), parts) : []) {
      found.set(identityOf(value), value);
    }
  }
  return [...found.values()].sort(compareValues);
}

export const distinct: Command = {
  fields: ['key', 'query', 'hint', 'collation'],
  async run(context) {
    checkHint(knownCollection(context), context.body.hint);
    return { values: await context.store.storage.readInSlices(distinctValues(context)), ok: 1 };
  },
};
