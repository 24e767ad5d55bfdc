import { createHash } from 'node:crypto';
import type { Action, DrainedLine, FaultLine } from '../history.ts';
import {
  type Attempt,
  type Evidence,
  finalsOf,
  groupBy,
  isAcknowledged,
  maxEffects,
  type Operation,
  ofKind,
  Verdict,
} from './operations.ts';

type Entries = Operation<Extract<Action, { kind: 'entries' }>>;

/**
 * Each message is stored as often as its operation can have been carried out, and at least once if
 * a response says that it is in the database. A message that was only queued can be missing if
 * Redis has lost it before the queue had drained.
 */
export function judgeEntries({ operations, faults, drained, finals }: Evidence): Verdict {
  const losses = faults.flatMap((fault) => lossOf(fault, drained) ?? []);
  const stored = new Map<string, Map<string, string[]>>();
  const verdict = new Verdict('entries sent', 'entries acknowledged', 'entries stored', 'queued entries lost by Redis');
  for (const { scenario, hashes, counted } of finalsOf(finals, 'entries')) {
    stored.set(
      scenario,
      groupBy(hashes, (hash) => hash),
    );
    verdict.count('entries stored', hashes.length);
    if (counted !== hashes.length)
      verdict.violations.push(
        `the metrics of scenario ${scenario} count ${counted} entries, and ${hashes.length} are stored`,
      );
  }
  /** By scenario, because an entry that was sent to another one is a leak. */
  const known = new Map<string, Set<string>>();
  for (const operation of ofKind(operations, 'entries')) {
    const { action } = operation;
    const acknowledged = operation.attempts.filter(isAcknowledged);
    verdict.count('entries sent', action.count);
    if (acknowledged.length > 0) verdict.count('entries acknowledged', action.count);
    const own = known.get(action.scenario) ?? new Set();
    known.set(action.scenario, own);
    const isPromised = acknowledged.some((attempt) => promiseOf(operation, attempt) === 'stored');
    const isExplained = acknowledged.every((attempt) => losses.some((loss) => canLose(loss, attempt)));
    for (let index = 0; index < action.count; index += 1) {
      const hash = sha256(`${action.prefix} ${index}`);
      own.add(hash);
      const times = stored.get(action.scenario)?.get(hash)?.length ?? 0;
      const entry = `entry "${action.prefix} ${index}" of scenario ${action.scenario}`;
      const max = maxEffects(operation);
      if (times > max) verdict.violations.push(`${entry} is stored ${times} times, at most ${max} is possible`);
      if (times > 0 || acknowledged.length === 0) continue;
      if (isPromised) verdict.violations.push(`${entry} is lost, and a response said that it was stored`);
      else if (isExplained) verdict.count('queued entries lost by Redis');
      else verdict.violations.push(`${entry} is lost, and no fault explains it`);
    }
  }
  for (const [scenario, hashes] of stored) {
    const unknown = [...hashes.keys()].filter((hash) => !known.get(scenario)?.has(hash)).length;
    if (unknown > 0) verdict.violations.push(`${unknown} entries of scenario ${scenario} were never sent`);
  }
  return verdict;
}

/** Where the response to an attempt says that its entries are. */
export const promiseOf = ({ action }: Entries, { status }: Attempt): 'stored' | 'queued' =>
  status === 200 ? action.promise : 'queued';

/** A time whose acknowledged entries Redis can have lost from the queue. */
interface Loss {
  readonly from: number;
  readonly to: number;
}

/** Entries that had left the queue before the fault are in the database. */
function lossOf({ losesQueueFrom, from, to }: FaultLine, drained: readonly DrainedLine[]): Loss | undefined {
  if (losesQueueFrom === undefined) return undefined;
  const before = drained.filter(({ at }) => at < from).map(({ until }) => until);
  return { from: Math.max(losesQueueFrom, ...before), to };
}

const canLose = ({ from, to }: Loss, { sentAt, endedAt }: Attempt) => endedAt >= from && sentAt <= to;

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
