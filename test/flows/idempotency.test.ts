import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { createApp } from '../../api/app.ts';
import { stopListening } from '../../api/http/http-server.ts';
import { deriveServiceKeys } from '../../shared/crypto/encryption.ts';
import { createAccount } from '../support/accounts.ts';
import { createRunningScenario, expectError, getMetrics, ingest } from '../support/requests.ts';
import { startSecondWebProcess } from '../support/second-web-process.ts';
import { listenOnFreePort, sendRequest, startTestService, type TestResponse } from '../support/test-service.ts';

const scenarios = '/api/v1/scenarios';

describe('Idempotency-Key', () => {
  const service = startTestService();
  const webs = startSecondWebProcess(service);
  const newScenario = () => ({ name: `scenario ${randomUUID()}`, region: 'eu-west-1' });
  const create = (key: string, body: unknown, web: Pick<typeof service, 'request'> = service) =>
    web.request('POST', scenarios, { headers: { ...service.headers, 'Idempotency-Key': key }, body });
  before(async () => {
    Object.assign(service.headers, (await createAccount(service)).headers);
  });
  const isReplay = (response: TestResponse) => response.headers.get('Idempotent-Replayed') === 'true';

  /** Checks that `again` is the first response, except for the headers of the request itself. */
  function expectReplay(again: TestResponse, first: TestResponse): void {
    expect([again.status, again.text]).to.deep.equal([first.status, first.text]);
    expect(isReplay(first)).to.equal(false);
    expect(isReplay(again)).to.equal(true);
    for (const header of ['Content-Type', 'Location', 'ETag', 'Preference-Applied', 'Cache-Control']) {
      expect(again.headers.get(header), header).to.equal(first.headers.get(header));
    }
    expect(again.headers.get('X-Request-ID')).not.to.equal(first.headers.get('X-Request-ID'));
  }

  it('replays the first response to the same key and body, also in another web process', async () => {
    const [key, body] = [randomUUID(), newScenario()];
    const first = await create(key, body);
    expect(first.status).to.equal(201);
    expectReplay(await create(key, body), first);
    expectReplay(await create(key, body, webs[1]), first);
  });

  it('replays responses of the previous secret, also those with an API key that is derived from it', async () => {
    const { config } = service.app;
    const rotated = { ...config, keys: deriveServiceKeys(Buffer.alloc(32, 1)), previousKeys: config.keys };
    const { server, url } = await listenOnFreePort(createApp({ ...service.app, config: rotated }));
    for (const [path, body] of [
      [scenarios, newScenario()],
      ['/api/v1/api-keys', { name: 'rotated' }],
    ] as const) {
      const headers = { ...service.headers, 'Idempotency-Key': randomUUID() };
      const first = await service.request('POST', path, { headers, body });
      expect(first.status, first.text).to.equal(201);
      expectReplay(await sendRequest(url, 'POST', path, { headers, body }), first);
      expectError(
        await sendRequest(url, 'POST', path, { headers, body: { ...body, name: 'other' } }),
        422,
        'IDEMPOTENCY_MISMATCH',
      );
      // A key that is new to both is of the new secret.
      const own = { ...headers, 'Idempotency-Key': randomUUID() };
      const sent = { headers: own, body: path === scenarios ? newScenario() : body };
      const created = await sendRequest(url, 'POST', path, sent);
      expect(created.status, created.text).to.equal(201);
      expectReplay(await sendRequest(url, 'POST', path, sent), created);
    }
    await stopListening(server, 0);
  });

  describe('of POST /ingest', () => {
    const entries = [{ message: 'mail to jane@example.com' }, { message: 'GET /checkout 200', source: 'web-1' }];

    it('counts the entries once, and rebuilds the response from the stored batch', async () => {
      const { id } = await createRunningScenario(service);
      const headers = { 'Idempotency-Key': randomUUID() };
      const first = await ingest(service, id, entries, { headers });
      expect(first.status).to.equal(200);
      await service.request('POST', `${scenarios}/${id}/stop`);
      expectReplay(await ingest(service, id, entries, { headers }), first);
      expectError(await ingest(service, id, entries[0], { headers }), 422, 'IDEMPOTENCY_MISMATCH');
      expect((await getMetrics(service, id)).totals.logs).to.equal(2);
      const other = await createRunningScenario(service);
      expectError(await ingest(service, other.id, entries, { headers }), 422, 'IDEMPOTENCY_MISMATCH');
    });

    it('replays a single entry and a partial batch', async () => {
      const { id } = await createRunningScenario(service);
      for (const [body, query] of [
        [entries[0], ''],
        [[...entries, { message: 1 }], '?partial=true'],
      ] as const) {
        const headers = { 'Idempotency-Key': randomUUID() };
        const first = await ingest(service, id, body, { headers, query });
        expect(first.status).to.equal(query === '' ? 200 : 207);
        expectReplay(await ingest(service, id, body, { headers, query }), first);
      }
      expect((await getMetrics(service, id)).totals.logs).to.equal(3);
    });

    it('responds to invalid entries as it did, of which nothing is stored', async () => {
      const { id } = await createRunningScenario(service);
      const send = () =>
        ingest(service, id, [{ message: 1 }], { headers: { 'Idempotency-Key': 'once' }, query: '?partial=true' });
      const [first, again] = [await send(), await send()];
      expect(first.status).to.equal(207);
      expect([again.status, again.text, isReplay(again)]).to.deep.equal([207, first.text, false]);
    });

    it('replays a 202 until a worker has the entries, and responds with their results after it', async () => {
      const { id } = await createRunningScenario(service);
      const headers = { 'Idempotency-Key': randomUUID(), Prefer: 'respond-async' };
      await service.stopWorkers();
      const first = await ingest(service, id, entries, { headers });
      expect(first.status).to.equal(202);
      expectReplay(await ingest(service, id, entries, { headers }), first);
      await service.startWorkers();
      expect((await service.request('POST', '/flush')).status).to.equal(200);
      const again = await ingest(service, id, entries, { headers });
      expect([again.status, again.body.accepted, isReplay(again)]).to.deep.equal([200, 2, true]);
      expect((await getMetrics(service, id)).totals.logs).to.equal(2);
    });
  });
});
