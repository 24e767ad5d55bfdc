// An update by operators, as steps on paths: which there are, whether they get in each other's way, and how each finds the
// place it changes.
import { type BsonDocument, describe, isDocument } from './bson-values.ts';
import { CommandError } from './errors.ts';
import { compileFilter, compileValueTest, type MatchDetails } from './matcher.ts';
import { firstPart } from './paths.ts';
import { type Change, changeFor, keep, remove } from './update-operators.ts';

export interface Step {
  path: string;
  parts: readonly string[];
  change: Change;
  creates: boolean;
  onInsertOnly: boolean;
}

type ElementTest = (element: unknown) => boolean;
export type ArrayFilters = ReadonlyMap<string, ElementTest>;

const nonCreating = new Set(['$unset', '$pull', '$pullAll', '$pop']);

export function compileArrayFilters(filters: readonly BsonDocument[]): ArrayFilters {
  const tests = new Map<string, ElementTest>();
  for (const filter of filters) {
    const identifiers = new Set<string>();
    const visit = (document: BsonDocument): void => {
      for (const [path, condition] of Object.entries(document)) {
        if (path.startsWith('$')) for (const branch of condition as BsonDocument[]) visit(branch);
        else identifiers.add(firstPart(path));
      }
    };
    visit(filter);
    const [identifier, ...others] = identifiers;
    if (identifier === undefined || others.length > 0) {
      throw new CommandError(
        'FailedToParse',
        'Error parsing array filter :: caused by :: Expected a single top-level field name',
      );
    }
    if (tests.has(identifier)) {
      throw new CommandError(
        'FailedToParse',
        `Found multiple array filters with the same top-level field name ${identifier}`,
      );
    }
    const names = Object.keys(filter);
    const condition = filter[identifier];
    if (names.length === 1 && Object.hasOwn(filter, identifier)) tests.set(identifier, compileValueTest(condition));
    else {
      const compiled = compileFilter(filter);
      tests.set(identifier, (element) => compiled.matches({ [identifier]: element }));
    }
  }
  return tests;
}

function checkConflicts(steps: readonly { path: string }[]): void {
  const paths = steps.map(({ path }) => path).toSorted();
  for (const [index, path] of paths.entries()) {
    const other = paths.find(
      (candidate, at) => at !== index && (candidate === path || candidate.startsWith(`${path}.`)),
    );
    if (other !== undefined) {
      throw new CommandError(
        'ConflictingUpdateOperators',
        `Updating the path '${other}' would create a conflict at '${path}'`,
      );
    }
  }
}

function checkNames(path: string): void {
  if (path.split('.').includes(''))
    throw new CommandError(
      'EmptyFieldName',
      `The update path '${path}' contains an empty field name, which is not allowed.`,
    );
}

export function parseSteps(update: BsonDocument, arrayFilters: ArrayFilters): Step[] {
  const steps: Step[] = [];
  const usedFilters = new Set<string>();
  const conflictPaths: { path: string }[] = [];
  for (const [operator, fields] of Object.entries(update)) {
    // An unknown operator is refused whatever stands under it.
    if (!operator.startsWith('$')) changeFor(operator, null, '');
    if (!isDocument(fields)) {
      throw new CommandError(
        'FailedToParse',
        `Modifiers operate on fields but we found type ${fields === null ? 'null' : typeof fields} instead. For example: {$mod: {<field>: ...}} not {${operator}: ${describe(fields)}}`,
      );
    }
    if (operator === '$rename') continue;
    if (Object.keys(fields).length === 0)
      changeFor(operator, operator === '$pop' ? 1 : operator === '$currentDate' ? true : {}, '');
    for (const [path, operand] of Object.entries(fields)) {
      const parts = path.split('.');
      checkNames(path);
      for (const part of parts) {
        const identifier = /^\$\[(.+)\]$/.exec(part)?.[1];
        if (identifier === undefined) {
          if (part.startsWith('$') && part !== '$' && part !== '$[]') {
            throw new CommandError(
              'DollarPrefixedFieldName',
              `The dollar ($) prefixed field '${part}' in '${path}' is not valid for storage.`,
            );
          }
          continue;
        }
        if (!arrayFilters.has(identifier))
          throw new CommandError('BadValue', `No array filter found for identifier '${identifier}' in path '${path}'`);
        usedFilters.add(identifier);
      }
      conflictPaths.push({ path });
      steps.push({
        path,
        parts,
        change: changeFor(operator, operand, path),
        creates: !nonCreating.has(operator),
        onInsertOnly: operator === '$setOnInsert',
      });
    }
  }
  for (const [from, to] of renamesOf(update)) conflictPaths.push({ path: from }, { path: to });
  checkConflicts(conflictPaths);
  for (const identifier of arrayFilters.keys()) {
    if (!usedFilters.has(identifier)) {
      throw new CommandError(
        'FailedToParse',
        `The array filter for identifier '${identifier}' was not used in the update ${describe(update)}`,
      );
    }
  }
  return steps.sort((left, right) => (left.path < right.path ? -1 : left.path > right.path ? 1 : 0));
}

