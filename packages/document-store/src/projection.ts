// Projections of find and findAndModify: what of a document is answered.
import { type BsonDocument, isDocument, isNumeric, isTruthy, toInteger } from './bson-values.ts';
import { CommandError } from './errors.ts';
import { compileFilter, type MatchDetails } from './matcher.ts';
import { assembleDocument, elementsOf } from './raw-document.ts';

export type Projection = (document: BsonDocument, details?: MatchDetails) => BsonDocument;

interface Node {
  children: Map<string, Node>;
  leaf: boolean;
}

function newNode(): Node {
  return { children: new Map(), leaf: false };
}

function addPath(root: Node, path: string): void {
  let node = root;
  for (const part of path.split('.')) {
    if (part === '') throw new CommandError(40353, 'FieldPath field names may not be empty strings.');
    if (part.startsWith('$')) throw new CommandError(16410, "FieldPath field names may not start with '$'.");
    if (node.leaf) throw new CommandError(31249, `Path collision at ${path}`);
    let child = node.children.get(part);
    if (!child) {
      child = newNode();
      node.children.set(part, child);
    }
    node = child;
  }
  if (node.leaf || node.children.size > 0) throw new CommandError(31250, `Path collision at ${path}`);
  node.leaf = true;
}

function include(value: BsonDocument, node: Node): BsonDocument {
  const result: BsonDocument = {};
  for (const [name, field] of Object.entries(value)) {
    const child = node.children.get(name);
    if (!child) continue;
    const kept = child.leaf ? field : includeValue(field, child);
    if (kept !== undefined) result[name] = kept;
  }
  return result;
}

function includeValue(value: unknown, node: Node): unknown {
  if (Array.isArray(value))
    return value.map((element) => includeValue(element, node)).filter((element) => element !== undefined);
  return isDocument(value) ? include(value, node) : undefined;
}

function exclude(value: unknown, node: Node): unknown {
  if (Array.isArray(value)) return value.map((element) => exclude(element, node));
  if (!isDocument(value)) return value;
  const result: BsonDocument = {};
  for (const [name, field] of Object.entries(value)) {
    const child = node.children.get(name);
    if (!child) result[name] = field;
    else if (!child.leaf) result[name] = exclude(field, child);
  }
  return result;
}

function slice(values: unknown[], argument: unknown): unknown[] {
  if (Array.isArray(argument)) {
    const [skip, limit] = argument.map(toInteger);
    if (skip === undefined || limit === undefined || limit <= 0)
      throw new CommandError(28724, '$slice needs [skip, limit] with a positive limit');
    const from = skip < 0 ? Math.max(0, values.length + skip) : skip;
    return values.slice(from, from + limit);
  }
  const count = toInteger(argument);
  if (count === undefined) throw new CommandError(28667, '$slice needs a number or an array');
  return count >= 0 ? values.slice(0, count) : values.slice(count);
}

/** Changes the array at the end of a path, in a copy; below an array in every document of it. */
function changeArray(value: unknown, parts: readonly string[], change: (values: unknown[]) => unknown[]): unknown {
  const [part, ...rest] = parts;
  if (part === undefined) return Array.isArray(value) ? change(value) : value;
  if (Array.isArray(value)) return value.map((element) => changeArray(element, parts, change));
  if (!isDocument(value) || !Object.hasOwn(value, part)) return value;
  return { ...value, [part]: changeArray(value[part], rest, change) };
}

function changeArrayIn(result: BsonDocument, path: string, change: (values: unknown[]) => unknown[]): void {
  const [first = path, ...rest] = path.split('.');
  if (Object.hasOwn(result, first)) result[first] = changeArray(result[first], rest, change);
}

function flatten(spec: BsonDocument, prefix = ''): [string, unknown][] {
  return Object.entries(spec).flatMap(([name, value]): [string, unknown][] => {
    const isNested = isDocument(value) && Object.keys(value).length > 0 && !Object.keys(value)[0]?.startsWith('$');
    return isNested ? flatten(value, `${prefix}${name}.`) : [[`${prefix}${name}`, value]];
  });
}

/**
 * A projection of whole top-level fields on the stored bytes, without decoding them; `undefined` when it asks for more.
 * `compileProjection` has checked it before.
 */
