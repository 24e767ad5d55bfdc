import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { expect } from 'chai';
import { createNotebookFixture, startHttpBackend } from '../support/notebook-backends.ts';
import { createRunningScenario, expectError, ingest } from '../support/requests.ts';
import { sendRequest, type TestResponse, withApp } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

const path = '/api/v1/notebooks';

describe('notebooks while the backend is unreachable', () => {
  const fixture = createNotebookFixture('http', startHttpBackend, {}, { workers: false });
  const { service, create } = fixture;
  const calls = () => service.app.queues['notebook-calls'].queue;
  const operations = (id: string): (() => Promise<TestResponse>)[] => [
    () => service.request('POST', path, { body: { title: 'during an outage' } }),
    () => service.request('GET', path),
    () => service.request('GET', `${path}/${id}`),
    () => service.request('PATCH', `${path}/${id}`, { body: { title: 'during an outage' } }),
    () => service.request('DELETE', `${path}/${id}`),
  ];
  const readiness = async (query = '') => service.request('GET', `/health/ready${query}`);

  /** The jobs of an operation that wait for their first attempt, or for a retry. */
  const queuedCalls = async (state: 'waiting' | 'delayed', operation: string) => {
    const jobs = await calls().getJobs([state]);
    return jobs.filter((job) => job?.data.operation === operation);
  };

  it('a backend is down before the first call, also after a start with another backend, and recovers without a call', async () => {
    const { proxy } = fixture;
    const isDown = async () => {
      const { status, body } = await readiness('?for=notebooks');
      return status === 503 && body.error.details[0].error.startsWith('is down: it refuses connections');
    };
    await proxy.stop();
    await service.startWorkers();
    await waitUntil('the backend to be down', isDown);
    await proxy.start();
    await waitUntil('the backend to be up', async () => (await readiness('?for=notebooks')).status === 200);
    await service.stopWorkers();
    await proxy.stop();
    await service.startWorkers();
    await waitUntil('the backend to be down', isDown);
    await proxy.start();
    await waitUntil('the backend to be up', async () => (await readiness('?for=notebooks')).status === 200);
  });

  it('notebooks respond with 502 with the reason, without retries once the circuit is open, and recover after the outage', async () => {
    const { id } = await create();
    await fixture.proxy.stop();
    const responses = await Promise.all(operations(id).map((operation) => operation()));
    for (const response of responses) {
      expectError(response, 502, 'UPSTREAM_ERROR');
      // The reason is the connection error and not the deadline.
      expect(response.body.error.message).to.match(/^The notebook backend failed: it (refuses connections|reset)/);
      expect(Number(response.headers.get('Retry-After'))).to.be.at.least(1);
    }
    const failedBefore = new Set((await calls().getFailed()).map((job) => job.id));
    const more = [...operations(id), ...operations(randomUUID())];
    for (const operation of more) {
      const response = await operation();
      expectError(response, 502, 'UPSTREAM_ERROR');
      expect(Number(response.headers.get('Retry-After'))).to.be.at.least(1);
    }
    const failed = (await calls().getFailed()).filter((job) => !failedBefore.has(job.id));
    expect(failed.map(({ attemptsMade }) => attemptsMade)).to.deep.equal(more.map(() => 1));
    // A backend that is unavailable takes nothing else down.
    for (const query of ['', '?for=ingest']) {
      const { status, body } = await readiness(query);
      expect([status, body.checks.notebook_backend], query).to.deep.equal([200, 'down']);
    }
    for (const query of ['?for=notebooks', '?for=all']) {
      expectError(await readiness(query), 503, 'SERVICE_UNAVAILABLE', ['notebook_backend']);
    }
    const scenario = await createRunningScenario(service);
    expect((await ingest(service, scenario.id, { message: 'not a notebook' })).status).to.equal(200);

    await fixture.proxy.start();
    await waitUntil(
      'notebooks to be readable',
      async () => (await service.request('GET', `${path}/${id}`)).status === 200,
    );
    expect((await readiness('?for=notebooks')).status).to.equal(200);
    expect((await service.request('DELETE', `${path}/${id}`)).status).to.equal(204);
  });

  it('notebooks are created after an outage that is shorter than the deadline', async () => {
    await fixture.proxy.stop();
    const creating = create();
    await waitUntil('an attempt to fail', async () => (await queuedCalls('delayed', 'create')).length === 1);
    await fixture.proxy.start();
    await creating;
  });

  it('notebooks respond with 502 without workers, and leave nothing at the backend', async () => {
    const before = await fixture.backend.count();
    await service.stopWorkers();
    const { config } = service.app;
    const shortDeadline = { ...config, notebooks: { ...config.notebooks, deadlineMs: 1000 } };
    await withApp({ ...service.app, config: shortDeadline }, async (url) => {
      const options = { headers: service.headers, body: { title: 'no workers' } };
      const response = await sendRequest(url, 'POST', path, options);
      expectError(response, 502, 'UPSTREAM_ERROR');
      expect(response.body.error.message).to.contain('no response in time');
      expect(Number(response.headers.get('Retry-After'))).to.be.at.least(1);
    });
    await service.startWorkers();
    await waitUntil('the call to be dropped', async () => {
      const { waiting = 0, active = 0 } = await calls().getJobCounts('waiting', 'active');
      return waiting + active === 0;
    });
    expect(await fixture.backend.count()).to.equal(before);
  });

  it('notebooks are created even if the client disconnects', async () => {
    const before = await fixture.backend.count();
    await service.stopWorkers();
    const body = JSON.stringify({ title: 'client disconnected' });
    const headers = {
      ...service.headers,
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
    };
    const aborted = request(service.url + path, { method: 'POST', headers });
    aborted.on('error', () => {});
    aborted.end(body);
    await waitUntil('the call to be accepted', async () => (await queuedCalls('waiting', 'create')).length === 1);
    aborted.destroy();
    await service.startWorkers();
    await waitUntil('the notebook', async () => (await fixture.backend.count()) === before + 1);
    const list = await service.request('GET', `${path}?limit=1`);
    expect(list.body.data.items[0].title).to.equal('client disconnected');
  });
});
