import { scopes, tiers } from '../../../shared/models/api-key.model.ts';
import { scenarioStatuses } from '../../../shared/models/scenario.model.ts';
import { roles } from '../../../shared/models/user.model.ts';

/** JSON Schema of what the service answers; what it takes comes from the schemas that validate it. */

type JsonSchema = Record<string, unknown>;

export const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

const text: JsonSchema = { type: 'string' };
const uuid: JsonSchema = { type: 'string', format: 'uuid' };
const time: JsonSchema = { type: 'string', format: 'date-time' };
const count: JsonSchema = { type: 'integer', minimum: 0 };
const decimal: JsonSchema = { type: 'string', pattern: '^-?\\d+\\.\\d{12}$' };
const status: JsonSchema = { type: 'string', enum: ['ok', 'estimated', 'unverified', 'missing'] };

const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] });
const list = (items: JsonSchema): JsonSchema => ({ type: 'array', items });
const object = (properties: Record<string, JsonSchema>, optional: string[] = []): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
});

const entryMetrics = {
  queue_requests: count,
  function_invocations: count,
  function_gb_seconds: decimal,
  input_tokens: count,
  output_tokens: count,
};
const cost = object({
  queue: orNull(decimal),
  function: orNull(decimal),
  inference: orNull(decimal),
  total: orNull(decimal),
});
const period = object({ from: orNull(time), to: orNull(time) });

const apiKey = {
  id: uuid,
  user_id: uuid,
  name: text,
  prefix: text,
  scopes: list({ type: 'string', enum: [...scopes] }),
  tier: { type: 'string', enum: [...tiers] },
  expires_at: orNull(time),
  last_used_at: orNull(time),
  grace_ends_at: { ...orNull(time), description: 'When the last of the rotated keys ends.' },
  created_at: time,
  updated_at: time,
};

export const answerSchemas: Record<string, JsonSchema> = {
  Error: object({
    success: { const: false },
    error: object({
      code: text,
      message: text,
      details: orNull(
        list({
          anyOf: [object({ field: text, error: text }), object({ retry_after: { type: 'integer', minimum: 1 } })],
        }),
      ),
    }),
    meta: object({ timestamp: time, request_id: uuid }),
  }),
  User: object({
    id: uuid,
    email: text,
    role: { type: 'string', enum: [...roles] },
    created_at: time,
    updated_at: time,
  }),
  Tokens: object({
    access_token: text,
    token_type: { const: 'Bearer' },
    expires_in: { ...count, description: 'Seconds.' },
    refresh_token: { type: 'string', description: 'Good once.' },
    refresh_expires_in: { ...count, description: 'Seconds.' },
    user: ref('User'),
  }),
  ApiKey: object(apiKey),
  NewApiKey: object({ ...apiKey, key: { type: 'string', description: 'Shown this once.' } }),
  ApiKeyList: object({ items: list(ref('ApiKey')), total: count, page: count, page_size: count }),
  Scenario: object({
    id: uuid,
    name: text,
    description: text,
    region: text,
    status: { type: 'string', enum: [...scenarioStatuses] },
    assumptions: { type: 'object' },
    created_at: time,
    updated_at: time,
    started_at: orNull(time),
    completed_at: orNull(time),
    archived_at: orNull(time),
  }),
  ScenarioList: object({ items: list(ref('Scenario')), total: count, page: count, page_size: count }),
  LogResponse: object({
    id: uuid,
    scenario_id: uuid,
    received_at: time,
    message_hash: { type: 'string', pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the UTF-8 message.' },
    message_preview: { type: 'string', description: 'The first 200 characters of the redacted message.' },
    source: orNull(text),
    level: orNull(text),
    size_bytes: count,
    has_pii: { type: 'boolean' },
    pii: list(
      object({ type: { type: 'string', enum: ['email', 'national_id', 'payment_card'] }, count, country: text }, [
        'country',
      ]),
    ),
    metrics: object(entryMetrics),
    cost,
  }),
  BatchTotals: object({
    logs: count,
    size_bytes: count,
    pii_logs: count,
    metrics: object(entryMetrics),
    cost,
  }),
  BatchResult: object({ accepted: count, results: list(ref('LogResponse')), totals: ref('BatchTotals') }),
  RejectedEntry: object({
    index: count,
    status: { const: 400 },
    error: object({ code: text, message: text, details: list(object({ field: text, error: text })) }),
  }),
  PartialBatchResult: object({
    accepted: count,
    rejected: count,
    results: list({ anyOf: [ref('LogResponse'), ref('RejectedEntry')] }),
    totals: orNull(ref('BatchTotals')),
  }),
  AcceptedBatch: object(
    {
      job_id: uuid,
      status: { const: 'queued' },
      status_url: text,
      accepted: count,
      rejected: count,
      results: list(ref('RejectedEntry')),
    },
    ['rejected', 'results'],
  ),
  IngestJob: object({
    job_id: uuid,
    scenario_id: uuid,
    status: { type: 'string', enum: ['queued', 'processing', 'completed', 'failed'] },
    accepted: count,
    results: orNull(list(ref('LogResponse'))),
    totals: orNull(ref('BatchTotals')),
    error: orNull(object({ code: text, message: text })),
  }),
  PiiKindList: object({
    items: list(
      object({
        type: { type: 'string', enum: ['email', 'national_id', 'payment_card'] },
        country: orNull(text),
        scheme: text,
        name: text,
        pattern: text,
        checksum: text,
        context: text,
        keywords: list(text),
        source: text,
      }),
    ),
    total: count,
  }),
  Flushed: object({ status: { const: 'flushed' }, pending: { const: 0 } }),
  Metrics: object({
    scenario_id: uuid,
    region: text,
    currency: { const: 'USD' },
    price_book: object({ version: text, as_of: text }),
    period,
    totals: object({
      logs: count,
      size_bytes: count,
      pii_logs: count,
      ...entryMetrics,
      pii: object({ email: count, national_id: count, payment_card: count }),
      cost: orNull(decimal),
      status,
      incomplete: { type: 'boolean' },
    }),
    cost_breakdown: list(
      object(
        {
          service: { type: 'string', enum: ['queue', 'function', 'inference'] },
          usage: { type: 'object' },
          cost: orNull(decimal),
          share: orNull(text),
          status,
          unpriced: { type: 'object' },
        },
        ['unpriced'],
      ),
    ),
    timeseries: list(object({ hour: time, logs: count, size_bytes: count, pii_logs: count, ...entryMetrics, cost })),
  }),
  Health: object({ status: { const: 'ok' } }),
  Readiness: object({
    status: { type: 'string', enum: ['ready', 'not_ready'] },
    checks: { type: 'object', additionalProperties: { type: 'string', enum: ['up', 'down'] } },
  }),
};
