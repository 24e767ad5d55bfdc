import { expect } from 'chai';
import { startTestService, type TestService } from '../support/test-service.ts';

const origin = 'https://app.example.com';
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
