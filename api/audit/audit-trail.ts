import { oneAppendAtATime } from '../../shared/audit/append-audit-records.queue.ts';
import { closeIntent, discardIntent, openIntent } from '../../shared/audit/audit-outbox.ts';
import {
  type AuditActor,
  type AuditDetails,
  type AuditEventType,
  createAuditEvent,
} from '../../shared/audit/audit-record.model.ts';
import { AppError } from '../../shared/errors.ts';
import { errorFields } from '../../shared/process/log.ts';
import type { RouteDeps } from '../app-deps.ts';
import type { Caller, Operation } from '../http/context.ts';
import type { Reply, Route, RouteAudit } from '../http/route.ts';

/** Records the events of requests, from which audit records are made. */

type Deps = Pick<RouteDeps, 'models' | 'queues' | 'log'>;

/**
 * The sender of a request. `declared` is the user that it names without proof. A key acts as its
 * owner, like everywhere.
 */
export function actorOf(caller: Caller, requestId: string, declared?: string): AuditActor {
  const accountId = caller.key?.ownerId ?? caller.user?.id ?? null;
  const userId = declared ?? accountId;
  return {
    userId,
    userIdSource: userId === null ? null : declared === undefined ? 'credentials' : 'header',
    accountId,
    apiKeyId: caller.key?.id ?? null,
    clientAddress: caller.address,
    requestId,
  };
}

/**
 * Adds the job that appends waiting events. If Redis is unreachable, the workers' sweep adds it
 * later.
 */
export async function addAuditJob({ queues, log }: Deps, requestId: string): Promise<void> {
  await queues['append-audit-records']
    .add({ requestId }, oneAppendAtATime)
    .catch((error: unknown) => log.warn('audit records left to the sweep', errorFields(error)));
}

/** An event whose details are known after its change. */
interface Change<T> {
  readonly actor: AuditActor;
  readonly type: AuditEventType;
  /** The details as far as they are known before. */
  readonly before: AuditDetails;
  /** @returns null if the outcome is not known. */
  readonly after: (result: T) => AuditDetails | null;
  /** All attempts of an operation have one event. */
  readonly operation?: Operation | undefined;
}

/**
 * Makes a change whose event has no row to wait in: between the opening and the closing of an
 * intent. A refused change leaves no record. If its outcome is unknown, the intent stays open for
 * the workers.
 */
export async function changeWithIntent<T>(
  { models, log }: Omit<Deps, 'queues'>,
  { actor, type, before, after, operation }: Change<T>,
  change: (intentId: string) => Promise<T>,
): Promise<T> {
  const created = createAuditEvent(actor, type, before);
  const event = operation ? { ...created, id: operation.id } : created;
  await openIntent(models, event);
  const settle = (settling: Promise<void>) =>
    settling.catch((error: unknown) => log.warn('audit intent left to the sweep', errorFields(error)));
  try {
    const result = await change(event.id);
    const details = after(result);
    if (details) await settle(closeIntent(models, event.id, details));
    return result;
  } catch (error) {
    // An earlier attempt can have made the change that this one is refused.
    const isRefused = error instanceof AppError && error.status < 500 && !operation?.attemptedBefore;
    if (isRefused) await settle(discardIntent(models, event.id));
    throw error;
  }
}

/** Adds an audit record of each successful request to a route that has `audit`. */
export function withAuditRecord(route: Route): Route {
  const { audit } = route;
  if (!audit) return route;
  return {
    ...route,
    handle: (request, deps) => recordReply(audit, request, deps, () => route.handle(request, deps)),
  };
}

async function recordReply(
  { type, action, fields, detailsOf }: RouteAudit,
  { params, body, caller, requestId, operation }: Parameters<Route['handle']>[0],
  deps: RouteDeps,
  handle: () => Promise<Reply>,
): Promise<Reply> {
  const actor = actorOf(caller, requestId);
  const { id } = (params ?? {}) as { id?: string };
  const sent = type.endsWith('_UPDATED') && action === undefined ? Object.keys(body ?? {}) : undefined;
  const changed = fields ?? sent;
  const details = (target?: string | null): AuditDetails => ({
    ...(target ? { target_id: target } : {}),
    ...(changed === undefined ? {} : { fields: changed }),
    ...(action === undefined ? {} : { action }),
    ...detailsOf?.(body),
  });
  const after = (reply: Reply) => details(id ?? idIn(reply) ?? actor.accountId);
  const reply = await changeWithIntent(deps, { actor, type, before: details(id), after, operation }, handle);
  await addAuditJob(deps, requestId);
  return reply;
}

/** The id of the account or key that a response shows. */
function idIn({ body }: Reply): string | undefined {
  const { id, user } = (body ?? {}) as { id?: string; user?: { id: string } };
  return id ?? user?.id;
}
