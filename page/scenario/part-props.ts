import type { LiveMetrics, Scenario } from '../client/responses.ts';
import type { Bounds, EntrySpan } from '../period/period.ts';

/** Props of every part of the view of a scenario. */
export interface PartProps {
  readonly scenario: Scenario;
  /** The metrics of the chosen period. */
  readonly metrics: LiveMetrics;
  /** Whether they are still those of the period before. */
  readonly isOld: boolean;
  /** The chosen period. */
  readonly bounds: Bounds;
  /** The hours with entries, in all periods. */
  readonly entries: EntrySpan;
  /** Changes with the metrics, but at most every few seconds, for what costs more to read. */
  readonly version: string;
}
