import { expect } from 'chai';
import { allQueues } from '../../../shared/all-queues.ts';
import { expectError } from '../../support/requests.ts';
import { dashboardPassword, startTestService } from '../../support/test-service.ts';

const headersOf = (password: string, more: Record<string, string> = {}) => ({
  Authorization: `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`,
  ...more,
});

describe('the dashboard', () => {
  const service = startTestService({ workers: false });
  const headers = headersOf(dashboardPassword);

  it('requires user and password for its pages and its API', async () => {
    for (const path of ['/admin/queues', '/admin/queues/', '/admin/queues/api/queues', '/admin/queues/static/x']) {
      for (const wrong of [{}, headersOf('wrong'), { Authorization: 'Bearer x' }]) {
        const response = await service.request('GET', path, { headers: wrong });
        expectError(response, 401, 'AUTH_ERROR');
        expect(response.headers.get('WWW-Authenticate')).to.match(/^Basic /);
      }
    }
  });

  it('shows every queue', async () => {
    const { status, body } = await service.request('GET', '/admin/queues/api/queues', { headers });
    expect(status).to.equal(200);
    const names = body.queues.map(({ name }: { name: string }) => name);
    expect(names).to.have.members(Object.keys(allQueues));
  });

  it('loads nothing from other hosts', async () => {
    const { status, text } = await service.request('GET', '/admin/queues/', { headers });
    expect(status).to.equal(200);
    expect([...text.matchAll(/(?:href|src)="([^"]+)"/g)].length).to.be.greaterThan(2);
    expect(text).not.to.match(/(?:href|src)="(?:https?:)?\/\//);
    const script = /src="(static\/js\/main[^"]+)"/.exec(text)?.[1];
    const asset = await service.request('GET', `/admin/queues/${script}`, { headers });
    expect(asset.status).to.equal(200);
  });

  it('accepts changes from its own pages only', async () => {
    const pause = (more: Record<string, string>) =>
      service.request('PUT', '/admin/queues/api/queues/roll-up-usage/pause', {
        headers: headersOf(dashboardPassword, more),
      });
    expectError(await pause({ Origin: 'https://elsewhere.example' }), 403, 'FORBIDDEN');
    expectError(await pause({ Origin: 'null' }), 403, 'FORBIDDEN');
    expectError(await pause({ 'Sec-Fetch-Site': 'cross-site' }), 403, 'FORBIDDEN');
    const { queue } = service.app.queues['roll-up-usage'];
    expect(await queue.isPaused()).to.equal(false);
    expect((await pause({ Origin: service.url })).status).to.equal(200);
    expect(await queue.isPaused()).to.equal(true);
  });

  it('responds to its own errors in the envelope, and cannot be framed', async () => {
    const missing = await service.request('GET', '/admin/queues/api/queues/none/1', { headers });
    expectError(missing, 404, 'NOT_FOUND');
    const page = await service.request('GET', '/admin/queues', { headers });
    expect(page.headers.get('Content-Security-Policy')).to.contain("frame-ancestors 'none'");
  });
});

describe('wrong passwords of the dashboard', () => {
  const service = startTestService({ workers: false, environment: { RATE_LIMIT_LOGIN: '3', TRUST_PROXY: '1' } });
  const open = (password: string | null, address: string) => {
    const from = { 'X-Forwarded-For': address };
    return service.request('GET', '/admin/queues', { headers: password === null ? from : headersOf(password, from) });
  };

  it('wrong passwords are limited by address like logins, and requests without a password do not count', async () => {
    for (let sent = 0; sent < 5; sent += 1) expect((await open(null, '192.0.2.1')).status).to.equal(401);
    for (let sent = 0; sent < 3; sent += 1) expect((await open('wrong', '192.0.2.1')).status).to.equal(401);
    const refused = await open(dashboardPassword, '192.0.2.1');
    expectError(refused, 429, 'RATE_LIMITED');
    expect(refused.headers.get('Retry-After')).to.equal(String(refused.body.error.details[0].retry_after));
    expect((await open(dashboardPassword, '192.0.2.2')).status).to.equal(200);
  });

  it('wrong passwords are compared as often as the limit says, however many are sent at once', async () => {
    const sendAtOnce = (passwordOf: (guess: number) => string | null) =>
      Promise.all(Array.from({ length: 100 }, (_, guess) => open(passwordOf(guess), '192.0.2.3')));
    // Opens the connections, so that the guesses arrive together.
    await sendAtOnce(() => null);
    const statuses = (await sendAtOnce((guess) => `wrong ${guess}`)).map(({ status }) => status);
    expect(statuses).to.have.members([...Array<number>(3).fill(401), ...Array<number>(97).fill(429)]);
    expectError(await open(dashboardPassword, '192.0.2.3'), 429, 'RATE_LIMITED');
  });

  it('right passwords do not count, however many requests a browser sends with them at once', async () => {
    const opened = await Promise.all(Array.from({ length: 20 }, () => open(dashboardPassword, '192.0.2.4')));
    expect(opened.map(({ status }) => status)).to.deep.equal(Array(20).fill(200));
  });
});

describe('the dashboard below a path prefix', () => {
  const service = startTestService({ workers: false, environment: { TRUST_PROXY: '1' } });
  const direct = startTestService({ workers: false });
  const baseOf = async (prefix: string, from = service) => {
    const headers = headersOf(dashboardPassword, { 'X-Forwarded-Prefix': prefix });
    const { text } = await from.request('GET', '/admin/queues', { headers });
    return /<base href="([^"]*)"/.exec(text)?.[1];
  };

  it('finds its files there if a trusted proxy names the prefix', async () => {
    expect(await baseOf('/meterbook')).to.equal('/meterbook/admin/queues/');
    expect(await baseOf('/tools/meter-book.v2/')).to.equal('/tools/meter-book.v2/admin/queues/');
  });

  it('ignores a prefix that is not a path, and the header of a client', async () => {
    for (const prefix of ['//evil.example', 'https://evil.example', '/a"><script>', '/a b', 'a', '/', '/a, /b', '']) {
      expect(await baseOf(prefix), prefix).to.equal('/admin/queues/');
    }
    expect(await baseOf('/meterbook', direct)).to.equal('/admin/queues/');
  });
});
