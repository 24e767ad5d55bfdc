// What a pipeline needs of its collection: which filter and order its indexes can serve, whether keys suffice, which fields.
import { type BsonDocument, isDocument, toInteger } from './bson-values.ts';
import { firstPart } from './indexes.ts';
import { compileFilter } from './matcher.ts';

/** What the leading stages ask of the collection itself, so that its indexes serve them. */
export function leading(pipeline: readonly BsonDocument[]): {
  filter: BsonDocument;
  sort: BsonDocument | undefined;
  skip: number;
  limit: number;
  used: number;
} {
  const found = { filter: {} as BsonDocument, sort: undefined as BsonDocument | undefined, skip: 0, limit: 0, used: 0 };
  for (const stage of pipeline) {
    const [[name, argument] = []] = Object.entries(stage);
    if (name === '$match' && found.used === 0) found.filter = argument as BsonDocument;
    else if (name === '$sort' && !found.sort && found.skip === 0) found.sort = argument as BsonDocument;
    else if (name === '$skip' && found.skip === 0) found.skip = toInteger(argument) ?? 0;
    else if (name === '$limit') {
      found.limit = toInteger(argument) ?? 0;
      found.used += 1;
      return found;
    } else return found;
    found.used += 1;
  }
  return found;
}

/** A stage that only counts rows, as `countDocuments` sends it: what it makes of their number. */
export function countedGroup(stage: BsonDocument | undefined): ((total: number) => BsonDocument) | undefined {
  if (typeof stage?.$count === 'string') {
    const { $count: name } = stage;
    return (total) => ({ [name]: total });
  }
  if (!isDocument(stage?.$group)) return undefined;
  const { _id, ...fields } = stage.$group;
  if (_id !== null && typeof _id !== 'number') return undefined;
  const countsOne = (field: unknown): boolean =>
    isDocument(field) && Object.keys(field).length === 1 && field.$sum === 1;
  if (!Object.values(fields).every(countsOne)) return undefined;
  return (total) => ({ _id, ...Object.fromEntries(Object.keys(fields).map((name) => [name, total])) });
}

const wholeDocument = /^\$\$(ROOT|CURRENT)/;

/** Adds the top-level fields that an expression reads; false when it may read any. */
function addReferences(expression: unknown, names: Set<string>): boolean {
  if (typeof expression === 'string') {
    if (wholeDocument.test(expression)) return false;
    if (expression.startsWith('$') && !expression.startsWith('$$')) names.add(firstPart(expression.slice(1)));
    return true;
  }
  if (Array.isArray(expression)) return expression.every((part) => addReferences(part, names));
  if (!isDocument(expression)) return true;
  return Object.entries(expression).every(([name, part]) => name !== '$getField' && addReferences(part, names));
}

/** The top-level fields that the stages read, so that large ones need not be decoded; `undefined` when it may be any. */
export function neededNames(stages: readonly BsonDocument[]): Set<string> | undefined {
  const names = new Set<string>();
  for (const stage of stages) {
    const [[name, argument] = []] = Object.entries(stage);
    switch (name) {
      case '$group':
      case '$sortByCount':
        return addReferences(argument, names) ? names : undefined;
      case '$project': {
        const fields = Object.entries(argument as BsonDocument);
        const excludes = fields.some(([path, value]) => path !== '_id' && (value === false || value === 0));
        if (excludes || fields.every(([path]) => path === '_id') || !addReferences(argument, names)) return undefined;
        for (const [path] of fields) names.add(firstPart(path));
        names.add('_id');
        return names;
      }
      case '$match': {
        const filter = compileFilter(argument as BsonDocument);
        if (filter.names === null) return undefined;
        for (const field of filter.names) names.add(field);
        break;
      }
      case '$sort':
        for (const path of Object.keys(argument as BsonDocument)) names.add(firstPart(path));
        break;
      case '$unwind':
        if (!addReferences(argument, names)) return undefined;
        break;
      case '$skip':
      case '$limit':
        break;
      default:
        return undefined;
    }
  }
  return undefined;
}
