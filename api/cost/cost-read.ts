import { openAccess } from '../http/access/access-rules.ts';
import { createCallerSlots } from '../http/access/concurrent-requests.ts';
import { idPath } from '../http/input.ts';
import { longRequestMs } from '../http/request-timeout.ts';
import { scenariosTag } from '../scenarios/scenarios.routes.ts';

/** The common part of routes that read and price usage. */
export const costRead = {
  timeoutMs: longRequestMs,
  tag: scenariosTag,
  access: openAccess('scenarios:read'),
  compressed: 'each',
} as const;

/** The same of one scenario. */
export const scenarioRead = {
  ...costRead,
  params: idPath,
  errors: { NOT_FOUND: 'The scenario does not exist.' },
} as const;

/**
 * The requests of a caller that read usage by a route at the same time. Each takes about 15 MiB of
 * memory, for its result and the days that it reads; 30 with 70 models an hour. Pending usage takes
 * up to 40 more.
 */
export const createReadSlots = () => createCallerSlots(2);
