import { isDeepStrictEqual } from 'node:util';
import type { Schema } from 'joi';
import type { AuthMode, Config } from '../../shared/config/config.ts';
import { type ErrorCode, statusOfCode } from '../../shared/errors.ts';
import { serviceVersion } from '../../shared/service-version.ts';
import { type Access, type Auth, limitVariable } from './access/access-rules.ts';
import type { ErrorFormat } from './context.ts';
import { errorEnvelope } from './error-envelope.ts';
import { fieldsOf } from './input.ts';
import { type DeclaredResponse, type ResponseHeader, rateLimitHeaders, responseHeaders } from './response.ts';
import type { Route } from './route.ts';

/** The service's OpenAPI 3.1 document for `app.ts`, generated from the definitions of its routes. */
export function openApiDocument(routes: readonly Route[], { auth: { mode }, notebooks }: Config): object {
  const components = createSchemaComponents();
  const paths: Record<string, JsonSchema> = {};
  for (const route of routes) {
    if (route.isDocumented === false) continue;
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(route, mode, components) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Meterbook',
      // The version of the interface. Its variants are those of its notebook part.
      version: notebooks.variant,
      'x-service-version': serviceVersion,
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'The operator of this installation' },
      description:
        'Estimates what a stream of log entries would cost on a message queue, a function service and a model inference service. Also serves notebooks that are stored in an external backend.',
    },
    // Relative to the address of this document, so that it holds behind a path prefix of a proxy.
    servers: [{ url: '.', description: 'This installation.' }],
    tags: [...new Map(routes.map(({ tag }) => [tag.name, tag])).values()],
    paths,
    components: {
      schemas: components.schemas,
      responses: connectionErrors(components),
      headers: responseHeaders,
      securitySchemes: {
        key: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-Key',
          description: 'Can also be sent in `Authorization`, as `Bearer` or as the password of `Basic`.',
        },
        token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        metricsToken: { type: 'http', scheme: 'bearer' },
        browserSession: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-meterbook-session',
          description:
            'Set by `openBrowserSession`. Over plain HTTP the name is `meterbook-session`. If the address has a port, the name ends with it: `meterbook-session-3000`.',
        },
      },
    },
  };
}

function operationOf(route: Route, mode: AuthMode, components: SchemaComponents): JsonSchema {
  const { operationId, tag, summary, access, body } = route;
  const parameters = [
    ...parametersOf(route.params, 'path'),
    ...parametersOf(route.headers, 'header'),
    ...(hasVersions(route) ? [ifNoneMatch] : []),
    ...(honoursKey(route) ? [idempotencyKey] : []),
    ...parametersOf(route.query, 'query'),
  ];
  return {
    operationId,
    tags: [tag.name],
    summary,
    description: descriptionOf(route, mode),
    security: access.sessionCookie ? sessionSecurity[access.sessionCookie] : securityOf[access.auth[mode]],
    parameters: parameters.length > 0 ? parameters : undefined,
    requestBody: body && requestBodyOf(body, components),
    responses: responsesOf(route, mode, components),
  };
}

/** Responses to requests that do not arrive as a whole. They are sent before a route is chosen. */
const connectionErrorCauses = {
  408: { name: 'RequestTimeout', cause: 'The request did not arrive in time.' },
  431: { name: 'HeadersTooLarge', cause: 'The address and headers are too long.' },
} as const;

function connectionErrors(components: SchemaComponents): JsonSchema {
  return Object.fromEntries(
    Object.entries(connectionErrorCauses).map(([status, { name, cause }]) => [
      name,
      errorResponse([{ status: Number(status), code: 'VALIDATION_ERROR', cause }], ['X-Request-ID'], components),
    ]),
  );
}

/** The description of the route, then its credentials and its limit. */
function descriptionOf({ description, access, limit }: Route, mode: AuthMode): string {
  const { auth, scope, sessionCookie } = access;
  const withScope = scope === null ? '' : ` with the scope \`${scope}\``;
  const credentials: Readonly<Record<Auth, string>> = {
    none: sessionCookie === 'required' ? 'Requires the cookie of a browser session.' : 'Requires no credentials.',
    optional:
      scope === null ? 'Credentials are optional.' : `Credentials are optional; sent ones need the scope \`${scope}\`.`,
    apiKeyOrToken: `Requires an API key or an access token${withScope}.`,
    apiKey: `Requires an API key${withScope}.`,
    token: scope === 'admin' ? 'Requires the access token of an admin.' : `Requires an access token${withScope}.`,
    metricsToken: 'Requires `METRICS_TOKEN`, if it is set or in production.',
  };
  const limited = limit === null ? '' : ` Counts against \`RATE_LIMIT_${limitVariable(limit)}\`.`;
  const before = description === undefined ? '' : `${description}\n\n`;
  return `${before}${credentials[auth[mode]]}${limited}`;
}

/** An empty requirement means a request without credentials. */
const securityOf: Readonly<Record<Auth, object[]>> = {
  none: [],
  optional: [{}, { key: [] }, { token: [] }],
  apiKeyOrToken: [{ key: [] }, { token: [] }],
  apiKey: [{ key: [] }],
  token: [{ token: [] }],
  metricsToken: [{ metricsToken: [] }],
};

