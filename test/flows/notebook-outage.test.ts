import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { expect } from 'chai';
import { createApp } from '../../api/app.ts';
import { stopListening } from '../../api/server/listen.ts';
import { createNotebookFixture, startHttpBackend } from '../support/notebook-backends.ts';
import { expectError } from '../support/requests.ts';
import { listenOnFreePort, sendRequest, type TestResponse } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

const path = '/api/v1/notebooks';

describe('notebooks while the backend is away', () => {
  const all = createNotebookFixture('http', startHttpBackend);
  const { service, create } = all;
  const calls = () => service.app.queues['notebook-calls'].queue;
  const operations = (id: string): (() => Promise<TestResponse>)[] => [
    () => service.request('POST', path, { body: { title: 'while away' } }),
    () => service.request('GET', path),
    () => service.request('GET', `${path}/${id}`),
    () => service.request('PATCH', `${path}/${id}`, { body: { title: 'while away' } }),
    () => service.request('DELETE', `${path}/${id}`),
  ];
  const readiness = async () => (await service.request('GET', '/health/ready')).body.checks.notebook_backend;

  /** The calls that wait to be taken, or taken again. */
  const queued = async (state: 'waiting' | 'delayed', operation: string) => {
    const jobs = await calls().getJobs([state]);
    return jobs.filter((job) => job?.data.operation === operation);
  };

  it('answer 502 with a reason within the deadline, then at once, and are back soon after it is', async () => {
    const { id } = await create();
    await all.proxy.stop();
    const answers = await Promise.all(operations(id).map((operation) => operation()));
    for (const answer of answers) {
      expectError(answer, 502, 'UPSTREAM_ERROR');
      // Not that it gave no answer in time, which is what the deadline says.
      expect(answer.body.error.message).to.match(/^The notebook backend failed: it (refuses connections|reset)/);
    }
    const failedBefore = new Set((await calls().getFailed()).map((job) => job.id));
    const more = [...operations(id), ...operations(randomUUID())];
    for (const operation of more) expectError(await operation(), 502, 'UPSTREAM_ERROR');
    const failed = (await calls().getFailed()).filter((job) => !failedBefore.has(job.id));
    expect(failed.map(({ attemptsMade }) => attemptsMade)).to.deep.equal(more.map(() => 1));
    expect(await readiness()).to.equal('down');

    await all.proxy.start();
    await waitUntil(
      'the backend to be served',
      async () => (await service.request('GET', `${path}/${id}`)).status === 200,
      10_000,
    );
    expect(await readiness()).to.equal('up');
    expect((await service.request('DELETE', `${path}/${id}`)).status).to.equal(204);
  });

  it('get over an outage that is shorter than the deadline', async () => {
    await all.proxy.stop();
    const creating = create();
    await waitUntil('an attempt to fail', async () => (await queued('delayed', 'create')).length === 1);
    await all.proxy.start();
    await creating;
  });

  it('answer 502 when no worker takes the call, and leave nothing behind', async () => {
    const before = await all.backend.count();
    await service.stopWorkers();
    const { config } = service.app;
    const impatient = { ...config, notebooks: { ...config.notebooks, deadlineMs: 1000 } };
    const { server, url } = await listenOnFreePort(createApp({ ...service.app, config: impatient }));
    try {
      const options = { headers: service.headers, body: { title: 'nobody there' } };
      const answer = await sendRequest(url, 'POST', path, options);
      expectError(answer, 502, 'UPSTREAM_ERROR');
      expect(answer.body.error.message).to.contain('no answer in time');
    } finally {
      await stopListening(server, 0);
    }
    await service.startWorkers();
    await waitUntil('the call to be given up', async () => {
      const { waiting = 0, active = 0 } = await calls().getJobCounts('waiting', 'active');
      return waiting + active === 0;
    });
    expect(await all.backend.count()).to.equal(before);
  });

  it('finish a write whose client has gone away', async () => {
    const before = await all.backend.count();
    await service.stopWorkers();
    const body = JSON.stringify({ title: 'client has left' });
    const headers = {
      ...service.headers,
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
    };
    const leaving = request(service.url + path, { method: 'POST', headers });
    leaving.on('error', () => {});
    leaving.end(body);
    await waitUntil('the call to be accepted', async () => (await queued('waiting', 'create')).length === 1);
    leaving.destroy();
    await service.startWorkers();
    await waitUntil('the notebook', async () => (await all.backend.count()) === before + 1);
    const list = await service.request('GET', `${path}?limit=1`);
    expect(list.body.data.items[0].title).to.equal('client has left');
  });
});
