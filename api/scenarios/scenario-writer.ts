import {
  type AuditActor,
  type AuditDetails,
  type AuditEvent,
  type AuditEventType,
  createAuditEvent,
} from '../../shared/audit/audit-record.model.ts';
import type { RouteDeps } from '../app-deps.ts';
import { actorOf, addAuditJob } from '../audit/audit-trail.ts';
import type { OwnedScenarios } from '../http/access/ownership.ts';
import type { Caller, Operation } from '../http/context.ts';
import type { ConditionalHeaders } from '../http/entity-tag.ts';
import { Joi, uuid } from '../http/joi.ts';

/** A request that changes scenarios: who sent it, what it can reach, and what its writes need. */
export interface ScenarioWriter {
  readonly scenarios: OwnedScenarios;
  readonly requestId: string;
  /** The account, the key and the client address. */
  readonly caller: Caller;
  /** The person for whom a client acts, by its own account (`X-User-ID`). Nothing proves it. */
  readonly userId: string | null;
  readonly operation: Operation | undefined;
  readonly deps: Pick<RouteDeps, 'queues' | 'log' | 'models' | 'metrics' | 'scenarioCache' | 'config' | 'priceBooks'>;
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

/**
 * Makes a write. Every change of a stored scenario by a request passes here, so what accompanies a
 * write (the cache, the audit job) has one place.
 */
export async function write<T>(writer: ScenarioWriter, change: () => Promise<T>): Promise<T> {
  const changed = await writer.deps.scenarioCache.invalidate(change);
  await addAuditJob(writer.deps, writer.requestId);
  return changed;
}

/** An event for the document update that makes the change. */
export function createEvent(writer: ScenarioWriter, type: AuditEventType, details: AuditDetails): AuditEvent {
  return createAuditEvent(actorOfWriter(writer), type, details);
}

export const actorOfWriter = ({ caller, requestId, userId }: ScenarioWriter): AuditActor =>
  actorOf(caller, requestId, userId);
