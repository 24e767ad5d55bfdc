// The only pipeline that `aggregate` runs: the one by which drivers count documents.
import { describe } from '../bson/describe.ts';
import { type Encodable, encodeFields } from '../bson/encode.ts';
import { integerOf } from '../bson/numbers.ts';
import { bsonTypes } from '../bson/types.ts';
import { type BsonValue, documentValue, elementsOf, fieldsOf, isArray, isObject } from '../bson/value.ts';
import { CommandError } from '../errors.ts';

interface CountPipeline {
  filter: BsonValue;
  skip: number;
  limit: number;
  /** The document that the pipeline returns for a number of matches above 0. */
  result: (count: number) => Buffer;
}

const stageNames = ['$match', '$skip', '$limit', '$group'];

/**
 * Accepts `$match`, `$skip`, `$limit` and `$group` with sums of 1, in this order; only `$group` is
 * required.
 */
export function parseCountPipeline(pipeline: BsonValue | undefined): CountPipeline {
  const list = isArray(pipeline) ? elementsOf(pipeline) : undefined;
  if (!list?.every(isObject))
    throw new CommandError('TypeMismatch', "'pipeline' option must be specified as an array of objects");
  const stages = new Map<string, BsonValue>();
  let last = -1;
  for (const stage of list) {
    const [field, ...others] = fieldsOf(stage);
    if (!field || others.length > 0)
      throw new CommandError(40323, 'A pipeline stage specification object must contain exactly one field.');
    const { name, value } = field;
    if (name === '$changeStream')
      throw new CommandError(40573, 'The $changeStream stage is only supported on replica sets');
    const position = stageNames.indexOf(name);
    if (position < 0)
      throw new CommandError('UnrecognizedPipelineStage', `Unrecognized pipeline stage name: '${name}'`);
    if (position <= last) refuseOtherPipelines();
    last = position;
    stages.set(name, value);
  }
  const filter = stages.get('$match') ?? documentValue(encodeFields([]));
  const group = stages.get('$group');
  if (!isObject(filter)) throw new CommandError(15959, 'the match filter must be an expression in an object');
  if (!isObject(group)) refuseOtherPipelines();
  return {
    filter,
    skip: countArgument('$skip', stages.get('$skip'), 0),
    limit: countArgument('$limit', stages.get('$limit'), 1),
    result: countResult(group),
  };
}

function refuseOtherPipelines(): never {
  throw new CommandError(
    'NotImplemented',
    'only pipelines that count documents are implemented: $match, $skip, $limit, then $group with {$sum: 1}',
  );
}

/** @returns 0 if the stage is absent. */
function countArgument(stage: string, argument: BsonValue | undefined, least: number): number {
  if (!argument) return 0;
  const count = integerOf(argument);
  if (count === undefined || count < least)
    throw new CommandError(15958, `invalid argument to ${stage} stage: ${describe(argument)}`);
  return count;
}

function countResult(group: BsonValue): (count: number) => Buffer {
  const fields = fieldsOf(group);
  const id = fields.find(({ name }) => name === '_id')?.value;
  if (!id) throw new CommandError(15955, 'a group specification must include an _id');
  if (id.type !== bsonTypes.null && integerOf(id) === undefined) refuseOtherPipelines();
  const sums = fields.filter(({ name }) => name !== '_id');
  for (const { name, value } of sums) {
    const [accumulator] = isObject(value) ? fieldsOf(value) : [];
    if (!accumulator) throw new CommandError(40234, `The field '${name}' must be an accumulator object`);
    if (accumulator.name !== '$sum') throw new CommandError(15952, `unknown group operator '${accumulator.name}'`);
    if (integerOf(accumulator.value) !== 1) refuseOtherPipelines();
  }
  return (count) => encodeFields([['_id', id], ...sums.map(({ name }): [string, Encodable] => [name, count])]);
}
