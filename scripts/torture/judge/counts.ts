import { isCounted } from './entries.ts';
import { type Attempt, type Evidence, groupBy, isAcknowledged, maxEffects, ofKind, Verdict } from './operations.ts';

/**
 * What the metrics of a scenario count lies between what counted before they were read and what was
 * sent before the response, and never falls. With what is pending, it contains all that was
 * accepted before.
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
