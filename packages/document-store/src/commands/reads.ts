// find, getMore, killCursors, aggregate.
import { encodeDocument } from '../bson/encode.ts';
import { isTruthy } from '../bson/numbers.ts';
import { elementsOf, isArray, stringOf } from '../bson/value.ts';
import { CommandError } from '../errors.ts';
import { compileFilter } from '../query/filter.ts';
import { compileProjection } from '../query/projection.ts';
import { parseSort } from '../query/sort.ts';
import { countMatching, findDocuments } from '../search.ts';
import {
  type Command,
  collectionName,
  countField,
  cursorId,
  documentField,
  integerField,
  knownCollection,
  optionalDocument,
} from './command.ts';
import { parseCountPipeline } from './count-pipeline.ts';

export const find: Command = {
  fields: ['filter', 'sort', 'skip', 'limit', 'projection', 'batchSize', 'singleBatch'],
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
  fields: ['collection', 'batchSize'],
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
  fields: ['pipeline', 'cursor'],
  async run(context) {
    const { store, request, deadline } = context;
    const { body } = request;
    const { filter, limit } = parseCountPipeline(body.get('pipeline'));
    const collection = knownCollection(context);
    const counting = collection && countMatching(collection, { filter: compileFilter(filter), limit });
    const n = counting ? await store.storage.readInSlices(counting, deadline) : 0;
    return store.cursors.start((n > 0 ? [encodeDocument({ _id: 1, n })] : []).values(), {
      namespace: `${request.database}.${collectionName(request)}`,
    });
  },
};
