import { expect } from 'chai';
import { securityHeaders } from '../../api/http/default-headers.ts';
import { type Account, createAccount, password } from '../support/accounts.ts';
import { createScenario } from '../support/requests.ts';
import { type RequestOptions, startTestService, type TestResponse, type TestService } from '../support/test-service.ts';

const origin = 'https://app.example.com';
const credentials = ['Authorization', 'X-API-Key', 'Cookie'];

function expectSecurityHeaders({ status, headers }: TestResponse): void {
  for (const [name, value] of Object.entries(securityHeaders)) {
    if (name === 'Content-Security-Policy') expect(headers.get(name), String(status)).to.contain("default-src '");
    else expect(headers.get(name), `${status} ${name}`).to.equal(value);
  }
  for (const name of ['Server', 'X-Powered-By', 'Via']) expect(headers.get(name), name).to.equal(null);
}

describe('the headers of every response', () => {
  const service = startTestService({ workers: false, environment: { CORS_ORIGINS: origin, TRUST_PROXY: '1' } });
  let admin: Account;
  let scenarioId: string;
  before(async () => {
    admin = await createAccount(service);
    ({ id: scenarioId } = await createScenario(service));
  });

  const rows: [method: string, path: string, status: number, caching: string, options?: RequestOptions][] = [
    ['GET', '/api/v1/scenarios', 200, 'no-store'],
    ['GET', '/api/v1/scenarios/{id}', 200, 'private, no-cache'],
    ['GET', '/api/v1/scenarios/{id}', 304, 'private, no-cache', { headers: { 'If-None-Match': '*', Origin: origin } }],
    ['GET', '/api/v1/scenarios/x', 400, 'no-store'],
    ['POST', '/api/v1/scenarios', 415, 'no-store', { body: '{' }],
    ['OPTIONS', '/api/v1/scenarios', 200, 'no-store'],
    ['GET', '/api/v1/users', 401, 'no-store'],
    ['GET', '/admin/queues', 401, 'no-store'],
    ['GET', '/health', 200, 'no-store'],
    ['PUT', '/health', 405, 'no-store'],
    ['GET', '/metrics', 200, 'no-store'],
    ['GET', '/none', 404, 'no-store'],
    ['GET', '/docs', 200, 'no-store'],
    ['GET', '/docs/swagger-ui.css', 200, 'public, max-age=3600'],
  ];
  for (const [method, path, status, caching, options] of rows) {
    it(`${method} ${path} (${status}) restricts browsers, and can be cached: ${caching}`, async () => {
      const response = await service.request(method, path.replace('{id}', scenarioId), options);
      expect(response.status, response.text).to.equal(status);
      expectSecurityHeaders(response);
      expect(response.headers.get('Cache-Control')).to.equal(caching);
      const vary = (response.headers.get('Vary') ?? '').split(', ');
      if (caching.startsWith('private')) expect(vary).to.include.members(credentials);
      if (status === 304) expect(vary).to.include('Origin');
    });
  }

  it('tokens, keys, password links and sessions are not cached', async () => {
    const { headers, email } = admin;
    const post = (to: string, body: object, sent = {}) =>
      service.request('POST', `/api/v1${to}`, { headers: sent, body });
    const key = await post('/api-keys', { name: 'shipper', scopes: ['ingest'] }, headers);
    const user = await post('/users', { email: 'joe@example.com', role: 'member' }, headers);
    const login = await post('/auth/login', { email, password });
    const responses = [
      key,
      user,
      login,
      await post(`/api-keys/${key.body.id}/rotate`, {}, headers),
      await post(`/users/${user.body.id}/password-link`, {}, headers),
      await post('/auth/refresh', { refresh_token: login.body.refresh_token }),
      await post('/auth/browser-session', { email, password }, { 'X-Requested-With': 'meterbook' }),
    ];
    for (const response of responses) {
      expect(response.status, response.text).to.be.oneOf([200, 201]);
      expect(response.headers.get('Cache-Control'), response.text).to.equal('no-store');
    }
  });

  it('require HTTPS once a trusted proxy has received a request by it', async () => {
    const over = async (scheme: string) =>
      (await service.request('GET', '/health', { headers: { 'X-Forwarded-Proto': scheme } })).headers;
    expect((await over('https')).get('Strict-Transport-Security')).to.equal('max-age=31536000');
    expect((await over('http')).get('Strict-Transport-Security')).to.equal(null);
  });
});

