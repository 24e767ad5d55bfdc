// Aggregation pipelines: stages that need BSON's order or the stored bytes are ours, expressions are mingo's.
import { deserialize } from 'bson';
import { Aggregator } from 'mingo/aggregator';
import { ProcessingMode } from 'mingo/core';
import * as pipelineOperators from 'mingo/operators/pipeline';
import type { Options } from 'mingo/types';
import { type BsonDocument, isDocument, toInteger } from './bson-values.ts';
import type { Collection } from './collection.ts';
import { CommandError } from './errors.ts';
import { accumulate, evaluate, isAccumulator, mingoOptions, validateExpression } from './expression.ts';
import { identityOf } from './index-key.ts';
import { compileFilter } from './matcher.ts';
import { countedGroup, leading, neededNames } from './pipeline-needs.ts';
import { compileProjection } from './projection.ts';
import { encodeDocument, pickFields } from './raw-document.ts';
import { compareByFields, parseSort, sortValue } from './sort-order.ts';

type Rows = BsonDocument[];
type Stage = (rows: Rows) => Rows;

export interface PipelineContext {
  /** The collection of that name in the same database. */
  collection(name: string): Collection | undefined;
  /** Values of `let` in an enclosing `$lookup`. */
  variables?: BsonDocument;
}

/** int32 and double as numbers, int64 as bigint: what mingo can work on without rounding in silence. */
export function decodePromoted(bytes: Uint8Array): BsonDocument {
  return deserialize(bytes, { useBigInt64: true, promoteBuffers: false, bsonRegExp: true });
}

function optionsOf(context: PipelineContext): Partial<Options> {
  return { ...mingoOptions, ...(context.variables ? { variables: context.variables } : {}) };
}

function refuse(code: number, message: string): never {
  throw new CommandError(code, message);
}

function document(stage: string, argument: unknown): BsonDocument {
  return isDocument(argument) ? argument : refuse(40272, `the ${stage} specification must be an object`);
}

function count(stage: string, argument: unknown, least: number): number {
  const number = toInteger(argument);
  if (number === undefined || number < least) refuse(15958, `invalid argument to ${stage} stage: ${String(argument)}`);
  return number;
}

/** Runs one of mingo's own stages over the rows. */
function mingoStage(name: string, argument: unknown, context: PipelineContext): Stage {
  const operator = (pipelineOperators as unknown as Record<string, unknown>)[name];
  const { context: operators } = mingoOptions;
  const options = {
    ...optionsOf(context),
    processingMode: ProcessingMode.CLONE_INPUT,
    ...(operators ? { context: operators.addPipelineOps({ [name]: operator } as never) } : {}),
  };
  return (rows) => {
    try {
      return new Aggregator([{ [name]: argument }], options).run<BsonDocument>(rows);
    } catch (error) {
      throw error instanceof CommandError
        ? error
        : new CommandError('BadValue', error instanceof Error ? error.message : String(error));
    }
  };
}

function group(argument: unknown, context: PipelineContext): Stage {
  const { _id: key, ...fields } = document('$group', argument);
  if (!Object.hasOwn(argument as BsonDocument, '_id')) refuse(15955, 'a group specification must include an _id');
  validateExpression(key);
  const accumulators = Object.entries(fields).map(([name, accumulator]) => {
    const [[operator, operand] = [], ...more] = isDocument(accumulator) ? Object.entries(accumulator) : [];
    if (operator === undefined || more.length > 0) refuse(40234, `The field '${name}' must be an accumulator object`);
    if (!isAccumulator(operator)) refuse(15952, `unknown group operator '${operator}'`);
    validateExpression(operand);
    return { name, operator, operand };
  });
  return (rows) => {
    const options = optionsOf(context);
    const groups = new Map<string, { key: unknown; rows: Rows }>();
    for (const row of rows) {
      const value = evaluate(key, row, options) ?? null;
      const identity = identityOf(value);
      const known = groups.get(identity);
      if (known) known.rows.push(row);
      else groups.set(identity, { key: value, rows: [row] });
    }
    return [...groups.values()].map((one) => {
      const result: BsonDocument = { _id: one.key };
      for (const { name, operator, operand } of accumulators) {
        result[name] = operator === '$count' ? one.rows.length : accumulate(operator, operand, one.rows, options);
      }
      return result;
    });
  };
}

