import type { LiveMetrics, Scenario } from '../client/responses.ts';
import type { Bounds } from '../period/period.ts';

/** Props of every part of the view of a scenario. */
export interface PartProps {
  readonly scenario: Scenario;
  /** The present metrics of all entries; null until the stream has reported them. */
  readonly metrics: LiveMetrics | null;
  /** The metrics of the chosen period; null until they are there. */
  readonly shown: LiveMetrics | null;
  /** Whether `shown` are those of another period. */
  readonly isOld: boolean;
  /** The chosen period. */
  readonly bounds: Bounds;
  /**
   * Changes with the metrics, but at most every few seconds: what is read again with them costs
   * more than a stream.
   */
  readonly version: string;
}
