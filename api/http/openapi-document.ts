import type { Schema } from 'joi';
import type { AuthMode, Config } from '../../shared/config/config.ts';
import { serviceVersion } from '../../shared/service-version.ts';
import type { Access, Auth } from './access/access-rules.ts';
import type { ErrorFormat } from './context.ts';
import { errorEnvelope } from './error-body.ts';
import { fieldsOf } from './joi.ts';
import { bodySchemaOf, type JsonSchema, jsonSchemaOf } from './json-schema.ts';
import type { DeclaredResponse } from './response.ts';
import { type ResponseHeader, rateLimitHeaders, responseHeaders } from './response-headers.ts';
import type { Route } from './route.ts';
import { errorsOf, type RouteError } from './route-errors.ts';
import { createSchemaComponents, type SchemaComponents } from './schema-components.ts';

/** The service's OpenAPI 3.1 document, generated from the definitions of its routes. */
export function openApiDocument(
  routes: readonly Route[],
  { auth: { mode }, notebooks }: Pick<Config, 'auth' | 'notebooks'>,
): object {
  const components = createSchemaComponents();
  const paths: Record<string, JsonSchema> = {};
  for (const route of routes) {
    if (route.isDocumented === false) continue;
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(route, mode, components) };
  }
  const responses = connectionErrors(components);
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
      responses,
      headers: usedHeaders({ paths, responses }),
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
    ...(route.method === 'POST' ? [idempotencyKey] : []),
    ...parametersOf(route.query, 'query'),
  ];
  return {
    operationId,
    tags: [tag.name],
    summary,
    description: descriptionOf(route, mode),
    security: access.sessionCookie ? sessionSecurity[access.sessionCookie] : securityOf[access.auth[mode]],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: requestBodyOf(body, components) } : {}),
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
  const limited = limit === null ? [] : [`Counts against \`RATE_LIMIT_${limit.name.toUpperCase()}\`.`];
  return [...(description === undefined ? [] : [description]), [credentials[auth[mode]], ...limited].join(' ')].join(
    '\n\n',
  );
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

/** Whether the route supports conditional requests by `If-None-Match`. */
function hasVersions({ method, responses }: Route): boolean {
  return method === 'GET' && headersOf(responses[200]).includes('ETag');
}

function headersOf(response: DeclaredResponse | undefined): ResponseHeader[] {
  const headers = response ? [...response.headers, ...response.optionalHeaders] : [];
  return headers.includes('ETag') ? [...headers, 'Vary'] : headers;
}

const compressionHeadersOf = ({ compressed }: Route, status: string): ResponseHeader[] =>
  compressed && status === '200' ? ['Content-Encoding', 'Vary'] : [];

function parametersOf(schema: Schema | undefined, place: 'path' | 'query' | 'header'): object[] {
  if (!schema) return [];
  const { properties, required = [] } = jsonSchemaOf(schema) as {
    properties: Record<string, JsonSchema>;
    required?: string[];
  };
  const examples = examplesOf(schema);
  return Object.entries(properties).map(([name, { description, ...property }]) => ({
    name,
    in: place,
    ...(required.includes(name) ? { required: true } : {}),
    ...(description === undefined ? {} : { description }),
    schema: property,
    ...(examples[name] === undefined ? {} : { example: examples[name] }),
  }));
}

/** The first example of each field. The JSON Schema that Joi writes does not contain them. */
function examplesOf(schema: Schema): Record<string, unknown> {
  return Object.fromEntries(fieldsOf(schema).map((field) => [field.key, field.schema.$_terms['examples']?.[0]]));
}

function requestBodyOf(body: NonNullable<Route['body']>, components: SchemaComponents): JsonSchema {
  if ('streamed' in body) {
    for (const [name, schema] of Object.entries(body.schemas)) components.add(name, schema);
    return { required: true, content: body.streamed };
  }
  const schema = bodySchemaOf(body.schema);
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
    const replayed: ResponseHeader[] = route.method === 'POST' ? ['Idempotent-Replayed'] : [];
    responses[status] = {
      description: response.description,
      headers: headerRefs([...common, ...headersOf(response), ...compressionHeadersOf(route, status), ...replayed]),
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
  const media = { ...(schema && { schema: components.refer(schema) }), ...(example === undefined ? {} : { example }) };
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
  return {
    description: errors.map(({ code, cause }) => `\`${code}\`: ${cause}`).join(' '),
    headers: headerRefs([...common, ...(headersOfStatus[status] ?? [])]),
    content: format ? mediaOf(format, components) : envelopeOf(errors, components),
  };
}

function envelopeOf(errors: readonly RouteError[], components: SchemaComponents): JsonSchema {
  const codes = [...new Set(errors.map(({ code }) => code))];
  return {
    'application/json': {
      schema: {
        allOf: [
          components.refer(errorEnvelope),
          {
            type: 'object',
            properties: { error: { type: 'object', properties: { code: { type: 'string', enum: codes } } } },
          },
        ],
      },
    },
  };
}

function mediaOf({ media }: ErrorFormat, components: SchemaComponents): JsonSchema {
  return Object.fromEntries(
    Object.entries(media).map(([type, schema]) => [type, schema ? { schema: components.refer(schema) } : {}]),
  );
}

/** Headers of the routes that are not documented are left out. */
function usedHeaders(document: JsonSchema): JsonSchema {
  const text = JSON.stringify(document);
  return Object.fromEntries(
    Object.entries(responseHeaders).filter(([name]) => text.includes(`"#/components/headers/${name}"`)),
  );
}

function headerRefs(names: readonly ResponseHeader[]): JsonSchema {
  return Object.fromEntries([...new Set(names)].map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
