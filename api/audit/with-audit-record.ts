import type { AuditDetails } from '../../shared/audit/audit-record.model.ts';
import type { RouteDeps } from '../app-deps.ts';
import type { Reply, Route, RouteAudit } from '../http/route.ts';
import { actorOf, addAuditJob, changeWithIntent } from './audit-trail.ts';

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
  { params, body, caller, requestId }: Parameters<Route['handle']>[0],
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
  const reply = await changeWithIntent(deps, { actor, type, before: details(id), after }, handle);
  await addAuditJob(deps, requestId);
  return reply;
}

/** The id of the account or key that a response shows. */
function idIn({ body }: Reply): string | undefined {
  const { id, user } = (body ?? {}) as { id?: string; user?: { id: string } };
  return id ?? user?.id;
}
