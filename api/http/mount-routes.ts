import Router from '@koa/router';
import type { ObjectSchema } from 'joi';
import type { Middleware } from 'koa';
import compose from 'koa-compose';
import { type FieldError, validationError } from '../../shared/errors.ts';
import type { Report } from '../../shared/reports/report.model.ts';
import type { ReportSchedule } from '../../shared/reports/report-schedule.model.ts';
import type { Scenario } from '../../shared/scenarios/scenario.model.ts';
import type { RouteDeps } from '../app-deps.ts';
import { access } from './access/access.ts';
import { owned, ownershipOf } from './access/ownership.ts';
import { readJsonBody } from './body/request-body.ts';
import { compression } from './compression.ts';
import type { AppContext, AppState } from './context.ts';
import { matchesTag } from './entity-tag.ts';
import { idempotencyKey } from './idempotency-key.ts';
import { check, fieldsOf, validate } from './input.ts';
import { requestTimeout } from './request-timeout.ts';
import { type Reply, type Route, routeName } from './route.ts';

/**
 * Creates the router of a list of routes, the last middleware of `app.ts`. Within the time of its
 * route, a request passes the access rules, then the middleware for idempotency keys, then the
 * handler. The router tries the pattern of every route, so it gets only the requests whose address
 * is not the path of one, and `/scenarios/compare` is not the `{id}` of `/scenarios/{id}`.
 * @throws TypeError if two routes collide, or a path and its schema name different parameters.
 */
export function mountRoutes(routes: readonly Route[], deps: RouteDeps): Middleware<AppState> {
  checkRoutes(routes);
  const router = new Router<AppState>();
  const byAddress = new Map<string, Middleware<AppState>>();
  const withKey = idempotencyKey(deps);
  const reserveBodyMemory: Middleware<AppState> = async (ctx, next) => {
    ctx.state.bodyMemory = deps.bodyMemory.open(ctx.state.caller.network);
    try {
      await next();
    } finally {
      ctx.state.bodyMemory.release();
    }
  };
  for (const route of routes) {
    const respond = compose<AppContext>([
      (ctx: AppContext, next: () => Promise<unknown>) => {
        // Applies to every error of what follows, also to those of the access rules.
        if (route.errorFormat) ctx.state.errorFormat = route.errorFormat;
        return next();
      },
      requestTimeout(route.timeoutMs ?? deps.config.mongodbTimeoutMs),
      access(route, deps),
      ...(route.compressed ? [compression(route.compressed)] : []),
      reserveBodyMemory,
      ...(hasKeyRecords(route) ? [withKey(route)] : []),
      handleRequest(route, deps),
    ] as Middleware<AppState>[]);
    router.register(route.path.replaceAll(/\{(\w+)\}/g, ':$1'), [route.method], respond);
    if (!route.path.includes('{')) byAddress.set(routeName(route), respond);
  }
  const findRoute: Middleware<AppState> = (ctx, next) => {
    const method = ctx.method === 'HEAD' ? 'GET' : ctx.method;
    // The router distinguishes neither upper and lower case, nor a slash at the end.
    const respond = byAddress.get(`${method} ${ctx.path.toLowerCase().replace(/\/$/, '')}`);
    if (!respond) return next();
    ctx['params'] = {};
    return respond(ctx, next);
  };
  return compose<AppContext>([findRoute, router.routes(), router.allowedMethods()] as Middleware<AppState>[]);
}

const hasKeyRecords = ({ method, idempotency = 'record' }: Route) =>
  method === 'POST' && (idempotency === 'record' || idempotency === 'lock');

function checkRoutes(routes: readonly Route[]): void {
  const seen = new Set<string>();
  for (const route of routes) {
    for (const name of [routeName(route), route.operationId]) {
      if (seen.has(name)) throw new TypeError(`${name} is defined twice.`);
      seen.add(name);
    }
    const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const inSchema = keysOf(route.params);
    if (inPath.length !== inSchema.length || inPath.some((name) => !inSchema.includes(name ?? ''))) {
      throw new TypeError(`${routeName(route)}: its path and its schema name different parameters.`);
    }
  }
}

/**
 * Creates a middleware that validates a request by the schemas of the route, runs the handler and
 * sends its reply.
 */
function handleRequest(route: Route, deps: RouteDeps): (ctx: AppContext) => Promise<void> {
  const headerNames = keysOf(route.headers);
  const { body } = route;
  return async (ctx) => {
    const { params, headers, query } = validateHead(route, headerNames, ctx);
    const { caller } = ctx.state;
    const ownership = ownershipOf(caller, deps.config.auth.access);
    const request = {
      params,
      headers,
      query,
      body: body && 'schema' in body ? validate(body.schema, await readJsonBody(ctx, body)) : undefined,
      requestId: ctx.state.requestId,
      caller,
      ownership,
      scenarios: owned<Scenario>(deps.allOwners.scenario, ownership),
      reports: owned<Report>(deps.allOwners.report, ownership),
      reportSchedules: owned<ReportSchedule>(deps.allOwners.reportSchedule, ownership),
      operation: ctx.state.operation,
      ctx,
    };
    const reply = await route.handle(request, { ...deps, log: ctx.state.log });
    if (!ctx.state.timedOut) sendReply(ctx, reply);
  };
}

/** The keys that a schema of an object names. */
export const keysOf = (schema: ObjectSchema | undefined): string[] =>
  (schema ? fieldsOf(schema) : []).map(({ key }) => key);

/**
 * Validates the path, the headers and the query.
 * @throws AppError VALIDATION_ERROR with all errors of path and headers, otherwise with all errors
 * of the query.
 */
function validateHead(route: Route, headerNames: readonly string[], ctx: AppContext) {
  const errors: FieldError[] = [];
  const collect = (schema: ObjectSchema | undefined, value: object, whole: string): unknown => {
    if (!schema) return undefined;
    const result = check(schema, value, whole);
    if ('value' in result) return result.value;
    errors.push(...result.errors);
    return undefined;
  };
  const params = collect(route.params, ctx['params'] as object, 'path');
  const headers = collect(route.headers, sentHeaders(ctx, headerNames), 'headers');
  if (errors.length > 0) throw validationError(errors);
  // The parser makes an object without a prototype, which Joi does not accept as an object.
  const query = collect(route.query, { ...ctx.query }, 'query');
  if (errors.length > 0) throw validationError(errors, route.queryErrorStatus);
  return { params, headers, query };
}

function sentHeaders(ctx: AppContext, names: readonly string[]): object {
  return Object.fromEntries(names.map((name) => [name, ctx.get(name)]).filter(([, value]) => value !== ''));
}

/** Sends a reply, or 304 if `If-None-Match` contains the `ETag` of the reply. */
function sendReply(ctx: AppContext, { status, headers, body }: Reply): void {
  ctx.status = status;
  ctx.set(headers);
  const tag = headers['ETag'];
  const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
  // Koa's `fresh` is not used: it is false for requests with `Cache-Control: no-cache`, a header
  // that fetch adds by itself.
  if (isRead && tag !== undefined && matchesTag(ctx.get('If-None-Match'), tag)) ctx.status = 304;
  else if (body !== undefined) ctx.body = body;
}
