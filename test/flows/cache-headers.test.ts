import { expect } from 'chai';
import { type Account, createAccount, password } from '../support/accounts.ts';
import { createScenario } from '../support/requests.ts';
import { startTestService, type TestResponse } from '../support/test-service.ts';

const origin = 'https://app.example.com';
const path = '/api/v1/scenarios';
const credentials = ['Authorization', 'X-API-Key', 'Cookie'];

const cachingOf = ({ headers }: TestResponse) => headers.get('Cache-Control');
const varyOf = ({ headers }: TestResponse) => (headers.get('Vary') ?? '').split(', ');

describe('caches', () => {
  const service = startTestService({
    workers: false,
    environment: { CORS_ORIGINS: origin },
  });
  let admin: Account;
  before(async () => {
    admin = await createAccount(service);
  });

  it('a response with an ETag is cached for its caller, and revalidated', async () => {
    const { id } = await createScenario(service);
    const read = await service.request('GET', `${path}/${id}`);
    const same = await service.request('GET', `${path}/${id}`, {
      headers: { 'If-None-Match': read.headers.get('ETag') ?? '', Origin: origin },
    });
    expect([read.status, same.status]).to.deep.equal([200, 304]);
    for (const response of [read, same]) {
      expect(cachingOf(response)).to.equal('private, no-cache');
      expect(varyOf(response)).to.include.members(credentials);
    }
    expect(varyOf(same)).to.include('Origin');
  });

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
      expect(cachingOf(response), response.text).to.equal('no-store');
    }
  });

  it('responses without an ETag and errors are not cached', async () => {
    const responses = await Promise.all([
      service.request('GET', path),
      service.request('GET', '/health'),
      service.request('GET', `${path}/x`),
      service.request('GET', '/api/v1/api-keys'),
      service.request('GET', '/none'),
      service.request('GET', '/admin/queues'),
      service.request('PUT', '/health'),
      service.request('OPTIONS', path),
    ]);
    expect(responses.map(({ status }) => status)).to.deep.equal([200, 200, 400, 401, 404, 401, 405, 200]);
    for (const response of responses) expect(cachingOf(response), response.text).to.equal('no-store');
  });

  it('the files of the pages can be cached, since they are the same for everybody', async () => {
    const asset = await service.request('GET', '/docs/swagger-ui.css');
    expect(cachingOf(asset)).to.match(/^public, max-age=/);
  });
});
