// The only pipeline that `aggregate` runs: the one by which drivers count documents.
import { equalValues } from '../bson/compare.ts';
import { encodeFields, encodeValue } from '../bson/encode.ts';
import { integerOf } from '../bson/numbers.ts';
import { type BsonValue, documentValue, elementsOf, fieldsOf, isArray, isObject } from '../bson/value.ts';
import { CommandError } from '../errors.ts';

interface CountPipeline {
  filter: BsonValue;
  /** 0 without a limit. */
  limit: number;
}

const stageNames = ['$match', '$limit', '$group'];
const counting = encodeValue({ _id: 1, n: { $sum: 1 } });

/** Accepts `$match`, `$limit` and `$group` with `{_id: 1, n: {$sum: 1}}`, in this order. */
export function parseCountPipeline(pipeline: BsonValue | undefined): CountPipeline {
  const stages = (isArray(pipeline) ? elementsOf(pipeline) : []).flatMap((stage) =>
    isObject(stage) ? fieldsOf(stage) : [],
  );
  const positions = stages.map(({ name }) => stageNames.indexOf(name));
  const stageOf = (name: string) => stages.find((stage) => stage.name === name)?.value;
  const [group, limit] = [stageOf('$group'), stageOf('$limit')];
  const filter = stageOf('$match') ?? documentValue(encodeFields([]));
  const count = limit ? (integerOf(limit) ?? 0) : 0;
  const isInOrder = positions.every((position, at) => position > (positions[at - 1] ?? -1));
  if (!isInOrder || !isObject(filter) || !group || !equalValues(group, counting) || (limit && count < 1))
    throw new CommandError(
      'NotImplemented',
      'only the pipeline of countDocuments is implemented: $match, $limit, then $group with {_id: 1, n: {$sum: 1}}',
    );
  return { filter, limit: count };
}