const path = '/api/v1/scenarios';

const preflight = (service: TestService, from: string, to = path) =>
  service.request('OPTIONS', to, {
    headers: {
      Origin: from,
      'Access-Control-Request-Method': 'PUT',
      'Access-Control-Request-Headers': 'content-type,x-api-key,if-match',
    },
  });

const corsHeaders = (headers: Headers) => [...headers.keys()].filter((name) => name.startsWith('access-control-'));

describe('calls from pages of CORS_ORIGINS', () => {
  const service = startTestService({
    workers: false,
    environment: {
      CORS_ORIGINS: `https://other.example.com, ${origin}`,
      AUTH_MODE: 'strict',
      RATE_LIMIT_ENTERPRISE: '1',
      RATE_LIMIT_FREE: '1',
    },
  });

  it('calls from pages of CORS_ORIGINS are announced by a preflight, which needs no credentials and is not limited', async () => {
    for (let sent = 0; sent < 3; sent += 1) {
      const { status, headers, text } = await preflight(service, origin);
      expect([status, text]).to.deep.equal([204, '']);
      expect(Object.fromEntries(headers)).to.include({
        'access-control-allow-origin': origin,
        'access-control-allow-headers': 'content-type,x-api-key,if-match',
        'access-control-max-age': '600',
      });
      expect(headers.get('Access-Control-Allow-Methods')?.split(',')).to.include.members(['PUT', 'PATCH', 'DELETE']);
      expect([...headers.keys()]).not.to.include.members(['access-control-allow-credentials', 'x-ratelimit-limit']);
      expect(headers.get('Vary')).to.contain('Origin');
    }
  });

  it('pages of CORS_ORIGINS can read responses, errors and their headers', async () => {
    for (const [to, expected] of [
      [path, 401],
      ['/none', 404],
      ['/health', 200],
    ] as const) {
      const { status, headers } = await service.request('GET', to, { headers: { Origin: origin } });
      expect(status).to.equal(expected);
      expect(headers.get('Access-Control-Allow-Origin')).to.equal(origin);
      expect(headers.get('Access-Control-Expose-Headers')?.split(',')).to.include.members([
        'X-Request-ID',
        'X-RateLimit-Limit',
        'X-RateLimit-Remaining',
        'X-RateLimit-Reset',
        'ETag',
        'Retry-After',
        'Idempotent-Replayed',
        'X-Cache',
      ]);
    }
  });

  it('pages of other origins cannot call the API, and none can call the dashboard', async () => {
    const foreign = ['https://app.example.com.evil.example', 'http://app.example.com', `${origin}:8443`, 'null'];
    for (const from of foreign) {
      expect(corsHeaders((await preflight(service, from)).headers), from).to.deep.equal([]);
      const { headers } = await service.request('GET', '/health', { headers: { Origin: from } });
      expect(corsHeaders(headers), from).to.deep.equal([]);
    }
    const dashboard = await preflight(service, origin, '/admin/queues/api/queues');
    expect(dashboard.status).to.equal(401);
    expect(corsHeaders(dashboard.headers)).to.deep.equal([]);
  });
});

describe('calls from other pages without CORS_ORIGINS', () => {
  const service = startTestService({ workers: false });

  it('calls from other pages get no headers of CORS', async () => {
    expect(corsHeaders((await preflight(service, origin)).headers)).to.deep.equal([]);
    const { status, headers } = await service.request('GET', '/health', { headers: { Origin: origin } });
    expect(status).to.equal(200);
    expect(corsHeaders(headers)).to.deep.equal([]);
    expect(headers.get('Vary')).to.equal(null);
  });
});
