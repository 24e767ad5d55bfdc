import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { expect } from 'chai';
import { createLiveMetrics } from '../../api/cost/live-metrics.ts';
import { createAccount, createApiKey } from '../support/accounts.ts';
import { type EventSource, openEventSource, type ServerEvent } from '../support/event-source.ts';
import { createSender } from '../support/members.ts';
import { createRunningScenario, createScenario, expectError, getMetrics, ingest } from '../support/requests.ts';
import { startSecondWebProcess, type WebProcess } from '../support/second-web-process.ts';
import { type ServerProxy, startRedisProxy } from '../support/server-proxies.ts';
import { getTestServers } from '../support/test-servers.ts';
import { startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

/** Longer than any test, for what a test must not wait for. */
const never = 1_000_000;
const maxPerCaller = 3;

const pathOf = (id: string) => `/api/v1/scenarios/${id}/metrics/stream`;

describe('a stream of metrics', () => {
  const service = startTestService({
    environment: { MAX_STREAMS_PER_CALLER: String(maxPerCaller), ACCESS: 'own' },
    liveMetrics: { changeMs: 50, pollMs: never, checkMs: 50 },
  });
  const webs = startSecondWebProcess(service);
  const opened: EventSource[] = [];
  const open = async (id: string, headers: Record<string, string> = {}, web: WebProcess = service) => {
    const source = await openEventSource(web.url + pathOf(id), headers);
    opened.push(source);
    return source;
  };
  const rows = ['interval', 'timeseries', 'next'];
  const readSummary = async (id: string) =>
    Object.fromEntries(Object.entries(await getMetrics(service, id)).filter(([name]) => !rows.includes(name)));
  const hasLogs =
    (count: number) =>
    ({ data }: ServerEvent) =>
      data.totals?.logs === count;
  afterEach(() => {
    for (const source of opened.splice(0)) source.close();
  });

  it('begins with the present metrics, and follows entries and the status', async () => {
    const { id } = await createRunningScenario(service);
    await ingest(service, id, [{ message: 'mail jane@example.com' }, { message: 'a' }]);
    const source = await open(id);
    expect(source.response.headers.get('Content-Type')).to.equal('text/event-stream; charset=utf-8');
    expect(source.response.headers.get('X-Accel-Buffering')).to.equal('no');
    expect(source.response.headers.get('Cache-Control')).to.equal('no-store');
    expect(source.response.headers.get('Content-Encoding')).to.equal(null);

    const first = await source.next();
    expect(first).to.deep.include({ event: 'metrics', data: { ...(await readSummary(id)), status: 'running' } });
    expect(first?.data.totals).to.deep.include({ logs: 2, pii: { email: 1, national_id: 0, payment_card: 0 } });
    await ingest(service, id, { message: 'another' });
    const second = await source.next();
    expect(second?.data).to.deep.equal({ ...(await readSummary(id)), status: 'running' });
    expect(second?.data.totals.logs).to.equal(3);
    expect(second?.id).to.be.a('string').and.not.equal(first?.id);
    await service.request('POST', `/api/v1/scenarios/${id}/stop`);
    expect((await source.next())?.data).to.deep.equal({ ...second?.data, status: 'completed' });
    expect(source.text().match(/^retry: \d+$/gm)).to.have.length(1);
  });

  it('has comments while nothing changes', async () => {
    const source = await open((await createScenario(service)).id);
    await source.next();
    void source.next().catch(() => {});
    await waitUntil('two comments', () => source.text().split('\n:\n').length > 2);
    expect(source.text().match(/^event/gm)).to.have.length(1);
  });

  it('sends nothing to a client that has the present version, until it changes', async () => {
    const { id } = await createRunningScenario(service);
    const first = await (await open(id)).next();
    const again = await open(id, { 'Last-Event-ID': first?.id ?? '' });
    await ingest(service, id, { message: 'a' });
    expect((await again.next())?.data.totals.logs).to.equal(1);
    expect((await (await open(id, { 'Last-Event-ID': first?.id ?? '' })).next())?.data.totals.logs).to.equal(1);
    const refused = await service.request('GET', pathOf(id), { headers: { 'Last-Event-ID': 'x'.repeat(101) } });
    expectError(refused, 400, 'VALIDATION_ERROR', ['Last-Event-ID']);
  });

  it('shows the same versions in every web process', async () => {
    const { id } = await createRunningScenario(service);
    const sources = await Promise.all(webs.map((web) => open(id, {}, web)));
    const versions = async (count: number) => Promise.all(sources.map((each) => each.until(hasLogs(count))));
    const [one, other] = await versions(0);
    expect(other).to.deep.equal(one);
    for (const [at, web] of webs.entries()) {
      await ingest(web, id, { message: 'a line' });
      const [here, there] = await versions(at + 1);
      expect(there).to.deep.equal(here);
    }
  });

  it('a stream ends with its scenario', async () => {
    const scenario = await createScenario(service);
    const sources = await Promise.all(webs.map((web) => open(scenario.id, {}, web)));
    for (const source of sources) await source.next();
    await service.request('DELETE', `/api/v1/scenarios/${scenario.id}`);
    for (const source of sources) {
      expect(await source.next()).to.deep.include({ event: 'end', data: { reason: 'deleted' } });
      expect(await source.next()).to.equal(undefined);
    }
  });

  it('ends with the session or the key of the caller, and with its right to the scenario', async () => {
    const account = await createAccount(service);
    const { id: keyId, key } = await createApiKey(service, account);
    const [{ id }, other] = [await createScenario(service), await createSender(service)];
    const { id: owned } = await createScenario(other.service);
    const cases = [
      [await open(id, { 'X-API-Key': key }), 'access'],
      [await open(id, account.headers), 'access'],
      [await open(owned, other.headers), 'deleted'],
    ] as const;
    for (const [source] of cases) await source.next();
    await service.request('DELETE', `/api/v1/api-keys/${keyId}`, { headers: account.headers });
    await service.request('POST', '/api/v1/auth/logout', { headers: account.headers });
    await service.app.models.scenario.updateOne({ _id: owned }, { createdBy: account.user.id });
    for (const [source, reason] of cases) {
      expect(await source.next()).to.deep.include({ event: 'end', data: { reason } });
      expect(await source.next()).to.equal(undefined);
    }
  });

  it('a caller has a bounded number of streams, and a slot is free when its client disconnects', async () => {
    const { headers } = await createAccount(service);
    const { id } = await createScenario(service);
    const sources = [];
    for (let count = 0; count < maxPerCaller; count += 1) sources.push(await open(id, headers));
    const refused = await service.request('GET', pathOf(id), { headers });
    expectError(refused, 503, 'SERVICE_UNAVAILABLE');
    expect(Number(refused.headers.get('Retry-After'))).to.be.greaterThan(0);
    expect((await open(id)).response.status).to.equal(200);
    sources[0]?.close();
    await waitUntil('a free slot', async () => (await service.request('GET', pathOf(id), { headers })).status === 200);
  });

  it('frees its slot if the client disconnects before the response', async () => {
    const { accessToken, headers } = await createAccount(service);
    const { id } = await createScenario(service);
    const { hostname, port } = new URL(service.url);
    const head = `GET ${pathOf(id)} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${accessToken}\r\n\r\n`;
    for (let count = 0; count < 2 * maxPerCaller; count += 1) {
      const socket = connect(Number(port), hostname);
      await new Promise((resolve) => {
        socket.write(head, resolve);
      });
      socket.destroy();
    }
    await waitUntil('all slots to be free', async () => {
      const responses = Array.from({ length: maxPerCaller }, async () => {
        const connection = new AbortController();
        const { signal } = connection;
        const { status } = await fetch(service.url + pathOf(id), { headers, signal });
        return { connection, status };
      });
      const slots = await Promise.all(responses);
      for (const { connection } of slots) connection.abort();
      return slots.every(({ status }) => status === 200);
    });
  });

  it('a stream exists for those who see the scenario', async () => {
    const [owner, stranger] = [await createSender(service), await createSender(service)];
    const { id } = await createScenario(owner.service);
    expectError(await stranger.send('GET', pathOf(id)), 404, 'NOT_FOUND');
    expectError(await owner.send('GET', pathOf(randomUUID())), 404, 'NOT_FOUND');
    expect((await owner.send('HEAD', pathOf(id))).headers.get('Content-Type')).to.contain('text/event-stream');
    expectError(await service.request('GET', pathOf('x')), 400, 'VALIDATION_ERROR', ['id']);
  });
});

describe('streams of metrics', () => {
  const service = startTestService({
    environment: { MAX_STREAMS: '2' },
    liveMetrics: { changeMs: 50, pollMs: never, checkMs: never },
  });

  it('a process has a bounded number of streams, which end at once when it stops', async () => {
    const { id } = await createScenario(service);
    const sources = [await openEventSource(service.url + pathOf(id)), await openEventSource(service.url + pathOf(id))];
    expectError(await service.request('GET', pathOf(id)), 503, 'SERVICE_UNAVAILABLE');
    for (const source of sources) await source.next();
    service.app.liveMetrics.close();
    for (const source of sources) {
      expect(await source.next()).to.deep.include({ event: 'end', data: { reason: 'shutdown' } });
      expect(await source.next()).to.equal(undefined);
    }
    expectError(await service.request('GET', pathOf(id)), 503, 'SERVICE_UNAVAILABLE');
  });
});

describe('the metrics of a scenario with streams', () => {
  const service = startTestService();

  it('metrics are read once for all streams of a scenario', async () => {
    const { scenario } = service.app.models;
    let reads = 0;
    const counting = new Proxy(scenario, {
      get: (model, name) => {
        if (name === 'findOne') reads += 1;
        return Reflect.get(model, name);
      },
    });
    const models = { ...service.app.models, scenario: counting };
    const live = createLiveMetrics({ ...service.app, models }, { changeMs: 0, pollMs: never, checkMs: never });
    const { id } = await createRunningScenario(service);
    const viewer = { scenarioId: id, lastEventId: undefined, checkAccess: async () => {}, disconnect: () => {} };
    const open = (_: unknown, index: number) => live.open({ ...viewer, caller: { limitKey: `caller ${index}` } });
    try {
      const streams = await Promise.all(Array.from({ length: 50 }, open));
      // The first read had begun before the others were opened.
      expect(reads).to.be.within(1, 4);
      const opened = reads;
      const followed = streams.map(async (stream) => {
        for await (const part of stream) if (String(part).includes('"logs":1,')) return;
      });
      await ingest(service, id, { message: 'a' });
      await Promise.all(followed);
      expect(reads - opened).to.be.within(1, 4);
    } finally {
      live.close();
    }
  });
});

describe('a stream of metrics while Redis is unreachable', () => {
  let proxy: ServerProxy;
  const service = startTestService({
    environment: async () => {
      proxy = await startRedisProxy(getTestServers().singleRedisUrl);
      return { REDIS_URL: proxy.url };
    },
    liveMetrics: { changeMs: 50, pollMs: 50, checkMs: never },
  });
  after(() => proxy.stop());

  it('shows what was stored, and goes on afterwards', async () => {
    const { id } = await createRunningScenario(service);
    const source = await openEventSource(service.url + pathOf(id));
    try {
      await ingest(service, id, { message: 'a line' });
      expect((await source.until(({ data }) => data.totals.logs === 1)).data.status).to.equal('running');
      // Their connections would still be waiting to reconnect when the service ends.
      await service.stopWorkers();
      await proxy.stop();
      expect((await service.request('POST', `/api/v1/scenarios/${id}/stop`)).status).to.equal(200);
      expect((await source.until(({ data }) => data.status === 'completed')).data.totals.logs).to.equal(1);
      const opened = await openEventSource(service.url + pathOf(id));
      expect((await opened.next())?.data.status).to.equal('completed');
      opened.close();
    } finally {
      await proxy.start();
    }
    await service.request('DELETE', `/api/v1/scenarios/${id}`);
    expect((await source.next())?.data).to.deep.equal({ reason: 'deleted' });
  });
});
