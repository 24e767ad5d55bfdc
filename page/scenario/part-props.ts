import type { Scenario } from '../client/answers.ts';
import type { LiveState } from '../client/metrics-stream.ts';

/** What every part of the view of a scenario receives. */
export interface PartProps {
  readonly scenario: Scenario;
  readonly live: LiveState;
}
