import type { Schema } from 'joi';
import type { Config } from '../../../shared/config.ts';
import { transitions } from '../../../shared/models/scenario.model.ts';
import type { AppDeps } from '../../app-deps.ts';
import { type Asked, ruleOf } from '../../route-rules.ts';
import { apiKeyCreate, apiKeyList, apiKeyRotate, apiKeyUpdate } from '../api-keys/api-keys.schemas.ts';
import { loginBody, passwordBody, refreshBody, registerBody } from '../auth/auth.schemas.ts';
import { ingestQuery, logEntrySchema, maxEntries } from '../ingest/ingest.schemas.ts';
import { metricsQuery } from '../metrics/metrics.schemas.ts';
import { notebookCreate, notebookList, notebookUpdate } from '../notebooks/notebooks.schemas.ts';
import { scenarioSchemas } from '../scenarios/scenarios.schemas.ts';
import { answerSchemas, ref } from './answer-schemas.ts';

type Json = Record<string, unknown>;

interface Operation {
  summary: string;
  query?: Schema;
  headers?: Json[];
  body?: Record<string, Json>;
  bodyOptional?: boolean;
  /** Status to the name of the answer's schema; null for an empty body. */
  answers: Record<number, string | null>;
  /** Those that its row in the table of route rules brings are added. */
  errors: number[];
}

/** The JSON Schema of what a Joi schema takes. */
function jsonSchemaOf(schema: Schema): Json {
  return schema['~standard'].jsonSchema.input({ target: 'draft-2020-12' });
}

const jsonBody = (schema: Json) => ({ 'application/json': { schema } });

/** The service's description (OpenAPI 3.1), made of the schemas that validate its input. */
export function openApiDocument({ priceBook, config }: Pick<AppDeps, 'priceBook' | 'config'>): Json {
  const scenarios = scenarioSchemas(priceBook, config.pageSize);
  const schemas = {
    ...answerSchemas,
    NotebookCreate: jsonSchemaOf(notebookCreate),
    NotebookUpdate: jsonSchemaOf(notebookUpdate),
    ScenarioCreate: jsonSchemaOf(scenarios.create),
    ScenarioUpdate: jsonSchemaOf(scenarios.update),
    LogEntry: withAliases(jsonSchemaOf(logEntrySchema(priceBook))),
  };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Meterbook',
      version: '0.1.0',
      description:
        'Notebooks of an external backend; and what a stream of log entries would cost on a message queue, a function service and a model inference service.',
    },
    paths: pathsOf(
      {
        ...notebookOperations(config.notebooks.variant),
        ...operations(scenarios.list, apiKeyList(config.pageSize)),
      },
      config,
    ),
    components: {
      schemas,
      securitySchemes: {
        key: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
      },
    },
  };
}

/** Joi renames the aliases away before it looks at the entry; a caller may send any one of the three. */
function withAliases(schema: Json): Json {
  const { message, ...properties } = schema['properties'] as Record<string, Json>;
  const alias = { ...message, description: 'Alias of message.' };
  return {
    ...schema,
    properties: { message, log: alias, msg: alias, ...properties },
    required: undefined,
    oneOf: ['message', 'log', 'msg'].map((name) => ({ required: [name] })),
  };
}

function notebookOperations(variant: AppDeps['config']['notebooks']['variant']): Record<string, Operation> {
  const ifNoneMatch = { name: 'If-None-Match', in: 'header', schema: { type: 'string' } };
  return {
    'POST /api/v1/notebooks': {
      summary: 'Create a notebook',
      body: jsonBody(ref('NotebookCreate')),
      answers: { 201: 'NotebookAnswer' },
      errors: [400, 413, 415, 502, 503],
    },
    'GET /api/v1/notebooks': {
      summary: 'List notebooks',
      query: notebookList,
      answers: { 200: 'NotebookList' },
      errors: [variant === '0.2.0' ? 422 : 400, 502, 503],
    },
    'GET /api/v1/notebooks/{notebook_id}': {
      summary: 'Read a notebook',
      headers: [ifNoneMatch],
      answers: { 200: 'NotebookAnswer', 304: null },
      errors: [400, 404, 502, 503],
    },
    'PATCH /api/v1/notebooks/{notebook_id}': {
      summary: 'Change the fields that are sent',
      body: jsonBody(ref('NotebookUpdate')),
      answers: { 200: 'NotebookAnswer' },
      errors: [400, 404, 413, 415, 502, 503],
    },
    'DELETE /api/v1/notebooks/{notebook_id}': {
      summary: 'Delete a notebook for good',
      answers: { 204: null },
      errors: [400, 404, 502, 503],
    },
  };
}