export function compileRawProjection(spec: BsonDocument): ((bytes: Buffer) => Buffer) | undefined {
  const entries = Object.entries(spec);
  const isPlain = ([path, value]: [string, unknown]): boolean =>
    !path.includes('.') && (isNumeric(value) || typeof value === 'boolean');
  if (!entries.every(isPlain)) return undefined;
  const names = new Set(entries.flatMap(([path]) => (path === '_id' ? [] : [path])));
  const [first] = entries.filter(([path]) => path !== '_id');
  const including = first ? isTruthy(first[1]) : isTruthy(spec._id);
  const keepsId = spec._id === undefined || isTruthy(spec._id);
  return (bytes) =>
    assembleDocument(
      elementsOf(bytes)
        .filter(({ name }) => (name === '_id' ? keepsId : names.has(name) === including))
        .map(({ start, end }) => bytes.subarray(start, end)),
    );
}

/**
 * Compiles a projection. `filter` is what found the document, for the positional `$`; without it (in `$project`) `$`, `$slice`
 * as a projection and `$elemMatch` are refused.
 */
export function compileProjection(spec: BsonDocument, inFind: boolean): Projection {
  const entries = flatten(spec);
  const root = newNode();
  const steps: ((source: BsonDocument, result: BsonDocument, details: MatchDetails | undefined) => void)[] = [];
  let including: boolean | undefined;
  let keepId: boolean | undefined;
  let positional = false;
  const sliced: string[] = [];

  const decide = (mode: boolean, path: string): void => {
    if (including !== undefined && including !== mode) {
      throw new CommandError(
        mode ? 31253 : 31254,
        `Cannot do ${mode ? 'inclusion' : 'exclusion'} on field ${path} in ${mode ? 'exclusion' : 'inclusion'} projection`,
      );
    }
    including = mode;
  };

  for (const [path, value] of entries) {
    if (isNumeric(value) || typeof value === 'boolean') {
      const mode = isTruthy(value);
      if (path === '_id') {
        keepId = mode;
        continue;
      }
      decide(mode, path);
      if (inFind && path.endsWith('.$')) {
        if (positional) throw new CommandError(31276, 'Cannot specify more than one positional projection per query.');
        positional = true;
        const array = path.slice(0, -2);
        addPath(root, array);
        steps.push((_, result, details) => {
          changeArrayIn(result, array, (values) => {
            if (details?.position === undefined)
              throw new CommandError(
                51246,
                "Executor error during find command :: caused by :: positional operator '.$' couldn't find a matching element in the array",
              );
            return [values[details.position]];
          });
        });
        continue;
      }
      addPath(root, path);
      continue;
    }
    const [operator] = isDocument(value) ? Object.keys(value) : [];
    if (
      inFind &&
      isDocument(value) &&
      operator === '$slice' &&
      !(Array.isArray(value.$slice) && value.$slice.length === 3)
    ) {
      const argument = value.$slice;
      slice([], argument);
      sliced.push(path);
      steps.push((_, result) => changeArrayIn(result, path, (values) => slice(values, argument)));
      continue;
    }
    if (inFind && isDocument(value) && operator === '$elemMatch') {
      if (path.includes('.')) throw new CommandError(31275, 'Cannot use $elemMatch projection on a nested field.');
      const test = compileFilter({ [path]: value });
      decide(true, path);
      addPath(root, path);
      steps.push((source, result) => {
        const details: MatchDetails = {};
        if (test.matches(source, details) && details.position !== undefined)
          result[path] = [(source[path] as unknown[])[details.position]];
        else delete result[path];
      });
      continue;
    }
    throw new CommandError(
      operator?.startsWith('$') ? 'InvalidPipelineOperator' : 'NotImplemented',
      operator?.startsWith('$')
        ? `Unrecognized expression '${operator}'`
        : `computed fields in a projection are not implemented: '${path}'`,
    );
  }

  const mode = including ?? (keepId === true && entries.every(([path]) => path === '_id'));
  if (mode) {
    for (const path of sliced) addPath(root, path);
    if (keepId !== false && !root.children.has('_id')) addPath(root, '_id');
  } else if (keepId === false) addPath(root, '_id');
  return (document, details) => {
    const result = mode ? include(document, root) : (exclude(document, root) as BsonDocument);
    for (const step of steps) step(document, result, details);
    return result;
  };
}
