import type { Action } from '../history.ts';
import {
  type Evidence,
  finalsOf,
  isDone,
  isRefused,
  isUnknown,
  maxEffects,
  type Operation,
  ofKind,
  Verdict,
} from './operations.ts';

/**
 * Each created object exists once, unless it was deleted. A create without a response exists as
 * often as it can have been carried out.
 */
export function judgeCollections({ operations, finals }: Evidence): Verdict {
  const verdict = new Verdict('items created', 'items deleted');
  const deletions = new Map(ofKind(operations, 'delete').map((operation) => [keyOf(operation.action), operation]));
  const found = new Map<string, number>();
  for (const { collection, names } of finalsOf(finals, 'names')) {
    for (const name of names) found.set(keyOf({ collection, name }), (found.get(keyOf({ collection, name })) ?? 0) + 1);
  }
  for (const create of ofKind(operations, 'create')) {
    const key = keyOf(create.action);
    const deletion = deletions.get(key);
    const isCreated = isDone(create);
    const isDeleted = deletion !== undefined && isGone(deletion);
    if (isCreated) verdict.count('items created');
    if (isDeleted) verdict.count('items deleted');
    const times = found.get(key) ?? 0;
    const max = maxEffects(create) - (isDeleted ? 1 : 0);
    if (times > max) verdict.violations.push(`${key} exists ${times} times, at most ${max} is possible`);
    const canBeDeleted = deletion !== undefined && !deletion.attempts.every(isRefused);
    if (times === 0 && isCreated && !canBeDeleted) verdict.violations.push(`${key} is lost`);
  }
  return verdict;
}

const keyOf = ({ collection, name }: Pick<Extract<Action, { kind: 'create' }>, 'collection' | 'name'>) =>
  `${collection} "${name}"`;

/** A repeat finds nothing if an earlier attempt has deleted it. */
export const isGone = (deletion: Operation) =>
  isDone(deletion) || (deletion.attempts.some(isUnknown) && deletion.attempts.some(({ status }) => status === 404));
