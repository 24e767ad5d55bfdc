// Projections of find and findAndModify: the fields of a document that are returned.
import { encodeFields } from '../bson/encode.ts';
import { isNumeric, isTruthy } from '../bson/numbers.ts';
import { bsonTypes } from '../bson/types.ts';
import { BsonValue, documentValue, elementsOf, fieldsOf, isArray, isObject } from '../bson/value.ts';
import { CommandError } from '../errors.ts';

/** The result shares no bytes with the document. */
type Projection = (document: Buffer) => Buffer;

/** The names of a projection below one name; `leaf` is the whole value. */
type Names = Map<string, Names | 'leaf'>;

function addPath(root: Names, path: string): void {
  let names = root;
  const parts = path.split('.');
  for (const [at, part] of parts.entries()) {
    if (part === '') throw new CommandError(40353, 'FieldPath field names may not be empty strings.');
    if (part.startsWith('$')) throw new CommandError(16410, "FieldPath field names may not start with '$'.");
    const known = names.get(part);
    const isLast = at === parts.length - 1;
    if (known === 'leaf' || (known && isLast))
      throw new CommandError(known === 'leaf' && !isLast ? 31249 : 31250, `Path collision at ${path}`);
    if (isLast) {
      names.set(part, 'leaf');
      return;
    }
    const next: Names = known ?? new Map<string, Names | 'leaf'>();
    names.set(part, next);
    names = next;
  }
}

/** Applies a projection to a value; `undefined` if nothing of it is returned. */
function project(value: BsonValue, names: Names, includes: boolean): BsonValue | undefined {
  if (isArray(value)) {
    const kept = elementsOf(value).flatMap((element) => project(element, names, includes) ?? []);
    return new BsonValue(bsonTypes.array, encodeFields(kept.map((element, position) => [String(position), element])));
  }
  // An inclusion leaves out a plain value above the end of its path.
  if (!isObject(value)) return includes ? undefined : value;
  return documentValue(projectFields(value, names, includes));
}

function projectFields(document: BsonValue, names: Names, includes: boolean): Buffer {
  const fields = fieldsOf(document).flatMap(({ name, value: field }): [string, BsonValue][] => {
    const below = names.get(name);
    if (below === undefined) return includes ? [] : [[name, field]];
    if (below === 'leaf') return includes ? [[name, field]] : [];
    const rest = project(field, below, includes);
    return rest ? [[name, rest]] : [];
  });
  return encodeFields(fields);
}

/** Compiles inclusions or exclusions of paths; `undefined` if the projection is empty. */
export function compileProjection(spec: BsonValue): Projection | undefined {
  const names: Names = new Map();
  let includes: boolean | undefined;
  let includesId: boolean | undefined;
  const entries = fieldsOf(spec);
  for (const { name: path, value } of entries) {
    if (!isNumeric(value) && value.type !== bsonTypes.bool)
      throw new CommandError('NotImplemented', `the projection of '${path}' is not implemented`);
    const included = isTruthy(value);
    if (path === '_id') {
      includesId = included;
      continue;
    }
    if (includes !== undefined && includes !== included)
      throw new CommandError(
        included ? 31253 : 31254,
        `Cannot do ${included ? 'inclusion' : 'exclusion'} on field ${path} in ${included ? 'exclusion' : 'inclusion'} projection`,
      );
    includes = included;
    addPath(names, path);
  }
  if (entries.length === 0) return undefined;
  const mode = includes ?? includesId ?? false;
  if (mode === (includesId ?? true) && !names.has('_id')) addPath(names, '_id');
  return (document) => projectFields(documentValue(document), names, mode);
}
