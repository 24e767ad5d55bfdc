import type { ScenarioStatus, Service } from '../client/responses.ts';

export const serviceNames: Readonly<Record<Service, string>> = {
  queue: 'Message queue',
  function: 'Function service',
  inference: 'Model inference',
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

/** Beside a total that is a sum of the known amounts only. */
export const incompleteNote = 'without the parts that have no price';

/** How certain a cost is. `ok` needs no words. */
export const costStatusNames: Readonly<Record<string, string>> = {
  ok: '',
  estimated: 'estimated',
  unverified: 'unverified price',
  missing: 'no price',
};
