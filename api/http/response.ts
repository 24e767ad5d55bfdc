import type { Readable } from 'node:stream';
import type { Static, TSchema } from 'typebox';
import type { ResponseHeader } from './response-headers.ts';

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

/** A response of another media type. */
export function content<const Always extends ResponseHeader = never, const Sometimes extends ResponseHeader = never>(
  type: string,
  options: ResponseOptions<Always, Sometimes> = {},
): DeclaredResponse<string | Buffer, NoInfer<Always>, NoInfer<Sometimes>> {
  return describe({ type, schema: null }, options);
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

/**
 * A response of one of several media types, sent while it is read. The reply names its
 * `Content-Type`.
 */
export function stream<const Always extends ResponseHeader = never, const Sometimes extends ResponseHeader = never>(
  [type, ...otherTypes]: readonly [string, ...string[]],
  options: ResponseOptions<Always, Sometimes> = {},
): DeclaredResponse<Readable, NoInfer<Always>, NoInfer<Sometimes>> {
  return describe({ type, otherTypes, schema: null }, options);
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
export function reply<const Status extends number>(status: Status): { status: Status; headers: NoHeaders };
export function reply<const Status extends number, const Body>(
  status: Status,
  body: Body,
): { status: Status; body: Body; headers: NoHeaders };
export function reply<
  const Status extends number,
  const Body,
  Headers extends { readonly [Name in ResponseHeader]?: string },
>(status: Status, body: Body, headers: Headers): { status: Status; body: Body; headers: Headers };
export function reply(status: number, body?: unknown, headers: object = {}) {
  return { status, body, headers };
}
