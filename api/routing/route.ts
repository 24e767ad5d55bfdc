import type { ObjectSchema } from 'joi';
import type { ErrorCode } from '../../shared/errors.ts';
import type { AppDeps, RouteDeps } from '../app-deps.ts';
import type { AppContext, Caller, Operation } from '../request/context.ts';
import type { OwnedScenarios, Ownership } from '../request/ownership.ts';
import type { Access, RouteLimit } from './access.ts';
import type { Answers, ReplyOf } from './answer.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A resource, under which the OpenAPI document groups its routes. */
export interface RouteTag {
  readonly name: string;
  readonly description: string;
}

/** What definitions of routes may depend on; everything else is handed to a handler with its request. */
export type RouteSettings = Pick<AppDeps, 'config' | 'priceBook'>;

/** A JSON body that is read and validated before the handler runs. */
export interface JsonBody<Body> {
  readonly schema: ObjectSchema<Body>;
  /** Names the schema in the OpenAPI document; without a name it is written out there. */
  readonly name?: string;
  readonly optional?: boolean;
  /** A body that the route accepts. */
  readonly example: object;
}

/** A body that the handler reads from the request itself; described by media type in JSON Schema. */
export interface StreamedBody {
  readonly streamed: Readonly<Record<string, { schema: object; example: unknown }>>;
  /** Schemas that the above refer to as `#/components/schemas/<name>`. */
  readonly schemas: Readonly<Record<string, object>>;
}

/** A request as its handler gets it: validated, its values converted by the route's schemas. */
export interface RouteRequest<Params, Query, Headers, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly headers: Headers;
  readonly body: Body;
  readonly requestId: string;
  readonly caller: Caller;
  readonly ownership: Ownership;
  readonly scenarios: OwnedScenarios;
  /** Set where a POST carries an `Idempotency-Key`. */
  readonly operation: Operation | undefined;
  /** For the few handlers that read the body or set limit headers themselves. */
  readonly ctx: AppContext;
}

/** One route: everything that its caller, its middleware and its documentation have to know. */
export interface RouteDefinition<Params, Query, Headers, Body, Declared extends Answers> {
  readonly method: Method;
  /** With parameters in braces: `/api/v1/scenarios/{id}`. */
  readonly path: `/${string}`;
  /** Unique; reads well as the name of a function in a generated client. */
  readonly operationId: string;
  readonly tag: RouteTag;
  readonly summary: string;
  readonly description?: string;
  readonly access: Access;
  /** `RATE_LIMIT_DEFAULT` if it is left out; null for no limit. */
  readonly limit?: RouteLimit | null;
  readonly params?: ObjectSchema<Params>;
  readonly query?: ObjectSchema<Query>;
  /** Status of an invalid query, where it is not 400. */
  readonly queryErrorStatus?: 422;
  readonly headers?: ObjectSchema<Headers>;
  readonly body?: JsonBody<Body> | StreamedBody;
  /** Whether a stored answer may be sent again for its `Idempotency-Key`; without this function it always is. */
  isReplayable?(answer: unknown, deps: RouteDeps, caller: Caller): Promise<boolean>;
  readonly answers: Declared;
  /** Errors of the handler by code, each with what causes it; those of credentials, limits and validation are added. */
  readonly errors?: Readonly<Partial<Record<ErrorCode, string>>>;
  handle(request: RouteRequest<Params, Query, Headers, Body>, deps: RouteDeps): Promise<ReplyOf<Declared>>;
}

/** What a handler returned, without the types of its route. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A route in a list of others. */
export interface Route extends Omit<RouteDefinition<unknown, unknown, unknown, unknown, Answers>, 'handle' | 'limit'> {
  readonly limit: RouteLimit | null;
  handle(request: RouteRequest<unknown, unknown, unknown, unknown>, deps: RouteDeps): Promise<Reply>;
}

/** Checks a definition against its own schemas: what the handler takes and returns follows from them. */
export function defineRoute<
  Declared extends Answers,
  Params = undefined,
  Query = undefined,
  Headers = undefined,
  Body = undefined,
>(definition: RouteDefinition<Params, Query, Headers, Body, Declared>): Route {
  // The schemas of this definition produce the values that its handler is given.
  return { limit: { name: 'default' }, ...definition } as unknown as Route;
}

/** Names a route in logs, limits and idempotency records: `GET /api/v1/scenarios/{id}`. */
export const routeName = ({ method, path }: Pick<Route, 'method' | 'path'>): string => `${method} ${path}`;
