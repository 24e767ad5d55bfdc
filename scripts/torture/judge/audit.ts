import type { Action } from '../history.ts';
import { type Case, count, finalsOf, groupBy, isDone, isUnknown, maxEffects, type Operation } from './operations.ts';

const zeros = '0'.repeat(64);

/**
 * The chain has no gap and no broken link, each change has its record, and each record its change.
 * The record of an interrupted request says that its change is unknown, so a repeat can have
 * another one.
 */
export function judgeAudit(all: Case): void {
  const { operations, finals, violations } = all;
  for (const { isValid, records, pending = [] } of finalsOf(finals, 'audit')) {
    count(all, 'audit records', records.length);
    if (!isValid) violations.push('the service finds its chain of audit records broken');
    let previous = zeros;
    for (const [index, { seq, previousHash, hash }] of records.entries()) {
      if (seq !== index + 1) violations.push(`audit record ${index + 1} is missing: ${seq} follows`);
      if (previousHash !== previous) violations.push(`audit record ${seq} does not follow the one before it`);
      if (seq !== index + 1 || previousHash !== previous) break;
      previous = hash;
    }
    const byRequest = groupBy(records, ({ request }) => request);
    for (const [request, { length }] of byRequest)
      if (length > 1) violations.push(`request ${request} has ${length} audit records`);
    for (const operation of operations) {
      const type = eventOf(operation.action);
      const own = operation.attempts.flatMap(({ request }) => byRequest.get(request) ?? []);
      for (const { request } of operation.attempts) byRequest.delete(request);
      const change = `operation ${operation.id} (${operation.action.kind} ${type ?? 'nothing that is audited'})`;
      const complete = own.filter(({ isInterrupted }) => !isInterrupted).length;
      const max = type === undefined ? 0 : maxRecords(operation);
      if (own.some((record) => record.type !== type)) violations.push(`${change} has a record of another event`);
      if (complete > max) violations.push(`${change} has ${complete} audit records, at most ${max} are possible`);
      const isPending = operation.attempts.some(({ request }) => pending.includes(request));
      if (type !== undefined && isCertain(operation) && own.length === 0 && !isPending)
        violations.push(`${change} has no audit record`);
    }
    for (const request of byRequest.keys())
      violations.push(`request ${request} has an audit record, and was never sent`);
  }
}

/** A repeat of a deletion finds nothing if an earlier attempt has had its effect. */
const isCertain = (operation: Operation) =>
  isDone(operation) ||
  (operation.action.kind === 'delete' &&
    operation.attempts.some(isUnknown) &&
    operation.attempts.some(({ status }) => status === 404));

/** Nothing can be started or deleted twice. */
const maxRecords = (operation: Operation) =>
  operation.action.kind === 'create' ? maxEffects(operation) : Math.min(1, maxEffects(operation));

const audited = { scenarios: 'SCENARIO', users: 'USER', keys: 'API_KEY' };

/** The event of a change; undefined for what is not audited. */
function eventOf(action: Action): string | undefined {
  if (action.kind === 'start') return 'SCENARIO_UPDATED';
  if (action.kind !== 'create' && action.kind !== 'delete') return undefined;
  return `${audited[action.collection]}_${action.kind === 'create' ? 'CREATED' : 'DELETED'}`;
}