function sort(argument: unknown): Stage {
  const fields = parseSort(document('$sort', argument));
  if (fields.length === 0) refuse(15976, '$sort stage must have at least one sort key');
  const compare = compareByFields(fields);
  return (rows) =>
    rows
      .map((row) => ({ row, values: fields.map((field) => sortValue(row, field)) }))
      .sort((left, right) => compare(left.values, right.values))
      .map(({ row }) => row);
}

/** Values of a local field as `$lookup` joins by them: each element of an array, null for what is missing. */
function joinValues(row: BsonDocument, path: string): unknown[] {
  let values: unknown[] = [row];
  for (const part of path.split('.')) {
    values = values
      .flatMap((value) => (Array.isArray(value) ? value : [value]))
      .map((value) => (isDocument(value) ? value[part] : undefined));
  }
  return values.flatMap((value) => (Array.isArray(value) ? value : [value ?? null]));
}

function lookup(argument: unknown, context: PipelineContext): Stage {
  const {
    from,
    localField,
    foreignField,
    as,
    let: variables = {},
    pipeline = [],
    ...unknown
  } = document('$lookup', argument);
  const [extra] = Object.keys(unknown);
  if (extra !== undefined) refuse(9, `unknown argument to $lookup: ${extra}`);
  if (typeof from !== 'string' || typeof as !== 'string' || !Array.isArray(pipeline) || !isDocument(variables)) {
    refuse(9, '$lookup needs from and as, and a pipeline that is an array');
  }
  if ((localField === undefined) !== (foreignField === undefined))
    refuse(9, '$lookup requires both or neither of localField and foreignField');
  validateExpression(variables);
  compilePipeline(pipeline, { ...context, variables: { ...context.variables, ...variables } });
  return (rows) => {
    const foreign = context.collection(from);
    return rows.map((row) => {
      const filter =
        typeof localField === 'string' && typeof foreignField === 'string'
          ? { [foreignField]: { $in: joinValues(row, localField) } }
          : {};
      const found = foreign
        ? [...foreign.find({ filter })].flatMap((one) => (one ? [decodePromoted(one.bytes)] : []))
        : [];
      const values = Object.fromEntries(
        Object.entries(variables).map(([name, expression]) => [
          name,
          evaluate(expression, row, optionsOf(context)) ?? null,
        ]),
      );
      const inner = compilePipeline(pipeline, { ...context, variables: { ...context.variables, ...values } });
      return { ...row, [as]: inner.reduce((current, stage) => stage(current), found) };
    });
  };
}

function unwind(argument: unknown, context: PipelineContext): Stage {
  const spec: BsonDocument = typeof argument === 'string' ? { path: argument } : document('$unwind', argument);
  if (typeof spec.path !== 'string' || !spec.path.startsWith('$'))
    refuse(28818, `path option to $unwind stage should be prefixed with a '$': ${String(spec.path)}`);
  if (spec.path.includes('.')) return mingoStage('$unwind', spec, context);
  const name = spec.path.slice(1);
  const { includeArrayIndex } = spec;
  return (rows) =>
    rows.flatMap((row): Rows => {
      const value = row[name];
      const indexed = (result: BsonDocument, index: number | null): BsonDocument =>
        typeof includeArrayIndex === 'string'
          ? { ...result, [includeArrayIndex]: index === null ? null : BigInt(index) }
          : result;
      if (Array.isArray(value) && value.length > 0)
        return value.map((element, index) => indexed({ ...row, [name]: element }, index));
      if (value !== undefined && value !== null && !Array.isArray(value)) return [indexed(row, null)];
      if (spec.preserveNullAndEmptyArrays !== true) return [];
      const { [name]: _, ...rest } = row;
      return [indexed(value === null ? row : rest, null)];
    });
}

