import { promiseOf } from './entries.ts';
import { type Evidence, groupBy, isAcknowledged, maxEffects, ofKind, Verdict } from './operations.ts';

/**
 * What the metrics of a scenario count lies between what was stored before they were read and what
 * was sent before the response, and never falls.
 */
export function judgeCounts({ operations }: Evidence): Verdict {
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
    const stored = sent.flatMap((operation) => {
      const first = operation.attempts.filter(
        (attempt) => isAcknowledged(attempt) && promiseOf(operation, attempt) === 'stored',
      );
      return first.length === 0
        ? []
        : [{ at: Math.min(...first.map(({ endedAt }) => endedAt)), count: operation.action.count }];
    });
    for (const { sentAt, endedAt, seen } of own) {
      const highest = Math.max(0, ...own.filter((read) => read.endedAt < sentAt).map((read) => Number(read.seen)));
      const least = sumUntil(stored, sentAt);
      const most = sumUntil(added, endedAt);
      const read = `the metrics of scenario ${scenario} counted ${seen} entries at ${endedAt} ms`;
      if (Number(seen) < highest) verdict.violations.push(`${read}, after ${highest}`);
      if (Number(seen) < least) verdict.violations.push(`${read}, and ${least} were stored before`);
      if (Number(seen) > most) verdict.violations.push(`${read}, and ${most} were sent`);
    }
  }
  return verdict;
}

function sumUntil(items: readonly { at: number; count: number }[], time: number): number {
  return items.reduce((sum, { at, count }) => (at <= time ? sum + count : sum), 0);
}
