// The only pipeline that `aggregate` runs: the one by which drivers count documents.
import { type BsonDocument, describe, isDocument, toInteger } from '../bson-values.ts';
import { CommandError } from '../errors.ts';

export interface CountPipeline {
  filter: BsonDocument;
  skip: number;
  limit: number;
  /** The document that the pipeline returns for a number of matches above 0. */
  result: (count: number) => BsonDocument;
}

const stageNames = ['$match', '$skip', '$limit', '$group'];

/** Accepts `$match`, `$skip`, `$limit` and `$group` with sums of 1, in this order; only `$group` is required. */
export function parseCountPipeline(pipeline: unknown): CountPipeline {
  if (!Array.isArray(pipeline) || !pipeline.every(isDocument))
    throw new CommandError('TypeMismatch', "'pipeline' option must be specified as an array of objects");
  const stages = new Map<string, unknown>();
  let last = -1;
  for (const stage of pipeline) {
    const [[name, argument] = ['', undefined], ...more] = Object.entries(stage);
    if (name === '' || more.length > 0)
      throw new CommandError(40323, 'A pipeline stage specification object must contain exactly one field.');
    if (name === '$changeStream')
      throw new CommandError(40573, 'The $changeStream stage is only supported on replica sets');
    const position = stageNames.indexOf(name);
    if (position < 0)
      throw new CommandError('UnrecognizedPipelineStage', `Unrecognized pipeline stage name: '${name}'`);
    if (position <= last) refuseOtherPipelines();
    last = position;
    stages.set(name, argument);
  }
  const { $match: filter = {}, $skip: skip, $limit: limit, $group: group } = Object.fromEntries(stages);
  if (!isDocument(filter)) throw new CommandError(15959, 'the match filter must be an expression in an object');
  if (!isDocument(group)) refuseOtherPipelines();
  return {
    filter,
    skip: countArgument('$skip', skip, 0),
    limit: countArgument('$limit', limit, 1),
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
function countArgument(stage: string, argument: unknown, least: number): number {
  if (argument === undefined) return 0;
  const count = toInteger(argument);
  if (count === undefined || count < least)
    throw new CommandError(15958, `invalid argument to ${stage} stage: ${describe(argument)}`);
  return count;
}

function countResult(group: BsonDocument): (count: number) => BsonDocument {
  const { _id, ...sums } = group;
  if (_id === undefined) throw new CommandError(15955, 'a group specification must include an _id');
  if (_id !== null && toInteger(_id) === undefined) refuseOtherPipelines();
  for (const [name, accumulator] of Object.entries(sums)) {
    const [[operator, operand] = ['', undefined]] = isDocument(accumulator) ? Object.entries(accumulator) : [];
    if (operator === '') throw new CommandError(40234, `The field '${name}' must be an accumulator object`);
    if (operator !== '$sum') throw new CommandError(15952, `unknown group operator '${operator}'`);
    if (toInteger(operand) !== 1) refuseOtherPipelines();
  }
  return (count) => ({ _id, ...Object.fromEntries(Object.keys(sums).map((name) => [name, count])) });
}
