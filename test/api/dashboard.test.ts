import { expect } from 'chai';
import { allQueues } from '../../shared/queues/index.ts';
import { expectError } from '../support/requests.ts';
import { dashboardPassword, startTestService } from '../support/test-service.ts';

describe('the dashboard', () => {
  const service = startTestService({ workers: false });
  const headersOf = (password: string, more: Record<string, string> = {}) => ({
    Authorization: `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`,
    ...more,
  });
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
});