function operations(scenarioList: Schema, apiKeys: Schema): Record<string, Operation> {
  const scenarioHeader = (required: boolean) => ({
    name: 'X-Scenario-ID',
    in: 'header',
    required,
    schema: { type: 'string', format: 'uuid' },
  });
  const ifMatch = { name: 'If-Match', in: 'header', schema: { type: 'string' } };
  const ifNoneMatch = { name: 'If-None-Match', in: 'header', schema: { type: 'string' } };
  const entry = ref('LogEntry');
  return {
    'GET /health': { summary: 'Is the process up?', answers: { 200: 'Health' }, errors: [] },
    'GET /health/ready': {
      summary: 'Is everything up that the service needs?',
      answers: { 200: 'Readiness' },
      errors: [503],
    },
    'GET /': { summary: 'Leads to /docs', answers: { 302: null }, errors: [] },
    'GET /openapi.json': { summary: 'This document', answers: { 200: null }, errors: [] },
    'GET /docs': { summary: 'This document as a page, to read and try out', answers: { 200: null }, errors: [] },
    'GET /docs/{asset}': { summary: 'What the page at /docs is made of', answers: { 200: null }, errors: [404] },
    'POST /api/v1/auth/register': {
      summary: 'Make an account; the first one is the admin',
      body: jsonBody(jsonSchemaOf(registerBody)),
      answers: { 201: 'Tokens' },
      errors: [400, 403, 409, 413, 415],
    },
    'POST /api/v1/auth/login': {
      summary: 'Begin a session',
      body: jsonBody(jsonSchemaOf(loginBody)),
      answers: { 200: 'Tokens' },
      errors: [400, 401, 413, 415, 429],
    },
    'POST /api/v1/auth/refresh': {
      summary: 'New tokens for a refresh token; used twice, it ends the session',
      body: jsonBody(jsonSchemaOf(refreshBody)),
      answers: { 200: 'Tokens' },
      errors: [400, 401, 413, 415],
    },
    'POST /api/v1/auth/logout': { summary: 'End the session', answers: { 204: null }, errors: [] },
    'GET /api/v1/auth/me': {
      summary: 'The account itself',
      headers: [ifNoneMatch],
      answers: { 200: 'User', 304: null },
      errors: [],
    },
    'POST /api/v1/auth/password': {
      summary: 'Change the password; ends all sessions and begins a new one',
      body: jsonBody(jsonSchemaOf(passwordBody)),
      answers: { 200: 'Tokens' },
      errors: [400, 413, 415, 429],
    },
    'POST /api/v1/api-keys': {
      summary: 'Make an API key; it is shown this once',
      body: jsonBody(jsonSchemaOf(apiKeyCreate)),
      answers: { 201: 'NewApiKey' },
      errors: [400, 413, 415],
    },
    'GET /api/v1/api-keys': {
      summary: 'List API keys',
      query: apiKeys,
      answers: { 200: 'ApiKeyList' },
      errors: [400],
    },
    'GET /api/v1/api-keys/{id}': {
      summary: 'Read an API key',
      headers: [ifNoneMatch],
      answers: { 200: 'ApiKey', 304: null },
      errors: [400, 404],
    },
    'PATCH /api/v1/api-keys/{id}': {
      summary: 'Change the fields that are sent',
      body: jsonBody(jsonSchemaOf(apiKeyUpdate)),
      answers: { 200: 'ApiKey' },
      errors: [400, 404, 413, 415],
    },
    'DELETE /api/v1/api-keys/{id}': { summary: 'Revoke an API key', answers: { 204: null }, errors: [400, 404] },
    'POST /api/v1/api-keys/{id}/rotate': {
      summary: 'Put a new key in the place of the old one, which may keep working for a while',
      body: jsonBody(jsonSchemaOf(apiKeyRotate)),
      bodyOptional: true,
      answers: { 200: 'NewApiKey' },
      errors: [400, 404, 413, 415],
    },
    'POST /api/v1/scenarios': {
      summary: 'Create a scenario',
      body: jsonBody(ref('ScenarioCreate')),
      answers: { 201: 'Scenario' },
      errors: [400, 409, 413, 415],
    },
    'GET /api/v1/scenarios': {
      summary: 'List scenarios',
      query: scenarioList,
      answers: { 200: 'ScenarioList' },
      errors: [400],
    },
    'GET /api/v1/scenarios/{id}': {
      summary: 'Read a scenario',
      headers: [ifNoneMatch],
      answers: { 200: 'Scenario', 304: null },
      errors: [400, 404],
    },
    'PUT /api/v1/scenarios/{id}': {
      summary: 'Change the fields that are sent',
      headers: [ifMatch],
      body: jsonBody(ref('ScenarioUpdate')),
      answers: { 200: 'Scenario' },
      errors: [400, 404, 409, 412, 413, 415],
    },
    'DELETE /api/v1/scenarios/{id}': {
      summary: 'Delete a scenario and all that belongs to it',
      headers: [ifMatch],
      answers: { 204: null },
      errors: [400, 404, 412],
    },
    ...Object.fromEntries(
      Object.entries(transitions).map(([step, { from, to }]) => [
        `POST /api/v1/scenarios/{id}/${step}`,
        { summary: `From ${from} to ${to}`, answers: { 200: 'Scenario' }, errors: [400, 404, 409] },
      ]),
    ),
    'GET /api/v1/scenarios/{id}/metrics': {
      summary: 'Usage and cost: in total, by service and over time',
      query: metricsQuery,
      answers: { 200: 'Metrics' },
      errors: [400, 404],
    },
    'POST /ingest': {
      summary: 'Send log entries to a running scenario',
      headers: [
        scenarioHeader(true),
        { name: 'Prefer', in: 'header', schema: { type: 'string', examples: ['respond-async'] } },
      ],
      query: ingestQuery,
      body: {
        ...jsonBody({ oneOf: [entry, { type: 'array', items: entry, minItems: 1, maxItems: maxEntries }] }),
        'application/x-ndjson': { schema: { type: 'string', description: 'One log entry a line.' } },
      },
      answers: { 200: 'LogResponse|BatchResult', 202: 'AcceptedBatch', 207: 'PartialBatchResult' },
      errors: [400, 404, 409, 413, 415, 503],
    },
    'GET /api/v1/ingest-jobs/{id}': {
      summary: 'What became of accepted log entries',
      answers: { 200: 'IngestJob' },
      errors: [400, 404],
    },
    'GET /api/v1/pii-kinds': {
      summary: 'What is looked for in messages, and by which rules',
      answers: { 200: 'PiiKindList' },
      errors: [],
    },
    'POST /flush': {
      summary: 'Wait until everything accepted before has been processed',
      headers: [scenarioHeader(false)],
      answers: { 200: 'Flushed' },
      errors: [400, 404, 503],
    },
  };
}

