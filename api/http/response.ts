import type { Readable } from 'node:stream';
import type { Static, TSchema } from 'typebox';

/**
 * The response of a route with one status. `Body` types the body of the reply and has no value at
 * run time. Headers that every response can have are not listed.
 */
export interface DeclaredResponse<
  Body = unknown,
  Always extends ResponseHeader = ResponseHeader,
  Sometimes extends ResponseHeader = ResponseHeader,
> {
  readonly description: string;
  /** JSON Schema for `application/json`; no schema for other types; null for an empty body. */
  readonly content: {
    readonly type: string;
    readonly schema: TSchema | null;
    readonly example?: unknown;
    readonly otherTypes?: readonly string[];
  } | null;
  readonly headers: readonly Always[];
  readonly optionalHeaders: readonly Sometimes[];
  readonly body?: Body;
}

interface ResponseOptions<Always extends ResponseHeader, Sometimes extends ResponseHeader> {
  description?: string;
  /** Sent with every response of this status. */
  headers?: readonly Always[];
  optionalHeaders?: readonly Sometimes[];
}

/**
 * A response in JSON. A schema with an `$id` becomes a named component of the OpenAPI document. The
 * compiler would take seconds to infer a part of the body from a route, hence `NoInfer`.
 */
export function json<
  Schema extends TSchema,
  const Always extends ResponseHeader = never,
  const Sometimes extends ResponseHeader = never,
>(
  schema: Schema,
  { example, ...options }: ResponseOptions<Always, Sometimes> & { example?: NoInfer<Static<Schema>> } = {},
): DeclaredResponse<NoInfer<Static<Schema>>, NoInfer<Always>, NoInfer<Sometimes>> {
  return describe({ type: 'application/json', schema, example }, options);
}

/** A response without a body. */
export function empty<const Always extends ResponseHeader = never, const Sometimes extends ResponseHeader = never>(
  options: ResponseOptions<Always, Sometimes> = {},
): DeclaredResponse<undefined, NoInfer<Always>, NoInfer<Sometimes>> {
  return describe(null, options);
}

/** A response of another media type. The reply to a request of one of several names its own. */
export function content<const Always extends ResponseHeader = never, const Sometimes extends ResponseHeader = never>(
  types: string | readonly [string, ...string[]],
  options: ResponseOptions<Always, Sometimes> = {},
): DeclaredResponse<string | Buffer | Readable, NoInfer<Always>, NoInfer<Sometimes>> {
  const [type, ...otherTypes] = typeof types === 'string' ? ([types] as const) : types;
  return describe({ type, otherTypes, schema: null }, options);
}

/**
 * A response in JSON or another media type, in which it is bytes. The reply names its
 * `Content-Type`.
 */
export function jsonOr<Schema extends TSchema>(
  otherType: string,
  schema: Schema,
  { example, ...options }: { description?: string; example?: NoInfer<Static<Schema>> } = {},
): DeclaredResponse<NoInfer<Static<Schema>> | Buffer, 'Content-Type', never> {
  const media = { type: 'application/json', otherTypes: [otherType], schema, example };
  return describe(media, { ...options, headers: ['Content-Type'] });
}

function describe<Body, Always extends ResponseHeader, Sometimes extends ResponseHeader>(
  body: DeclaredResponse['content'],
  { description = 'Success', headers = [], optionalHeaders = [] }: ResponseOptions<Always, Sometimes>,
): DeclaredResponse<Body, Always, Sometimes> {
  return { description, content: body, headers, optionalHeaders };
}

/** Responses of a route by status. */
export type DeclaredResponses = { readonly [status: number]: DeclaredResponse };

type ReplyBody<Body> = [Body] extends [undefined] ? { body?: undefined } : { body: Body };

type ReplyHeaders<Always extends ResponseHeader, Sometimes extends ResponseHeader> = {
  readonly [Name in Always]: string;
} & { readonly [Name in Sometimes]?: string } & {
  // An undeclared header does not compile.
  readonly [Name in Exclude<ResponseHeader, Always | Sometimes>]?: never;
};

/** The return value of a handler: one of the responses that its route declares. */
export type ReplyOf<Declared extends DeclaredResponses> = {
  [Status in keyof Declared]: Declared[Status] extends DeclaredResponse<infer Body, infer Always, infer Sometimes>
    ? { status: Status; headers: ReplyHeaders<Always, Sometimes> } & ReplyBody<Body>
    : never;
}[keyof Declared];

type NoHeaders = { readonly [Name in ResponseHeader]?: never };

/**
 * Makes a reply. The compiler checks its body and headers against the response that the route
 * declares for this status.
 */
export function reply<const Status extends number, const Body = undefined>(
  status: Status,
  body?: Body,
): { status: Status; body: Body; headers: NoHeaders };
export function reply<
  const Status extends number,
  const Body,
  Headers extends { readonly [Name in ResponseHeader]?: string },
>(status: Status, body: Body, headers: Headers): { status: Status; body: Body; headers: Headers };
export function reply(status: number, body?: unknown, headers: object = {}) {
  return { status, body, headers };
}

const header = (description: string, schema: object = { type: 'string' }) => ({ schema, description });

/**
 * Response headers that the service sends, with their JSON Schema and meaning. A route names the
 * headers of its own responses. The headers of limits, idempotency keys and errors are added.
 */
export const responseHeaders = {
  'Accept-Ranges': header('Ranges can be requested.', { type: 'string', enum: ['bytes'] }),
  'Cache-Control': header('Whether and how long caches can store the response.'),
  'Content-Disposition': header('Name for storing the body as a file.'),
  'Content-Encoding': header('How the body is compressed.', { type: 'string', enum: ['br', 'gzip'] }),
  'Content-Length': header('Size of the body in bytes.', { type: 'integer', minimum: 0 }),
  'Content-Range': header('Which bytes of how many the body has.'),
  'Content-Security-Policy': header('The sources that the page is allowed to load from.'),
  'Content-Type': header('Media type of the body.'),
  ETag: header('Version of the resource, for `If-None-Match` and `If-Match`.'),
  'Idempotent-Replayed': header('Sent with a response that repeats the first response to this `Idempotency-Key`.', {
    type: 'string',
    enum: ['true'],
  }),
  Location: header('Address of the resource.'),
  'Preference-Applied': header('The part of `Prefer` that was honoured.', { type: 'string', enum: ['respond-async'] }),
  'Retry-After': header('Seconds to wait before trying again.', { type: 'integer', minimum: 1 }),
  'Set-Cookie': header('Stores or removes the cookie of a browser session.'),
  Vary: header('Headers of the request that the response depends on.'),
  'WWW-Authenticate': header('How to send credentials.'),
  'X-Cache': header('Whether the response came from the cache (`hit`) or from the database.', {
    type: 'string',
    enum: ['hit', 'miss'],
  }),
  'X-RateLimit-Limit': header('Requests allowed in the window.', { type: 'integer', minimum: 1 }),
  'X-RateLimit-Remaining': header('Requests left in the window.', { type: 'integer', minimum: 0 }),
  'X-RateLimit-Reset': header('End of the window, in seconds since the epoch.', { type: 'integer', minimum: 0 }),
  'X-Request-ID': header('Id of the request: the one sent in `X-Request-ID` if that is a UUID, otherwise a new one.', {
    type: 'string',
    format: 'uuid',
  }),
};

export type ResponseHeader = keyof typeof responseHeaders;

export const rateLimitHeaders = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;
