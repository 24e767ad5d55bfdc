import type { LevelClass } from '../../shared/scenarios/pipeline.ts';
import type { ScenarioStatus, Service } from '../client/responses.ts';

export const serviceNames: Readonly<Record<Service, string>> = {
  queue: 'Message queue',
  function: 'Function service',
  inference: 'Model inference',
};

export const levelNames: Readonly<Record<LevelClass, string>> = {
  trace: 'Trace',
  debug: 'Debug',
  info: 'Info',
  warn: 'Warning',
  error: 'Error',
  fatal: 'Fatal',
  other: 'Another level',
  none: 'No level',
};

export const statusNames: Readonly<Record<ScenarioStatus, string>> = {
  draft: 'Draft',
  running: 'Running',
  completed: 'Completed',
  archived: 'Archived',
};

export const piiNames = {
  email: 'E-mail addresses',
  national_id: 'National identifiers',
  payment_card: 'Payment cards',
} as const;

/** Beside costs, of which some are `estimated`. */
export const estimatedNote =
  'These are estimates: tokens that Meterbook has counted, usage that follows from a design, prices from a second source, and old prices.';

/** Beside a total that is a sum of the known amounts only. */
export const incompleteNote = 'without the parts that have no price';

/** How certain a sum of lines is. `ok` needs no words. */
export const costStatusNames: Readonly<Record<string, string>> = {
  ok: '',
  estimated: 'partly estimated',
  unverified: 'unverified price',
  missing: 'no price',
};

/** How certain the cost of a single line is. */
export const lineStatusNames: Readonly<Record<string, string>> = { ...costStatusNames, estimated: 'estimated' };
