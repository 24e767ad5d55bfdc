import { createHash } from 'node:crypto';
import type { Action, AttemptLine } from '../history.ts';
import {
  type Case,
  count,
  finalsOf,
  groupBy,
  isAcknowledged,
  maxEffects,
  type Operation,
  ofKind,
} from './operations.ts';

type Entries = Operation<Extract<Action, { kind: 'entries' }>>;

/**
 * Each message is stored as often as its operation can have been carried out, and at least once if
 * it was acknowledged. No fault explains a loss.
 */
export function judgeEntries(all: Case): void {
  const { operations, finals, violations } = all;
  const stored = new Map<string, Map<string, string[]>>();
  for (const { scenario, hashes, counted } of finalsOf(finals, 'entries')) {
    const byHash = groupBy(hashes, (hash) => hash);
    stored.set(scenario, byHash);
    count(all, 'entries stored', hashes.length);
    if (counted !== hashes.length)
      violations.push(`the metrics of scenario ${scenario} count ${counted} entries, and ${hashes.length} are stored`);
  }
  /** By scenario, because an entry that was sent to another one is a leak. */
  const known = new Map<string, Set<string>>();
  for (const operation of ofKind(operations, 'entries')) {
    const { action } = operation;
    const acknowledged = operation.attempts.filter(isAcknowledged);
    count(all, 'entries sent', action.count);
    if (acknowledged.length > 0) count(all, 'entries acknowledged', action.count);
    const own = known.get(action.scenario) ?? new Set();
    known.set(action.scenario, own);
    for (let index = 0; index < action.count; index += 1) {
      const hash = sha256(`${action.prefix} ${index}`);
      own.add(hash);
      const times = stored.get(action.scenario)?.get(hash)?.length ?? 0;
      const entry = `entry "${action.prefix} ${index}" of scenario ${action.scenario}`;
      const max = maxEffects(operation);
      if (times > max) violations.push(`${entry} is stored ${times} times, at most ${max} is possible`);
      if (times === 0 && acknowledged.length > 0) violations.push(`${entry} is lost, and was acknowledged`);
    }
  }
  for (const [scenario, hashes] of stored) {
    const unknown = [...hashes.keys()].filter((hash) => !known.get(scenario)?.has(hash)).length;
    if (unknown > 0) violations.push(`${unknown} entries of scenario ${scenario} were never sent`);
  }
}

/** Whether the response to an attempt says that metrics count its entries. */
export const isCounted = ({ action }: Entries, { status }: AttemptLine): boolean =>
  status === 200 && action.promise === 'counted';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