function compileStage(stage: unknown, context: PipelineContext): Stage {
  const entries = isDocument(stage) ? Object.entries(stage) : [];
  const [[name, argument] = []] = entries;
  if (name === undefined || entries.length !== 1)
    refuse(40323, 'A pipeline stage specification object must contain exactly one field.');
  switch (name) {
    case '$match': {
      const { variables } = context;
      const filter = document('$match', argument);
      const { $expr, ...rest } = filter;
      const compiled = compileFilter(variables ? rest : filter);
      if (!variables || $expr === undefined) return (rows) => rows.filter((row) => compiled.matches(row));
      validateExpression($expr);
      return (rows) => rows.filter((row) => compiled.matches(row) && Boolean(evaluate($expr, row, optionsOf(context))));
    }
    case '$sort':
      return sort(argument);
    case '$limit': {
      const limit = count('$limit', argument, 1);
      return (rows) => rows.slice(0, limit);
    }
    case '$skip': {
      const skip = count('$skip', argument, 0);
      return (rows) => rows.slice(skip);
    }
    case '$count': {
      if (typeof argument !== 'string' || argument === '' || /[$.]/.test(argument))
        refuse(40156, 'the count field must be a non-empty string');
      return (rows) => (rows.length === 0 ? [] : [{ [argument]: rows.length }]);
    }
    case '$group':
      return group(argument, context);
    case '$sortByCount': {
      validateExpression(argument);
      const counted = group({ _id: argument, count: { $sum: 1 } }, context);
      const ordered = sort({ count: -1 });
      return (rows) => ordered(counted(rows));
    }
    case '$project': {
      const spec = document('$project', argument);
      if (Object.keys(spec).length === 0) refuse(51272, 'projection specification must have at least one field');
      if (context.variables) return validated('$project', argument, context);
      const project = compileProjection(spec, false);
      return (rows) => rows.map((row) => project(row));
    }
    case '$unwind':
      return unwind(argument, context);
    case '$lookup':
      return lookup(argument, context);
    case '$facet': {
      const facets = Object.entries(document('$facet', argument)).map(([field, stages]) => {
        if (!Array.isArray(stages)) refuse(40170, `arguments to $facet must be arrays, ${field} is not`);
        return [field, compilePipeline(stages, context)] as const;
      });
      return (rows) => [
        Object.fromEntries(
          facets.map(([field, stages]) => [field, stages.reduce((current, next) => next(current), [...rows])]),
        ),
      ];
    }
    case '$sample': {
      const size = count('$sample', document('$sample', argument).size, 1);
      return (rows) => {
        const pool = [...rows];
        for (let index = 0; index < Math.min(size, pool.length); index += 1) {
          const other = index + Math.floor(Math.random() * (pool.length - index));
          const swapped = pool[index] as BsonDocument;
          pool[index] = pool[other] as BsonDocument;
          pool[other] = swapped;
        }
        return pool.slice(0, size);
      };
    }
    case '$addFields':
    case '$set':
      document(name, argument);
      return validated(name, argument, context);
    case '$unset':
    case '$replaceRoot':
    case '$replaceWith':
    case '$bucket':
      return validated(name, argument, context);
    case '$changeStream':
      return refuse(40573, 'The $changeStream stage is only supported on replica sets');
    default:
      throw new CommandError('UnrecognizedPipelineStage', `Unrecognized pipeline stage name: '${name}'`);
  }
}

function validated(name: string, argument: unknown, context: PipelineContext): Stage {
  validateExpression(argument);
  return mingoStage(name, argument, context);
}

function compilePipeline(pipeline: readonly unknown[], context: PipelineContext): Stage[] {
  return pipeline.map((stage) => compileStage(stage, context));
}

/**
 * Runs a pipeline over a collection (`undefined`: an empty one) and gives encoded documents, `undefined` where it may pause. `pipeline` is decoded without
 * promotion for the stages that filter, `promoted` is the same one for expressions.
 */
export function* runPipeline(
  collection: Collection | undefined,
  pipeline: readonly BsonDocument[],
  promotedPipeline: readonly BsonDocument[],
  context: PipelineContext,
): Generator<Buffer | undefined> {
  compilePipeline(promotedPipeline, context);
  const { used, ...request } = leading(pipeline);
  const rest = compilePipeline(promotedPipeline.slice(used), context);
  if (!collection) {
    for (const row of rest.reduce<Rows>((rows, stage) => stage(rows), [])) yield encodeDocument(row);
    return;
  }
  if (rest.length === 0) {
    for (const one of collection.find(request)) yield one?.bytes;
    return;
  }
  const counted = countedGroup(promotedPipeline[used]);
  if (counted) {
    const total = yield* collection.countMatching(request);
    const rows = total === 0 ? [] : [counted(total)];
    for (const row of rest.slice(1).reduce((current, stage) => stage(current), rows)) yield encodeDocument(row);
    return;
  }
  const names = neededNames(promotedPipeline.slice(used));
  const rows: Rows = [];
  for (const one of collection.find(request)) {
    if (one) rows.push(decodePromoted(names ? pickFields(one.bytes, names) : one.bytes));
    yield undefined;
  }
  for (const row of rest.reduce((current, stage) => stage(current), rows)) yield encodeDocument(row);
}
