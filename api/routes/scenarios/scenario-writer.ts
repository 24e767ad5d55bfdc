import type { Transition } from '../../../shared/models/scenario.model.ts';
import type { RouteDeps } from '../../app-deps.ts';
import type { Caller, Operation } from '../../request/context.ts';
import type { ConditionalHeaders } from '../../request/entity-tag.ts';
import type { OwnedScenarios } from '../../request/ownership.ts';
import { Joi, uuid } from '../../validation/joi.ts';

/** A request that changes scenarios: who sent it, what it can reach, and what its writes need. */
export interface ScenarioWriter {
  readonly scenarios: OwnedScenarios;
  readonly requestId: string;
  /** The account, the key and the client address. */
  readonly caller: Caller;
  /** The person for whom a client acts, by its own account (`X-User-ID`). Nothing proves it. */
  readonly userId: string | null;
  readonly operation: Operation | undefined;
  readonly deps: Pick<RouteDeps, 'queues' | 'log' | 'metrics' | 'scenarioCache'>;
}

/** Request headers of writes that name a person. */
export interface UserHeaders {
  'X-User-ID'?: string;
}

export const userHeaders = Joi.object<UserHeaders>({
  'X-User-ID': uuid().description('The person for whom the client acts; it is only recorded.'),
});

type WriteRequest = Omit<ScenarioWriter, 'deps' | 'userId'> & {
  readonly headers?: (UserHeaders & ConditionalHeaders) | undefined;
};

export function createWriter(request: WriteRequest, deps: ScenarioWriter['deps']): ScenarioWriter {
  const { scenarios, requestId, caller, headers, operation } = request;
  return { scenarios, requestId, caller, userId: headers?.['X-User-ID'] ?? null, operation, deps };
}

/** What a write does. `pass_on` gives all scenarios of a deleted account to another one. */
export type ScenarioWrite =
  | { readonly action: 'create' | 'update' | Transition | 'delete'; readonly scenarioId: string }
  | { readonly action: 'bulk_delete'; readonly scenarioIds: readonly string[] }
  | { readonly action: 'pass_on'; readonly from: string; readonly to: string };

/**
 * Makes a write. Every change of a stored scenario by a request passes here, so what accompanies a write (the cache,
 * records) has one place. `kind` is for records.
 */
export async function write<T>({ deps }: ScenarioWriter, _kind: ScenarioWrite, change: () => Promise<T>): Promise<T> {
  return deps.scenarioCache.invalidate(change);
}
