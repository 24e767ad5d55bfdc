import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { bearer, createAccount, createApiKey } from '../support/accounts.ts';
import { createRunningScenario, createScenario } from '../support/requests.ts';
import { startTestService } from '../support/test-service.ts';

interface Sent {
  headers?: Record<string, string>;
  body?: unknown;
}

/** Its header is that of a token, and its payload is not JSON. */
const brokenToken = `${Buffer.from('{"typ":"JWT","alg":"HS256"}').toString('base64url')}.bm9wZQ.x`;
const ofType = (type: string, headers: Record<string, string> = {}) => ({ 'Content-Type': type, ...headers });
const json = ofType('application/json');

describe('error messages name what was sent, what is wrong and what to do', () => {
  const service = startTestService({ workers: false });
  let admin: Awaited<ReturnType<typeof createAccount>>;
  let member: typeof admin;
  let key: Record<string, string> = {};
  let notebooksKey: Record<string, string> = {};
  /** For the names in braces of requests and messages. */
  let ids: Record<string, string> = {};
  before(async () => {
    admin = await createAccount(service);
    member = await createAccount(service);
    const created = await createApiKey(service, admin, { scopes: ['ingest'] });
    key = { 'X-API-Key': created.key };
    notebooksKey = { 'X-API-Key': (await createApiKey(service, admin)).key };
    const [draft, running] = [await createScenario(service), await createRunningScenario(service)];
    ids = { draft: draft.id, running: running.id, keyId: created.id };
  });

  const unknownLevel = { assumptions: { pipeline: { levels: ['notice'] } } };
  const unknownItem = { overrides: [{ price: '1', note: '', service: 'queue', item: 'lifo' }] };
  const schedule = () => ({ scenario_id: ids['running'], format: 'pdf', cron: '0 0 * * *', timezone: '+02:00' });
  const noKey = 'An API key is required, in the header X-API-Key: POST /api/v1/api-keys with notebooks:read makes one.';
  const noZone = '"+02:00" is not a time zone: it must be a name such as Europe/Berlin.';
  const noToken = 'What was sent in Authorization is not an access token; POST /api/v1/auth/login gives one.';

  const draft = 'PUT /api/v1/scenarios/{draft}';
  const list = 'GET /api/v1/scenarios';
  const notebooks = 'GET /api/v1/notebooks';
  const brokenJson = { headers: json, body: '{\n  "name": "a",\n}' };
  const brokenLine = { headers: ofType('application/x-ndjson'), body: '{"message":"a"}\n{"message":}\n' };
  const form = { headers: ofType('application/x-www-form-urlencoded'), body: 'name=a' };
  const packedBy = (encoding: string) => ({ headers: { ...json, 'Content-Encoding': encoding }, body: '{}' });
  const textAs = (type: string) => ({ headers: ofType(type), body: '[2026-05-01 12:00:00] started\n' });
  const protobuf = { headers: ofType('application/x-protobuf'), body: '\n\0' };
  const multipart = { headers: ofType('multipart/form-data; boundary=x'), body: '--x--\r\n' };
  const numberAsPassword = { body: { email: 'a@example.com', password: 12345678 } };

  /** The status and the request, and a part of the message. */
  const rows: [request: string, message: string | RegExp, sent?: Sent | (() => Sent)][] = [
    ['400 POST /api/v1/scenarios', 'line 3, column 1 has "}" in place of a name in double quotes.', brokenJson],
    ['400 POST /ingest/{running}?fields=strict', '[1] must be valid JSON: line 2, column 12 has "}"', brokenLine],
    [`400 ${list}?limit=5`, 'limit is not a parameter here; use page and page_size.'],
    [`400 ${notebooks}?page=2`, 'is not a parameter here; use limit and offset.', () => ({ headers: notebooksKey })],
    [`400 ${list}/{running}/metrics?until=2026`, 'known are from, to, interval, cursor, limit.'],
    [
      `400 ${draft}`,
      'assumptions.functions is unknown; known are queue,',
      { body: { assumptions: { functions: {} } } },
    ],
    [`400 ${draft}`, 'body must contain at least one of name, description, region, assumptions.', { body: {} }],
    [`401 ${list}`, noToken, { headers: bearer('abc') }],
    [`401 ${list}`, noToken, { headers: bearer(brokenToken) }],
    [`401 ${list}`, '/auth/refresh gives one for it.', () => ({ headers: bearer(member.refreshToken) })],
    [`401 ${list}`, 'it has expired, or its session has', () => ({ headers: bearer(`${member.accessToken}x`) })],
    [`401 ${list}`, 'it is a token, which belongs into', () => ({ headers: { 'X-API-Key': member.accessToken } })],
    [`401 ${notebooks}`, 'an access token is not one: POST /api/v1/api-keys with notebooks:read', () => member],
    [`401 ${notebooks}`, noKey],
    [
      `403 ${notebooks}`,
      'and the API key has ingest; PATCH /api/v1/api-keys/{keyId} changes',
      () => ({ headers: key }),
    ],
    ['403 GET /api/v1/users', 'Only admins can do this.', () => member],
    ['403 GET /api/v1/users', 'requires an access token of the account, not an API key;', () => ({ headers: key })],
    [`400 ${draft}`, 'changes by POST /api/v1/scenarios/{id}/start, /stop and', { body: { status: 'running' } }],
    ['404 POST /api/v2/scenarios/{draft}/start', 'use POST /api/v1/scenarios/{draft}/start.'],
    ['404 POST /api/v1/ingest', 'There is nothing at /api/v1/ingest; use POST /ingest.', { body: {} }],
    ['404 GET /scenarios', 'use GET /api/v1/scenarios.'],
    ['404 POST /api/v1/login', 'use POST /api/v1/auth/login.'],
    [`404 GET /${'x'.repeat(500)}`, `at /${'x'.repeat(119)}…; GET /openapi.json lists the addresses.`],
    ['405 PATCH /api/v1/scenarios/{draft}', /does not support PATCH; use (?=.*GET)(?=.*PUT)(?=.*DELETE)/, { body: {} }],
    ['409 POST /ingest/{draft}', 'must be running; start it: POST /api/v1/scenarios/{draft}/start.', { body: {} }],
    ['409 POST /api/v1/scenarios/{draft}/archive', 'start and stop it: POST /api/v1/scenarios/{draft}/start,'],
    ['409 POST /api/v1/scenarios/{running}/start', 'it must be draft; a status does not go back.'],
    ['400 POST /ingest/{running}?zone=%2B02:00', '"+02:00" is not a time zone: it must be a name such', { body: 'a' }],
    ['400 POST /api/v1/report-schedules', noZone, () => ({ headers: admin.headers, body: schedule() })],
    ['415 POST /api/v1/scenarios', 'urlencoded"; send the header Content-Type: application/json.', form],
    ['415 POST /ingest/{running}', 'came as "text/csv"; send the', { headers: ofType('text/csv'), body: 'a' }],
    ['415 POST /api/v1/scenarios', 'The body must be sent uncompressed, not as "gzip".', packedBy('gzip')],
    ['415 POST /ingest/{running}', /compressed by one of gzip, deflate(?:, zstd)?, not "br"\./, packedBy('br')],
    ...['/ingest', '/ingest/{running}'].flatMap((address): typeof rows => [
      // As curl -F and curl -T send a file.
      [`415 POST ${address}`, '--data-binary @FILE instead of -F', multipart],
      [`405 PUT ${address}`, '--data-binary @FILE instead of -T', { body: 'a line' }],
      [`400 POST ${address}`, 'send it with Content-Type: text/plain', textAs('application/json')],
      [`400 POST ${address}`, 'send it with Content-Type: text/plain', textAs('application/x-ndjson')],
    ]),
    // curl adds the name of a file to an address that ends with a slash.
    ['405 PUT /ingest/access.log', '--data-binary @FILE instead of -T', { body: 'a line' }],
    ['415 POST /ingest', 'sent to /v1/logs.', protobuf],
    ['415 POST /ingest/{running}', 'sent to /ingest/{running}/v1/logs.', protobuf],
    ['400 GET /api/v2/scenarios?include_archived=ja', 'include_archived must be true or false, not "ja".'],
    [
      `400 ${draft}`,
      'one of trace, debug, info, warn, error, fatal, other, none, not "notice".',
      { body: unknownLevel },
    ],
    ['400 PUT /api/v1/price-overrides', 'not "lifo".', () => ({ headers: admin.headers, body: unknownItem })],
    [`400 ${list}?page_size=9999`, 'page_size must be at most 100, not 9999.'],
    [`400 ${list}/7`, 'id must be a UUID, not "7".'],
    [`400 ${list}/compare?ids={draft},7`, 'must be UUIDs, separated by commas; number 2 is "7".'],
    [`400 ${list}/{running}/metrics?from=yesterday`, 'such as 2026-05-01 or 2026-05-01T12:00:00Z, not "yesterday".'],
    ['400 POST /api/v1/auth/login', 'password must be a string, not a number.', numberAsPassword],
  ];

  const withIds = (text: string) => text.replaceAll(/\{(\w+)\}/g, (braced, name: string) => ids[name] ?? braced);

  for (const [request, message, sent = {}] of rows) {
    it(`${request.slice(0, 60)}: ${String(message).slice(0, 60)}`, async () => {
      const [status = '', method = '', path = ''] = withIds(request).split(' ');
      const { headers: own, body } = typeof sent === 'function' ? sent() : sent;
      const headers = { 'X-Scenario-ID': ids['running'] ?? '', ...own };
      const response = await service.request(method, path, { headers, body });
      expect(response.status, response.text).to.equal(Number(status));
      const shown: string = response.body.error.message;
      if (typeof message === 'string') expect(shown).to.contain(withIds(message));
      else expect(shown).to.match(message);
    });
  }

  describe('malformed HTTP', () => {
    /** Sends bytes unchanged. @returns everything received until the connection closes. */
    async function responseTo(bytes: string, address = service.url): Promise<string> {
      const { hostname, port } = new URL(address);
      const socket = connect(Number(port), hostname);
      await once(socket, 'connect');
      socket.write(bytes);
      return text(socket);
    }

    const withHost = (...hosts: string[]) =>
      `GET /health HTTP/1.1\r\n${hosts.map((host) => `Host: ${host}\r\n`).join('')}\r\n`;

    const cases: [string, string, number][] = [
      ['two Host headers', withHost('a', 'a'), 400],
      ['two Host headers of different case', withHost('a').replace('\r\n\r\n', '\r\nHOST: b\r\n\r\n'), 400],
      ['an empty Host', withHost(''), 400],
      ...['a b', 'a/b', 'user@a', 'http://a', 'a:port', 'a:99999', '[::1', 'a?b', 'a#b', 'a\\b', '\u00ff'].map(
        (host): [string, string, number] => [`a Host that is none: ${host}`, withHost(host), 400],
      ),
      ['text', 'hello?\r\n\r\n', 400],
      ['an unknown method', 'BREW /api/v1/scenarios HTTP/1.1\r\nHost: a\r\n\r\n', 400],
      ['a header that is too long', `GET /health HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
      ['a path that is too long', `GET /health?${'x'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 431],
      [
        'a body in broken chunks',
        'POST /api/v1/scenarios HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
        400,
      ],
    ];
    for (const [name, bytes, status] of cases) {
      it(`malformed HTTP gets its response in the envelope: ${name}`, async () => {
        const response = await responseTo(bytes);
        const [head = '', body = ''] = response.split('\r\n\r\n');
        expect(head).to.match(new RegExp(`^HTTP/1\\.1 ${status} `));
        const { success, error, meta } = JSON.parse(body) as Record<string, Record<string, unknown>>;
        expect(success).to.equal(false);
        expect(error).to.include({ code: 'VALIDATION_ERROR', details: null });
        expect(head).to.contain(`X-Request-ID: ${meta?.['request_id'] as string}`);
        expect(head).to.contain(`Content-Length: ${Buffer.byteLength(body)}`);
        expect(head).to.contain('Connection: close');
      });
    }

    it('does not include the hosts that clients send', async () => {
      const { port } = new URL(service.url);
      for (const host of [
        'a',
        'a.example',
        `127.0.0.1:${port}`,
        '[::1]',
        `[::1]:${port}`,
        'my_service.local',
        'A:80',
      ]) {
        const response = await responseTo(withHost(host).replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
        expect(response, host).to.match(/^HTTP\/1\.1 200 /);
      }
      expect(await responseTo('GET /health HTTP/1.0\r\n\r\n')).to.match(/^HTTP\/1\.1 200 /);
    });
  });
});