function pathsOf(all: Record<string, Operation>, config: Config): Json {
  const paths: Record<string, Json> = {};
  for (const [key, operation] of Object.entries(all)) {
    const [method = '', path = ''] = key.split(' ');
    paths[path] = { ...paths[path], [method.toLowerCase()]: present(path, withRule(key, operation, config)) };
  }
  return paths;
}

/** Credentials of either kind; an empty requirement stands for none. */
const securityOf: Readonly<Record<Asked, Json[]>> = {
  nothing: [],
  optional: [{}, { key: [] }, { token: [] }],
  'key or token': [{ key: [] }, { token: [] }],
  key: [{ key: [] }],
  token: [{ token: [] }],
};

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'The same key and request are answered as the first time, for 24 hours.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

/** Adds what the table of route rules, and every POST, brings with it. */
function withRule(route: string, operation: Operation, config: Config): Operation & { security: Json[] } {
  const { asks, limit } = ruleOf(route, config.notebooks.variant);
  const asked = asks[config.auth.mode];
  const isPost = route.startsWith('POST ');
  const more = [
    ...(asked === 'nothing' ? [] : [401, 403]),
    ...(limit ? [429] : []),
    ...(isPost ? [400, 409, 422] : []),
  ];
  return {
    ...operation,
    security: securityOf[asked],
    headers: [...(operation.headers ?? []), ...(isPost ? [idempotencyKey] : [])],
    errors: [...new Set([...operation.errors, ...more])].sort((a, b) => a - b),
  };
}

function present(path: string, operation: Operation & { security: Json[] }): Json {
  const { summary, security, query, headers = [], body, bodyOptional = false, answers, errors } = operation;
  const parameters = [...pathParameters(path), ...headers, ...(query ? queryParameters(query) : [])];
  return {
    tags: [tagOf(path)],
    summary,
    security,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: { required: !bodyOptional, content: body } } : {}),
    responses: Object.fromEntries([
      ...Object.entries(answers).map(([status, names]) => [status, answer(names)]),
      ...errors.map((status) => [status, { description: 'Error', content: jsonBody(ref('Error')) }]),
    ]),
  };
}

/** By resource, as the page at /docs groups operations. */
function tagOf(path: string): string {
  if (path === '/ingest' || path === '/flush') return 'ingest';
  const [, resource = 'service'] = /^\/api\/v1\/([\w-]+)/.exec(path) ?? [];
  return resource === 'ingest-jobs' ? 'ingest' : resource;
}

function answer(names: string | null): Json {
  if (names === null) return { description: 'Success' };
  const choices = names.split('|').map(ref);
  return { description: 'Success', content: jsonBody(choices.length === 1 ? (choices[0] ?? {}) : { oneOf: choices }) };
}

function pathParameters(path: string): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', ...(name?.endsWith('id') ? { format: 'uuid' } : {}) },
  }));
}

function queryParameters(schema: Schema): Json[] {
  const { properties } = jsonSchemaOf(schema) as { properties: Record<string, Json> };
  return Object.entries(properties).map(([name, property]) => ({ name, in: 'query', schema: property }));
}
