import type { ArraySchema, ObjectSchema } from 'joi';
import type { AuditDetails, AuditEventType } from '../../shared/audit/audit-record.model.ts';
import type { KnownNames } from '../../shared/cost/price-book.ts';
import type { ErrorCode } from '../../shared/errors.ts';
import type { Report } from '../../shared/reports/report.model.ts';
import type { ReportSchedule } from '../../shared/reports/report-schedule.model.ts';
import type { AppDeps, RouteDeps } from '../app-deps.ts';
import type { Access, RouteLimit } from './access/access-rules.ts';
import type { Owned, OwnedScenarios, Ownership } from './access/ownership.ts';
import type { AppContext, Caller, ErrorFormat, Operation } from './context.ts';
import type { DeclaredResponses, ReplyOf } from './response.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A resource, under which the OpenAPI document groups its routes. */
export interface RouteTag {
  readonly name: string;
  readonly description: string;
}

/**
 * The target of the event is `id` of the path, else that of the response, else the caller's
 * account.
 */
export interface RouteAudit {
  readonly type: AuditEventType;
  readonly action?: 'rotate';
  /** Names of the updated fields, if they are not those of the body. */
  readonly fields?: string[];
  /** Further details, from the validated body. */
  readonly detailsOf?: (body: unknown) => AuditDetails;
}

/**
 * The dependencies of route definitions. A handler receives all other dependencies with each
 * request.
 */
export interface RouteSettings extends Pick<AppDeps, 'config'> {
  readonly priceBooks: KnownNames;
}

/** A JSON body that is read and validated before the handler runs. */
interface JsonBody<Body> {
  readonly schema: ObjectSchema<Body> | ArraySchema<Body>;
  /** Name of the schema in the OpenAPI document. Without a name, the schema is written inline. */
  readonly name?: string;
  readonly optional?: boolean;
  /** A body that the route accepts. */
  readonly example: object;
}

/** A body that the handler reads from the request itself. */
export interface StreamedBody {
  /** The JSON Schema and an example of the body, by media type. */
  readonly streamed: Readonly<Record<string, { schema: object; example: unknown }>>;
  /** Schemas that `streamed` refers to as `#/components/schemas/<name>`. */
  readonly schemas: Readonly<Record<string, object>>;
}

/**
 * A request as the handler receives it: validated, with values that the route's schemas have
 * converted.
 */
export interface RouteRequest<Params, Query, Headers, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly headers: Headers;
  readonly body: Body;
  readonly requestId: string;
  readonly caller: Caller;
  readonly ownership: Ownership;
  readonly scenarios: OwnedScenarios;
  readonly reports: Owned<Report>;
  readonly reportSchedules: Owned<ReportSchedule>;
  /** Set for a POST with an `Idempotency-Key`. */
  readonly operation: Operation | undefined;
  /** For handlers that read the body or set limit headers themselves. */
  readonly ctx: AppContext;
}

/** The definition of one route. Middleware, compiler and OpenAPI document read it. */
interface RouteDefinition<Params, Query, Headers, Body, Declared extends DeclaredResponses> {
  readonly method: Method;
  /** With parameters in braces: `/api/v1/scenarios/{id}`. */
  readonly path: `/${string}`;
  /** Unique. Generated clients use it as the name of a function. */
  readonly operationId: string;
  readonly tag: RouteTag;
  readonly summary: string;
  readonly description?: string;
  /** False for addresses of a browser, which no client calls. Default: true. */
  readonly isDocumented?: boolean;
  readonly access: Access;
  /**
   * Audit records of successful requests, for accounts and API keys; writes of scenarios leave
   * their own.
   */
  readonly audit?: RouteAudit;
  /** Default: `RATE_LIMIT_ENTERPRISE`. Null for no limit. */
  readonly limit?: RouteLimit | null;
  readonly params?: ObjectSchema<Params>;
  readonly query?: ObjectSchema<Query>;
  /** Status of an invalid query. Default: 400. */
  readonly queryErrorStatus?: 422;
  readonly headers?: ObjectSchema<Headers>;
  readonly body?: JsonBody<Body> | StreamedBody;
  /**
   * The use of `Idempotency-Key` by a POST. `record`: its response is stored and sent again.
   * `lock`: each repeat is carried out, one at a time. `handler`: its handler finds the rows of an
   * earlier request with the key. `none`: it creates nothing, so the key is ignored. Default:
   * `record`.
   */
  readonly idempotency?: 'record' | 'lock' | 'handler' | 'none';
  /**
   * Milliseconds within which a request has its response, from its first header on. Default:
   * `MONGODB_TIMEOUT_MS`. A stream is sent after the response has begun.
   */
  readonly timeoutMs?: number;
  readonly responses: Declared;
  /**
   * For large responses without secrets, because the size of a compressed response reveals what it
   * contains. `once`: the body is always the same buffer, which is compressed once. Default: not
   * compressed.
   */
  readonly compressed?: 'each' | 'once';
  /**
   * Errors of the handler by code, each with its cause. The errors of credentials, limits and
   * validation are added.
   */
  readonly errors?: Readonly<Partial<Record<ErrorCode, string>>>;
  /**
   * Applies to all errors of the route, also those of credentials, limits and validation. Default:
   * the error envelope.
   */
  readonly errorFormat?: ErrorFormat;
  handle(request: RouteRequest<Params, Query, Headers, Body>, deps: RouteDeps): Promise<ReplyOf<Declared>>;
}

/** The reply of a handler, without the types of its route. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A route without the types of its schemas, for lists of routes. */
export interface Route
  extends Omit<RouteDefinition<unknown, unknown, unknown, unknown, DeclaredResponses>, 'handle' | 'limit'> {
  readonly limit: RouteLimit | null;
  handle(request: RouteRequest<unknown, unknown, unknown, unknown>, deps: RouteDeps): Promise<Reply>;
}

/** Checks a definition by its types: the schemas determine what the handler takes and returns. */
export function defineRoute<
  Declared extends DeclaredResponses,
  Params = undefined,
  Query = undefined,
  Headers = undefined,
  Body = undefined,
>(definition: RouteDefinition<Params, Query, Headers, Body, Declared>): Route {
  // The cast is correct, because the handler receives the values that the schemas of the definition
  // produce.
  return { limit: { name: 'default' }, ...definition } as unknown as Route;
}

/** The name of a route in logs, limits and idempotency records: `GET /api/v1/scenarios/{id}`. */
export const routeName = ({ method, path }: Pick<Route, 'method' | 'path'>): string => `${method} ${path}`;