const sessionSecurity: Readonly<Record<NonNullable<Access['sessionCookie']>, object[]>> = {
  required: [{ browserSession: [] }],
  optional: [{}, { browserSession: [] }],
};

const ifNoneMatch = {
  name: 'If-None-Match',
  in: 'header',
  description: 'Responds with 304 if the resource still has this `ETag`.',
  schema: { type: 'string' },
};

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'If the same request is sent again with the same key within 24 hours, the response is that of the first successful attempt.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

const honoursKey = ({ method, idempotency }: Route) => method === 'POST' && idempotency !== 'none';

/** Whether the route supports conditional requests by `If-None-Match`. */
function hasVersions({ method, responses }: Route): boolean {
  return method === 'GET' && headersOf(responses[200]).includes('ETag');
}

function headersOf(response: DeclaredResponse | undefined): ResponseHeader[] {
  const headers = response ? [...response.headers, ...response.optionalHeaders] : [];
  return headers.includes('ETag') ? [...headers, 'Vary'] : headers;
}

function parametersOf(schema: Schema | undefined, place: 'path' | 'query' | 'header'): object[] {
  if (!schema) return [];
  const { properties, required = [] } = jsonSchemaOf(schema) as {
    properties: Record<string, JsonSchema>;
    required?: string[];
  };
  return fieldsOf(schema).map(({ key: name, schema: field }) => {
    const { description, ...property } = properties[name] ?? {};
    // The JSON Schema that Joi writes does not contain examples.
    const example: unknown = field.$_terms['examples']?.[0];
    return { name, in: place, required: required.includes(name) || undefined, description, schema: property, example };
  });
}

function requestBodyOf(body: NonNullable<Route['body']>, components: SchemaComponents): JsonSchema {
  if ('streamed' in body) {
    for (const [name, schema] of Object.entries(body.schemas)) components.add(name, schema);
    return { required: true, content: body.streamed };
  }
  // A default moves to the description, because generators of types take a field with a default for
  // required.
  const schema = plain(jsonSchemaOf(body.schema), describeDefault);
  return {
    required: body.optional !== true,
    content: {
      'application/json': {
        schema: body.name === undefined ? schema : components.add(body.name, schema),
        example: body.example,
      },
    },
  };
}

function responsesOf(route: Route, mode: AuthMode, components: SchemaComponents): JsonSchema {
  const responses: Record<string, JsonSchema> = {};
  const common: ResponseHeader[] = ['X-Request-ID', 'Cache-Control', ...(route.limit ? rateLimitHeaders : [])];
  for (const [status, response] of Object.entries(route.responses)) {
    const replayed: ResponseHeader[] = honoursKey(route) ? ['Idempotent-Replayed'] : [];
    const packed: ResponseHeader[] = route.compressed && status === '200' ? ['Content-Encoding', 'Vary'] : [];
    responses[status] = {
      description: response.description,
      headers: headerRefs([...common, ...headersOf(response), ...packed, ...replayed]),
      ...contentOf(response, components),
    };
  }
  if (hasVersions(route)) {
    responses['304'] = {
      description: 'The resource has not changed.',
      headers: headerRefs([...common, ...headersOf(route.responses[200])]),
    };
  }
  const errors = errorsOf(route, mode);
  for (const status of [...new Set(errors.map((error) => error.status))].sort((a, b) => a - b)) {
    responses[status] = errorResponse(
      errors.filter((error) => error.status === status),
      status === 401 && route.access.sessionCookie ? [...common, 'Set-Cookie'] : common,
      components,
      route.errorFormat,
    );
  }
  for (const [status, { name }] of Object.entries(connectionErrorCauses)) {
    responses[status] = { $ref: `#/components/responses/${name}` };
  }
  return responses;
}

function contentOf({ content }: DeclaredResponse, components: SchemaComponents): JsonSchema {
  if (content === null) return {};
  const { type, schema, example, otherTypes = [] } = content;
  const media = { schema: schema ? components.refer(schema) : undefined, example };
  return { content: Object.fromEntries([[type, media], ...otherTypes.map((name) => [name, {}])]) };
}

const headersOfStatus: Readonly<Record<number, readonly ResponseHeader[]>> = {
  401: ['WWW-Authenticate'],
  409: ['Retry-After'],
  429: ['Retry-After'],
  502: ['Retry-After'],
  503: ['Retry-After'],
};

function errorResponse(
  errors: readonly RouteError[],
  common: ResponseHeader[],
  components: SchemaComponents,
  format?: ErrorFormat,
): JsonSchema {
  const status = errors[0]?.status ?? 0;
  const codes = [...new Set(errors.map(({ code }) => code))];
  const properties = { error: { type: 'object', properties: { code: { type: 'string', enum: codes } } } };
  const envelope = { allOf: [errorEnvelope, { type: 'object', properties }] };
  const media = Object.entries(format?.media ?? { 'application/json': envelope });
  return {
    description: errors.map(({ code, cause }) => `\`${code}\`: ${cause}`).join(' '),
    headers: headerRefs([...common, ...(headersOfStatus[status] ?? [])]),
    content: Object.fromEntries(
      media.map(([type, schema]) => [type, schema ? { schema: components.refer(schema) } : {}]),
    ),
  };
}

