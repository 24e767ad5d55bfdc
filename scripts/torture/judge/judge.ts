import type { HistoryLine } from '../history.ts';
import { judgeAudit } from './audit.ts';
import { judgeCounts } from './counts.ts';
import { judgeEntries } from './entries.ts';
import { finalsOf, readEvidence, Verdict } from './operations.ts';
import { judgeResponses } from './responses.ts';

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
