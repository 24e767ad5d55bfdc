import { expect } from 'chai';
import { bearer, createAccount, createApiKey } from '../support/accounts.ts';
import { createRunningScenario, createScenario } from '../support/requests.ts';
import { startTestService } from '../support/test-service.ts';

interface Sent {
  headers?: Record<string, string>;
  body?: unknown;
  status?: number;
}

/** Its header is that of a token, and its payload is not JSON. */
const brokenToken = `${Buffer.from('{"typ":"JWT","alg":"HS256"}').toString('base64url')}.bm9wZQ.x`;

describe('error messages name what was sent, what is wrong and what to do', () => {
  const service = startTestService({ workers: false });
  let draft = '';
  let running = '';
  let admin: Record<string, string> = {};
  let member: Awaited<ReturnType<typeof createAccount>>;
  let key: Record<string, string> = {};
  let keyId = '';
  let notebooksKey: Record<string, string> = {};
  before(async () => {
    const account = await createAccount(service);
    admin = account.headers;
    member = await createAccount(service);
    const created = await createApiKey(service, account, { scopes: ['ingest'] });
    keyId = created.id;
    key = { 'X-API-Key': created.key };
    notebooksKey = { 'X-API-Key': (await createApiKey(service, account)).key };
    draft = (await createScenario(service)).id;
    running = (await createRunningScenario(service)).id;
  });

  const json = { 'Content-Type': 'application/json' };
  const regions = '"eu-west" is not a region; did you mean eu-west-1? GET /api/v1/regions lists them';
  const models =
    /"claude-haiku-9" is not a model; did you mean anthropic\.claude-haiku-4-5-20251001-v1:0, \S+ or \S+\? GET \/api\/v1\/models lists them/;
  const version = '"newest" is not a version of the price book; GET /api/v1/price-books lists them';
  const assumptions = { inference: { model: 'claude-haiku-9' } };
  const override = { price: '1', note: '' };
  const scenarios = '/api/v1/scenarios';

  /** The addresses and messages have the ids of the scenarios and of the key in braces. */
  const rows: [what: string, address: string, sent: Sent | (() => Sent), message: string | RegExp][] = [
    [
      'a body that is not JSON',
      'POST /api/v1/scenarios',
      { headers: json, body: '{\n  "name": "a",\n}' },
      'body must be valid JSON: line 3, column 1 has "}" in place of a name in double quotes.',
    ],
    [
      'a line that is not JSON',
      'POST /ingest/{running}?fields=strict',
      { headers: { 'Content-Type': 'application/x-ndjson' }, body: '{"message":"a"}\n{"message":}\n' },
      '[1] must be valid JSON: line 2, column 12 has "}" in place of a value.',
    ],
    [
      'log records that are not JSON',
      'POST /ingest/{running}/v1/logs',
      { headers: json, body: '{"resourceLogs":\n[}' },
      'line 2, column 2 has "}" in place of a value or ]',
    ],
    ['an unknown region', 'POST /api/v1/scenarios', { body: { name: 'a', region: 'eu-west' } }, regions],
    ['an unknown model', 'POST /api/v1/scenarios', { body: { name: 'a', region: 'eu-west-1', assumptions } }, models],
    ['a malformed version', 'GET /api/v1/scenarios/compare?ids={draft},{running}&price_book=newest', {}, version],
    [
      'limit of a list with pages',
      'GET /api/v1/scenarios?limit=5',
      {},
      'limit is not a parameter here; use page and page_size.',
    ],
    [
      'page of a list with an offset',
      '/api/v1/notebooks?page=2',
      () => ({ headers: notebooksKey }),
      'page is not a parameter here; use limit and offset.',
    ],
    [
      'an unknown parameter',
      'GET /api/v1/scenarios/{running}/metrics?until=2026',
      {},
      'until is not a parameter here; known are from, to, interval, cursor, limit.',
    ],
    [
      'an unknown field of assumptions',
      'PUT /api/v1/scenarios/{draft}',
      { body: { assumptions: { functions: {} } } },
      'assumptions.functions is unknown; known are queue, function, inference, free_tier, price_book, pipeline.',
    ],
    [
      'no field at all',
      'PUT /api/v1/scenarios/{draft}',
      { body: {} },
      'body must contain at least one of name, description, region, assumptions.',
    ],
    [
      'something else than a token',
      'GET /api/v1/scenarios',
      { headers: bearer('abc'), status: 401 },
      'What was sent in Authorization is not an access token; POST /api/v1/auth/login gives one.',
    ],
    [
      'a header of a token before something else',
      'GET /api/v1/scenarios',
      { headers: bearer(brokenToken), status: 401 },
      'What was sent in Authorization is not an access token; POST /api/v1/auth/login gives one.',
    ],
    [
      'such a text as API key',
      'GET /api/v1/notebooks',
      { headers: { 'X-API-Key': brokenToken }, status: 401 },
      'is not valid',
    ],
    [
      'a refresh token',
      'GET /api/v1/scenarios',
      () => ({ headers: bearer(member.refreshToken), status: 401 }),
      'is a refresh token, not an access token; POST /api/v1/auth/refresh gives one for it.',
    ],
    [
      'a token of another service',
      'GET /api/v1/scenarios',
      () => ({ headers: bearer(`${member.accessToken}x`), status: 401 }),
      'it has expired, or its session has ended; POST /api/v1/auth/login gives one.',
    ],
    [
      'a token as API key',
      'GET /api/v1/scenarios',
      () => ({ headers: { 'X-API-Key': member.accessToken }, status: 401 }),
      'is not valid: it is a token, which belongs into Authorization: Bearer.',
    ],
    [
      'a token for notebooks',
      'GET /api/v1/notebooks',
      () => ({ headers: member.headers, status: 401 }),
      'An API key is required; an access token is not one: POST /api/v1/api-keys with notebooks:read makes one.',
    ],
    [
      'no key for notebooks',
      'GET /api/v1/notebooks',
      { status: 401 },
      'An API key is required, in the header X-API-Key: POST /api/v1/api-keys with notebooks:read makes one.',
    ],
    [
      'a key without the scope',
      'GET /api/v1/notebooks',
      () => ({ headers: key, status: 403 }),
      'requires the scope notebooks:read, and the API key has ingest; PATCH /api/v1/api-keys/{keyId} changes them.',
    ],
    [
      'a member on a route for admins',
      'GET /api/v1/users',
      () => ({ headers: member.headers, status: 403 }),
      'Only admins can do this.',
    ],
    [
      'a key on a route for accounts',
      'GET /api/v1/users',
      () => ({ headers: key, status: 403 }),
      'requires an access token of the account, not an API key; POST /api/v1/auth/login gives one.',
    ],
    [
      'a status',
      'PUT /api/v1/scenarios/{draft}',
      () => ({ body: { status: 'running' } }),
      'status changes by POST /api/v1/scenarios/{id}/start, /stop and /archive.',
    ],
    [
      'a path of another version',
      'POST /api/v2/scenarios/{draft}/start',
      { status: 404 },
      'There is nothing at /api/v2/scenarios/{draft}/start; use POST /api/v1/scenarios/{draft}/start.',
    ],
    [
      'a path with a prefix',
      'POST /api/v1/ingest',
      { body: {}, status: 404 },
      'There is nothing at /api/v1/ingest; use POST /ingest.',
    ],
    ['a path without a prefix', 'GET /scenarios', { status: 404 }, 'use GET /api/v1/scenarios.'],
    ['the end of a path', 'POST /api/v1/login', { status: 404 }, 'use POST /api/v1/auth/login.'],
    [
      'a path of nothing, which is cut',
      `GET /${'x'.repeat(500)}`,
      { status: 404 },
      `There is nothing at /${'x'.repeat(119)}…; GET /openapi.json lists the addresses.`,
    ],
    [
      'a method that is not supported',
      'PATCH /api/v1/scenarios/{draft}',
      { body: {}, status: 405 },
      /does not support PATCH; use (?=.*GET)(?=.*PUT)(?=.*DELETE)/,
    ],
    [
      'entries of a draft',
      'POST /ingest/{draft}',
      { body: { message: 'a' }, status: 409 },
      'Scenario {draft} is draft; to take log entries, it must be running; start it: POST /api/v1/scenarios/{draft}/start.',
    ],
    [
      'a transition that skips others',
      'POST /api/v1/scenarios/{draft}/archive',
      { status: 409 },
      'it must be completed; start and stop it: POST /api/v1/scenarios/{draft}/start, then /stop.',
    ],
    [
      'a transition back',
      'POST /api/v1/scenarios/{running}/start',
      { status: 409 },
      'it must be draft; a status does not go back.',
    ],
    [
      'an offset as time zone of lines',
      'POST /ingest/{running}?zone=%2B02:00',
      { body: 'a' },
      '"+02:00" is not a time zone: it must be a name such as Europe/Berlin; offsets belong into the lines.',
    ],
    [
      'an offset as time zone of a schedule',
      'POST /api/v1/report-schedules',
      () => ({
        headers: admin,
        body: { scenario_id: running, format: 'pdf', cron: '0 0 * * *', timezone: '+02:00' },
      }),
      '"+02:00" is not a time zone: it must be a name such as Europe/Berlin.',
    ],
    [
      'a form',
      'POST /api/v1/scenarios',
      { headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: 'name=a', status: 415 },
      'The body came as "application/x-www-form-urlencoded"; send the header Content-Type: application/json.',
    ],
    [
      'entries of another type',
      'POST /ingest/{running}',
      { headers: { 'Content-Type': 'text/csv' }, body: 'a', status: 415 },
      'came as "text/csv"; send the header Content-Type: application/json, application/x-ndjson or text/plain.',
    ],
    [
      'a packed body',
      'POST /api/v1/scenarios',
      { headers: { ...json, 'Content-Encoding': 'gzip' }, body: '{}', status: 415 },
      'The body must be sent uncompressed, not as "gzip".',
    ],
    [
      'entries of another compression',
      'POST /ingest/{running}',
      { headers: { ...json, 'Content-Encoding': 'br' }, body: '{}', status: 415 },
      /compressed by one of gzip, deflate(?:, zstd)?, not "br"\./,
    ],
    [
      'a word in place of a boolean',
      '/api/v2/scenarios?include_archived=ja',
      {},
      'include_archived must be true or false, not "ja".',
    ],
    [
      'an unknown level',
      'PUT /api/v1/scenarios/{draft}',
      { body: { assumptions: { pipeline: { levels: ['notice'] } } } },
      'must be one of trace, debug, info, warn, error, fatal, other, none, not "notice".',
    ],
    [
      'an unknown item of an own price',
      'PUT /api/v1/price-overrides',
      () => ({ headers: admin, body: { overrides: [{ ...override, service: 'queue', item: 'lifo' }] } }),
      'must be one of standard, fifo, not "lifo".',
    ],
    ['a number out of range', 'GET /api/v1/scenarios?page_size=9999', {}, 'page_size must be at most 100, not 9999.'],
    ['a malformed id', 'GET /api/v1/scenarios/7', {}, 'id must be a UUID, not "7".'],
    [
      'a malformed id in a list of them',
      'GET /api/v1/scenarios/compare?ids={draft},7',
      {},
      'must be UUIDs, separated by commas; number 2 is "7".',
    ],
    [
      'a malformed time',
      'GET /api/v1/scenarios/{running}/metrics?from=yesterday',
      {},
      'must be an ISO 8601 date or time, such as 2026-05-01 or 2026-05-01T12:00:00Z, not "yesterday".',
    ],
    [
      'a value of another type',
      'POST /api/v1/scenarios',
      { body: { name: 5, region: 'eu-west-1' } },
      'name must be a string, not a number.',
    ],
    [
      'a secret of another type',
      'POST /api/v1/auth/login',
      { body: { email: 'a@example.com', password: 12345678 } },
      'password must be a string, not a number.',
    ],
    [
      'a key in place of an id',
      '/api/v1/audit-records?user_id=mb_0123456789ab_0123',
      () => ({ headers: admin }),
      'user_id must be a UUID, not a key or token.',
    ],
    [
      'control characters and a long value',
      `GET ${scenarios}?status=a%0A%1B${'x'.repeat(500)}`,
      {},
      `not "a\\n\\u001b${'x'.repeat(57)}…".`,
    ],
  ];

  const withIds = (text: string) =>
    text.replaceAll(/\{(draft|running|keyId)\}/g, (_, name) => ({ draft, running, keyId })[name as 'draft'] ?? '');

  for (const [what, address, sent, message] of rows) {
    it(what, async () => {
      const [path = '', method = 'GET'] = withIds(address).split(' ').reverse();
      const { status = 400, ...request } = typeof sent === 'function' ? sent() : sent;
      const response = await service.request(method, path, request);
      expect(response.status, response.text).to.equal(status);
      // OTLP has an error format of its own.
      const shown = (response.body.error?.message ?? response.body.message) as string;
      if (typeof message === 'string') expect(shown).to.contain(withIds(message));
      else expect(shown).to.match(message);
      expect(shown).not.to.contain('secret"');
    });
  }
});
