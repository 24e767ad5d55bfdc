import { second } from '../durations.ts';
import { AppError } from '../errors.ts';

/** More usage is uncounted than a read merges. */
export class UsageBacklogError extends AppError {
  constructor() {
    const headers = { 'Retry-After': String(refusalMs / second) };
    super('SERVICE_UNAVAILABLE', 'The latest usage of the scenario is still being counted.', { headers });
  }
}

/** A refused read has merged thousands of hours, so the next ones are refused without a query. */
const refusalMs = 2 * second;
/** Beyond them, the oldest refusal is forgotten. */
const maxRefusals = 1_000;

interface Refusal {
  /** The limit of the refused read: how many uncounted hours it merges. */
  readonly hours: number;
  /** In the clock of `performance.now()`. */
  readonly endsAt: number;
}

/** The refusals of this process, by scenario. */
const refusals = new Map<string, Refusal>();

/** Refuses reads of a scenario with this limit, or a lower one, until `Retry-After` is over. */
export function recordBacklog(scenarioId: string, hours: number): void {
  refusals.delete(scenarioId);
  refusals.set(scenarioId, { hours, endsAt: performance.now() + refusalMs });
  const [oldest] = refusals.keys();
  if (oldest !== undefined && refusals.size > maxRefusals) refusals.delete(oldest);
}

/** @throws UsageBacklogError if reads with this limit are refused. */
export function requireNoBacklog(scenarioId: string, hours: number): void {
  const refusal = refusals.get(scenarioId);
  if (refusal && hours <= refusal.hours && performance.now() < refusal.endsAt) throw new UsageBacklogError();
}