function headerRefs(names: readonly ResponseHeader[]): JsonSchema {
  return Object.fromEntries([...new Set(names)].map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** An error that a route can respond with, and its cause. */
interface RouteError {
  readonly status: number;
  readonly code: ErrorCode;
  readonly cause: string;
}

/**
 * Lists the errors of a route: first those of its credentials, schemas and limits, then those of
 * its handler.
 */
function errorsOf(route: Route, mode: AuthMode): RouteError[] {
  const { params, query, headers, body, limit, access, queryErrorStatus } = route;
  const errors: RouteError[] = [];
  const add = (code: ErrorCode, cause: string, status: number = statusOfCode[code]) =>
    errors.push({ status, code, cause });

  if (params || headers || body || honoursKey(route) || (query && queryErrorStatus === undefined)) {
    add('VALIDATION_ERROR', 'The request is not valid; `details` names each field.');
  }
  if (query && queryErrorStatus !== undefined) {
    add('VALIDATION_ERROR', 'The query is not valid; `details` names each field.', queryErrorStatus);
  }
  if (access.auth[mode] !== 'none') {
    add('AUTH_ERROR', 'The credentials are missing or not valid.');
    add('FORBIDDEN', 'The credentials do not permit this operation.');
    add('SERVICE_UNAVAILABLE', 'The database is unreachable.');
  }
  if (body || honoursKey(route)) add('PAYLOAD_TOO_LARGE', 'The body is too large.');
  if (body) add('UNSUPPORTED_MEDIA_TYPE', 'The media type, encoding or character set of the body is not supported.');
  if (honoursKey(route)) {
    add('CONFLICT', 'A request with this `Idempotency-Key` is in progress.');
    add('IDEMPOTENCY_MISMATCH', 'This `Idempotency-Key` was sent with another request.');
  }
  if (limit) add('RATE_LIMITED', 'Too many requests; `Retry-After` is the time to wait.');
  for (const [code, cause] of Object.entries(route.errors ?? {})) add(code as ErrorCode, cause);
  return errors;
}

type JsonSchema = Record<string, unknown>;

/**
 * The JSON Schema of the input that a Joi schema accepts, in a form that generators of clients read
 * well.
 */
const jsonSchemaOf = (schema: Schema): JsonSchema =>
  plain(schema['~standard'].jsonSchema.input({ target: 'draft-2020-12' }), simplify);

function describeDefault({ default: value, ...schema }: JsonSchema): JsonSchema {
  if (value === undefined || value === null || value === '') return schema;
  const { description } = schema;
  const text = `Default: \`${JSON.stringify(value)}\`.`;
  return { ...schema, description: typeof description === 'string' ? `${description} ${text}` : text };
}

/**
 * Joi writes `allow('')` and `allow(null)` as alternatives. An alternative that another one
 * includes goes, and a nullable type becomes a list of types.
 */
function simplify(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf)) return schema;
  const alternatives = (anyOf as JsonSchema[]).filter(
    (one) =>
      !(isEmptyText(one) && (anyOf as JsonSchema[]).some((other) => other['type'] === 'string' && !other['minLength'])),
  );
  const withoutNull = alternatives.filter(({ type }) => type !== 'null');
  const [only] = withoutNull;
  if (withoutNull.length !== 1 || typeof only?.['type'] !== 'string') return { ...rest, anyOf: alternatives };
  return { ...rest, ...only, type: alternatives.length > 1 ? [only['type'], 'null'] : only['type'] };
}

const isEmptyText = ({ enum: values }: JsonSchema) => Array.isArray(values) && values.length === 1 && values[0] === '';

type SchemaComponents = ReturnType<typeof createSchemaComponents>;

/** The named schemas of an OpenAPI document, collected while its operations are described. */
function createSchemaComponents() {
  const schemas: Record<string, JsonSchema> = {};

  /** Adds a schema under a name and returns a reference to it. */
  const add = (name: string, schema: object): JsonSchema => {
    const known = schemas[name];
    const added = plain(schema);
    if (known && !isDeepStrictEqual(known, added)) throw new TypeError(`Two different schemas have the name ${name}.`);
    schemas[name] = added;
    return { $ref: `#/components/schemas/${name}` };
  };

  /** Replaces every part with an `$id` by a reference to a component. */
  const refer = (schema: object): JsonSchema =>
    plain(schema, ({ $id, ...part }) => (typeof $id === 'string' ? add($id, part) : part));

  return { schemas, add, refer };
}

/**
 * Converts a schema to plain JSON, without hidden fields of a schema builder and without undefined
 * fields.
 * @param change replaces each object in it, the inner ones first.
 */
function plain(schema: object, change = (part: JsonSchema): JsonSchema => part): JsonSchema {
  const revive = (_key: string, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part) ? change(part as JsonSchema) : part;
  return JSON.parse(JSON.stringify(schema), revive) as JsonSchema;
}
