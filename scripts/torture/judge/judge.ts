import type { AttemptLine, HistoryLine } from '../history.ts';
import { judgeAudit } from './audit.ts';
import { isCounted, judgeEntries } from './entries.ts';
import {
  type Case,
  count,
  finalsOf,
  groupBy,
  isAcknowledged,
  isUnknown,
  maxEffects,
  type Operation,
  ofKind,
  readCase,
} from './operations.ts';

/**
 * Compares a history with what its responses promised. It imports nothing of the service, and reads
 * nothing but the history.
 */
export function judge(lines: readonly HistoryLine[]): Pick<Case, 'violations' | 'counts'> {
  const all = readCase(lines);
  const { finals, violations } = all;
  for (const part of [judgeResponses, judgeEntries, judgeCounts, judgeAudit]) part(all);
  const leftovers = finalsOf(finals, 'leftovers').flatMap(({ names }) => names);
  violations.push(...leftovers.map((name) => `left two minutes after the end: ${name}`));
  for (const what of ['entries', 'audit', 'leftovers'] as const) {
    if (finalsOf(finals, what).length === 0) violations.push(`the run ended before ${what} were read`);
  }
  return all;
}

/** Only errors that name a reason of the moment are possible. */
function judgeResponses(all: Case): void {
  for (const operation of all.operations) {
    for (const attempt of operation.attempts) {
      const { status, code, request } = attempt;
      count(all, 'requests');
      if (status === null) count(all, 'requests without a response');
      else if (status >= 500) count(all, 'requests with 5xx');
      if (status === null || status < 400 || isPossible(operation, attempt)) continue;
      const retry = status === 503 || status === 429 ? ' without Retry-After' : '';
      all.violations.push(`request ${request} (${operation.action.kind}) got ${status} ${code ?? ''}${retry}`);
    }
  }
}

function isPossible({ action, isKeyed, attempts }: Operation, attempt: AttemptLine): boolean {
  const { status, code, hasRetryAfter = false } = attempt;
  // An earlier attempt can have been carried out, or still be.
  const isRepeat = attempts.some((other) => other.sentAt < attempt.sentAt && isUnknown(other));
  if (status === 502) return true;
  if (status === 503 || status === 429) return hasRetryAfter;
  // A response of OpenTelemetry has no code.
  if (status === 409 && isKeyed && hasRetryAfter && action.kind !== 'entries') return true;
  if (status === 409) return code === 'CONFLICT' && (isRepeat || action.kind === 'create');
  return status === 404 && action.kind === 'delete' && isRepeat;
}

/**
 * What the metrics of a scenario count lies between what counted before they were read and what was
 * sent before the response, and never falls. With what is pending, it contains all that was
 * accepted before.
 */
function judgeCounts(all: Case): void {
  const { operations, violations } = all;
  const entries = ofKind(operations, 'entries');
  const reads = ofKind(operations, 'count').flatMap(({ action, attempts }) =>
    attempts.filter(isAcknowledged).map((attempt) => ({ ...attempt, scenario: action.scenario })),
  );
  count(all, 'reads of metrics', reads.length);
  for (const [scenario, own] of groupBy(reads, (read) => read.scenario)) {
    const sent = entries.filter(({ action }) => action.scenario === scenario);
    const added = sent.map((operation) => ({
      at: operation.attempts[0]?.sentAt ?? 0,
      count: operation.action.count * maxEffects(operation),
    }));
    const first = (isPromised: (operation: (typeof sent)[number], attempt: AttemptLine) => boolean) =>
      sent.flatMap((operation) => {
        const times = operation.attempts
          .filter((attempt) => isAcknowledged(attempt) && isPromised(operation, attempt))
          .map(({ endedAt }) => endedAt);
        return times.length === 0 ? [] : [{ at: Math.min(...times), count: operation.action.count }];
      });
    const counted = first(isCounted);
    const accepted = first(() => true);
    for (const { sentAt, endedAt, seen, pending = 0 } of own) {
      const highest = Math.max(0, ...own.filter((read) => read.endedAt < sentAt).map((read) => read.seen ?? 0));
      const least = sumUntil(counted, sentAt);
      const most = sumUntil(added, endedAt);
      const sum = Number(seen) + pending;
      const read = `the metrics of scenario ${scenario} counted ${seen} entries at ${endedAt} ms`;
      const known = sumUntil(accepted, sentAt);
      if (Number(seen) < highest) violations.push(`${read}, after ${highest}`);
      if (Number(seen) < least) violations.push(`${read}, and ${least} had counted before`);
      if (sum < known) violations.push(`${read} with ${pending} pending, and ${known} were accepted before`);
      if (sum > most) violations.push(`${read} with ${pending} pending, and ${most} were sent`);
    }
  }
}

function sumUntil(items: readonly { at: number; count: number }[], time: number): number {
  return items.reduce((sum, { at, count: added }) => (at <= time ? sum + added : sum), 0);
}
