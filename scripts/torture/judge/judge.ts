import type { HistoryLine } from '../history.ts';
import { judgeAudit } from './audit.ts';
import { isCounted, judgeEntries } from './entries.ts';
import {
  type Attempt,
  type Evidence,
  finalsOf,
  groupBy,
  isAcknowledged,
  isUnknown,
  maxEffects,
  type Operation,
  ofKind,
  readEvidence,
  Verdict,
} from './operations.ts';

/**
 * Compares a history with what its responses promised. It imports nothing of the service, and reads
 * nothing but the history.
 */
export function judge(lines: readonly HistoryLine[]): Verdict {
  const evidence = readEvidence(lines);
  const parts = [judgeResponses, judgeEntries, judgeCounts, judgeAudit];
  const verdict = new Verdict();
  for (const part of parts) {
    const { violations, counts } = part(evidence);
    verdict.violations.push(...violations);
    Object.assign(verdict.counts, counts);
  }
  const leftovers = finalsOf(evidence.finals, 'leftovers').flatMap(({ names }) => names);
  verdict.violations.push(...leftovers.map((name) => `left two minutes after the end: ${name}`));
  for (const what of ['entries', 'audit', 'leftovers'] as const) {
    if (finalsOf(evidence.finals, what).length === 0) verdict.violations.push(`the run ended before ${what} were read`);
  }
  return verdict;
}

/** Only errors that name a reason of the moment are possible. */
function judgeResponses({ operations }: Evidence): Verdict {
  const verdict = new Verdict('requests', 'requests without a response', 'requests with 5xx');
  for (const operation of operations) {
    for (const attempt of operation.attempts) {
      const { status, code, request } = attempt;
      verdict.count('requests');
      if (status === null) verdict.count('requests without a response');
      else if (status >= 500) verdict.count('requests with 5xx');
      if (status === null || status < 400 || isPossible(operation, attempt)) continue;
      const retry = status === 503 || status === 429 ? ' without Retry-After' : '';
      verdict.violations.push(`request ${request} (${operation.action.kind}) got ${status} ${code ?? ''}${retry}`);
    }
  }
  return verdict;
}

function isPossible({ action, isKeyed, attempts }: Operation, attempt: Attempt): boolean {
  const { status, code, hasRetryAfter } = attempt;
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
function judgeCounts({ operations }: Evidence): Verdict {
  const verdict = new Verdict('reads of metrics');
  const entries = ofKind(operations, 'entries');
  const reads = ofKind(operations, 'count').flatMap(({ action, attempts }) =>
    attempts.filter(isAcknowledged).map((attempt) => ({ scenario: action.scenario, ...attempt })),
  );
  verdict.count('reads of metrics', reads.length);
  for (const [scenario, own] of groupBy(reads, (read) => read.scenario)) {
    const sent = entries.filter(({ action }) => action.scenario === scenario);
    const added = sent.map((operation) => ({
      at: operation.attempts[0]?.sentAt ?? 0,
      count: operation.action.count * maxEffects(operation),
    }));
    const first = (isPromised: (operation: (typeof sent)[number], attempt: Attempt) => boolean) =>
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
      const all = Number(seen) + pending;
      const read = `the metrics of scenario ${scenario} counted ${seen} entries at ${endedAt} ms`;
      const known = sumUntil(accepted, sentAt);
      if (Number(seen) < highest) verdict.violations.push(`${read}, after ${highest}`);
      if (Number(seen) < least) verdict.violations.push(`${read}, and ${least} had counted before`);
      if (all < known) verdict.violations.push(`${read} with ${pending} pending, and ${known} were accepted before`);
      if (all > most) verdict.violations.push(`${read} with ${pending} pending, and ${most} were sent`);
    }
  }
  return verdict;
}

function sumUntil(items: readonly { at: number; count: number }[], time: number): number {
  return items.reduce((sum, { at, count }) => (at <= time ? sum + count : sum), 0);
}
