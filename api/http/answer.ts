import type { Readable } from 'node:stream';
import type { Static, TSchema } from 'typebox';
import type { AnswerHeader } from './answer-headers.ts';
import type { JsonText } from './json-text.ts';

/**
 * The answer of a route with one status. `Body` types the body of the reply and has no value at run
 * time. Headers that every answer can have are not listed.
 */
export interface Answer<
  Body = unknown,
  Always extends AnswerHeader = AnswerHeader,
  Sometimes extends AnswerHeader = AnswerHeader,
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

interface AnswerOptions<Always extends AnswerHeader, Sometimes extends AnswerHeader> {
  description?: string;
  /** Sent with every answer of this status. */
  headers?: readonly Always[];
  optionalHeaders?: readonly Sometimes[];
}

/** An answer in JSON. A schema with an `$id` becomes a named component of the OpenAPI document. */
export function json<
  Schema extends TSchema,
  const Always extends AnswerHeader = never,
  const Sometimes extends AnswerHeader = never,
>(
  schema: Schema,
  { example, ...options }: AnswerOptions<Always, Sometimes> & { example?: NoInfer<Static<Schema>> } = {},
): Answer<Static<Schema>, NoInfer<Always>, NoInfer<Sometimes>> {
  return describe({ type: 'application/json', schema, example }, options);
}

/** An answer without a body. */
export function empty<const Always extends AnswerHeader = never, const Sometimes extends AnswerHeader = never>(
  options: AnswerOptions<Always, Sometimes> = {},
): Answer<undefined, NoInfer<Always>, NoInfer<Sometimes>> {
  return describe(null, options);
}

/** An answer of another media type. */
export function content<const Always extends AnswerHeader = never, const Sometimes extends AnswerHeader = never>(
  type: string,
  options: AnswerOptions<Always, Sometimes> = {},
): Answer<string | Buffer, NoInfer<Always>, NoInfer<Sometimes>> {
  return describe({ type, schema: null }, options);
}

/**
 * An answer in JSON or another media type, in which it is bytes. The reply names its
 * `Content-Type`.
 */
export function jsonOr<Schema extends TSchema>(
  otherType: string,
  schema: Schema,
  { example, ...options }: { description?: string; example?: NoInfer<Static<Schema>> } = {},
): Answer<Static<Schema> | Buffer, 'Content-Type', never> {
  const media = { type: 'application/json', otherTypes: [otherType], schema, example };
  return describe(media, { ...options, headers: ['Content-Type'] });
}

/**
 * An answer of one of several media types, sent while it is read. The reply names its
 * `Content-Type`.
 */
export function stream<const Always extends AnswerHeader = never, const Sometimes extends AnswerHeader = never>(
  [type, ...otherTypes]: readonly [string, ...string[]],
  options: AnswerOptions<Always, Sometimes> = {},
): Answer<Readable, NoInfer<Always>, NoInfer<Sometimes>> {
  return describe({ type, otherTypes, schema: null }, options);
}

function describe<Body, Always extends AnswerHeader, Sometimes extends AnswerHeader>(
  body: Answer['content'],
  { description = 'Success', headers = [], optionalHeaders = [] }: AnswerOptions<Always, Sometimes>,
): Answer<Body, Always, Sometimes> {
  return { description, content: body, headers, optionalHeaders };
}

/** Answers of a route by status. */
export type Answers = { readonly [status: number]: Answer };

type ReplyBody<Body> = [Body] extends [undefined] ? { body?: undefined } : { body: Body | JsonText<Body> };

type ReplyHeaders<Always extends AnswerHeader, Sometimes extends AnswerHeader> = {
  readonly [Name in Always]: string;
} & { readonly [Name in Sometimes]?: string } & {
  // An undeclared header does not compile.
  readonly [Name in Exclude<AnswerHeader, Always | Sometimes>]?: never;
};

/** The return value of a handler: one of the responses that its route declares. */
export type ReplyOf<Declared extends Answers> = {
  [Status in keyof Declared]: Declared[Status] extends Answer<infer Body, infer Always, infer Sometimes>
    ? { status: Status; headers: ReplyHeaders<Always, Sometimes> } & ReplyBody<Body>
    : never;
}[keyof Declared];

type NoHeaders = { readonly [Name in AnswerHeader]?: never };

/**
 * Makes a reply. The compiler checks its body and headers against the answer that the route
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
  Headers extends { readonly [Name in AnswerHeader]?: string },
>(status: Status, body: Body, headers: Headers): { status: Status; body: Body; headers: Headers };
export function reply(status: number, body?: unknown, headers: object = {}) {
  return { status, body, headers };
}
