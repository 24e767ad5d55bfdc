import { expect } from 'chai';
import { securityHeaders } from '../../api/http/default-headers.ts';
import { startTestService } from '../support/test-service.ts';

describe('the headers of every response', () => {
  const service = startTestService({ workers: false, environment: { TRUST_PROXY: '1' } });
  const responses = () =>
    Promise.all([
      service.request('GET', '/health'),
      service.request('GET', '/docs'),
      service.request('GET', '/metrics'),
      service.request('GET', '/none'),
      service.request('GET', '/admin/queues'),
      service.request('OPTIONS', '/api/v1/scenarios'),
      service.request('GET', '/api/v1/users'),
      service.request('POST', '/api/v1/scenarios', { body: '{' }),
    ]);

  it('headers restrict what browsers do with a response, and name no software and no version', async () => {
    for (const { status, headers } of await responses()) {
      for (const [name, value] of Object.entries(securityHeaders)) {
        if (name === 'Content-Security-Policy') expect(headers.get(name), String(status)).to.contain("default-src '");
        else expect(headers.get(name), `${status} ${name}`).to.equal(value);
      }
      for (const name of ['Server', 'X-Powered-By', 'Via']) expect(headers.get(name), name).to.equal(null);
    }
  });

  it('headers require HTTPS once a trusted proxy has received a request by it', async () => {
    const over = async (scheme: string) =>
      (await service.request('GET', '/health', { headers: { 'X-Forwarded-Proto': scheme } })).headers;
    expect((await over('https')).get('Strict-Transport-Security')).to.equal('max-age=31536000');
    expect((await over('http')).get('Strict-Transport-Security')).to.equal(null);
  });
});