export function renamesOf(update: BsonDocument): [string, string][] {
  return Object.entries((update.$rename ?? {}) as BsonDocument).map(([from, to]) => {
    if (typeof to !== 'string')
      throw new CommandError('BadValue', `The 'to' field for $rename must be a string: ${from}: ${describe(to)}`);
    if (/(^|\.)\$/.test(`${from}.${to}`))
      throw new CommandError('BadValue', `The source and destination field for $rename cannot be dynamic: ${from}`);
    if (from === to)
      throw new CommandError(
        'BadValue',
        `The source and target field for $rename must differ: ${from}: ${describe(to)}`,
      );
    checkNames(from);
    checkNames(to);
    return [from, to];
  });
}

interface Context {
  document: BsonDocument;
  details: MatchDetails;
  arrayFilters: ArrayFilters;
}

function settle(
  current: unknown,
  step: Step,
  { document }: Context,
  assign: (value: unknown) => void,
  drop: () => void,
): void {
  const next = step.change(current, document);
  if (next === remove) drop();
  else if (next !== keep) assign(next);
}

function notViable(step: Step, part: string, container: unknown): never {
  throw new CommandError(
    'PathNotViable',
    `Cannot create field '${part}' in element {${step.parts[step.parts.indexOf(part) - 1] ?? ''}: ${describe(container)}}`,
  );
}

export function applyStep(container: unknown, at: number, step: Step, context: Context): void {
  const given = step.parts[at] ?? '';
  const isLast = at === step.parts.length - 1;
  let part = given;
  if (given === '$') {
    if (context.details.position === undefined) {
      throw new CommandError('BadValue', 'The positional operator did not find the match needed from the query.');
    }
    part = String(context.details.position);
  }
  const wide = /^\$\[(.*)\]$/.exec(part);
  if (wide) {
    if (!Array.isArray(container)) {
      throw new CommandError(
        'BadValue',
        `The path '${step.parts.slice(0, at).join('.')}' must exist in the document in order to apply array updates.`,
      );
    }
    const test = wide[1] === '' ? () => true : context.arrayFilters.get(wide[1] ?? '');
    for (const [index, element] of container.entries()) {
      if (test?.(element)) applyToElement(container, index, at, isLast, step, context);
    }
    return;
  }
  if (Array.isArray(container)) {
    if (!/^\d+$/.test(part)) {
      if (step.creates) notViable(step, part, container);
      return;
    }
    const index = Number(part);
    if (index >= container.length) {
      if (!step.creates) return;
      if (index > 1_500_000) throw new CommandError('BadValue', `can't backfill more than 1500000 elements`);
    }
    applyToElement(container, index, at, isLast, step, context);
    return;
  }
  if (!isDocument(container)) {
    if (step.creates) notViable(step, part, container);
    return;
  }
  const exists = Object.hasOwn(container, part);
  if (isLast) {
    settle(
      exists ? container[part] : undefined,
      step,
      context,
      (value) => {
        container[part] = value;
      },
      () => {
        delete container[part];
      },
    );
    return;
  }
  if (!exists) {
    if (!step.creates) return;
    container[part] = {};
  }
  applyStep(container[part], at + 1, step, context);
}

function applyToElement(
  array: unknown[],
  index: number,
  at: number,
  isLast: boolean,
  step: Step,
  context: Context,
): void {
  const pad = (): void => {
    while (array.length < index) array.push(null);
  };
  if (isLast) {
    settle(
      array[index],
      step,
      context,
      (value) => {
        pad();
        array[index] = value;
      },
      () => {
        array[index] = null;
      },
    );
    return;
  }
  if (index >= array.length) {
    pad();
    array[index] = {};
  }
  applyStep(array[index], at + 1, step, context);
}

export function applyRename(document: BsonDocument, from: string, to: string): void {
  const parts = from.split('.');
  const last = parts.pop() ?? from;
  let source: unknown = document;
  for (const part of parts) {
    source = isDocument(source) ? source[part] : undefined;
    if (Array.isArray(source))
      throw new CommandError('BadValue', `The source field of $rename cannot be an array element: ${from}`);
  }
  if (!isDocument(source) || !Object.hasOwn(source, last)) return;
  const value = source[last];
  delete source[last];
  const step: Step = { path: to, parts: to.split('.'), change: () => value, creates: true, onInsertOnly: false };
  applyStep(document, 0, step, { document, details: {}, arrayFilters: new Map() });
}
