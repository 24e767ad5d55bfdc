import type { LiveMetrics, Scenario } from '../client/responses.ts';

/** Props of every part of the view of a scenario. */
export interface PartProps {
  readonly scenario: Scenario;
  /** The present metrics; null until the stream has reported them. */
  readonly metrics: LiveMetrics | null;
  /**
   * Changes with the metrics, but at most every few seconds: what is read again with them costs
   * more than a stream.
   */
  readonly version: string;
}
