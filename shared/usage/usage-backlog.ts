import { second } from '../durations.ts';
import { AppError } from '../errors.ts';

/** More usage is pending than a read takes. */
export class UsageBacklogError extends AppError {
  constructor() {
    const headers = { 'Retry-After': String(refusalMs / second) };
    super('SERVICE_UNAVAILABLE', 'The latest usage of the scenario is still being merged.', { headers });
  }
}

/** A refused read has cost megabytes, so the next ones are refused without the database. */
const refusalMs = 2 * second;
/** Beyond them, the oldest refusal is forgotten. */
const maxRefusals = 1_000;

interface Refusal {
  /** The budget of the read that was refused. */
  readonly bytes: number;
  /** In the clock of `performance.now()`. */
  readonly endsAt: number;
}

/** The refusals of this process, by scenario. */
const refusals = new Map<string, Refusal>();

/** Refuses reads of a scenario that take as much, or less, until `Retry-After` is over. */
export function recordBacklog(scenarioId: string, bytes: number): void {
  refusals.delete(scenarioId);
  refusals.set(scenarioId, { bytes, endsAt: performance.now() + refusalMs });
  const [oldest] = refusals.keys();
  if (oldest !== undefined && refusals.size > maxRefusals) refusals.delete(oldest);
}

/** @throws UsageBacklogError for a read that takes so many bytes, if it is refused. */
export function requireNoBacklog(scenarioId: string, bytes: number): void {
  const refusal = refusals.get(scenarioId);
  if (refusal && bytes <= refusal.bytes && performance.now() < refusal.endsAt) throw new UsageBacklogError();
}
