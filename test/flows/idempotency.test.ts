import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { deriveServiceKeys } from '../../shared/crypto/encryption.ts';
import { createAccount } from '../support/accounts.ts';
import { createRunningScenario, expectError, getMetrics, ingest } from '../support/requests.ts';
import { sendRequest, startTestService, type TestResponse, withApp } from '../support/test-service.ts';

const scenarios = '/api/v1/scenarios';

describe('Idempotency-Key', () => {
  const service = startTestService();
  const newScenario = () => ({ name: `scenario ${randomUUID()}`, region: 'eu-west-1' });
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

  it('replays responses of the previous secret, also those with an API key that is derived from it', async () => {
    const { config } = service.app;
    const rotated = { ...config, keys: deriveServiceKeys(Buffer.alloc(32, 1)), previousKeys: config.keys };
    await withApp({ ...service.app, config: rotated }, async (url) => {
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
    });
  });

  it('of POST /ingest counts the entries once, and rebuilds the response from the stored batch', async () => {
    const { id } = await createRunningScenario(service);
    const entry = { message: 'mail to jane@example.com' };
    const bodies = [
      [entry, '', 200],
      [[entry, { message: 'GET /checkout 200', source: 'web-1' }], '', 200],
      [[entry, { message: 1 }], '?partial=true', 207],
    ] as const;
    const sent = bodies.map(([body, query, status]) => {
      const headers = { 'Idempotency-Key': randomUUID() };
      return { status, send: (other: unknown = body, to = id) => ingest(service, to, other, { headers, query }) };
    });
    const firsts = [];
    for (const { send } of sent) firsts.push(await send());
    await service.request('POST', `${scenarios}/${id}/stop`);
    const { id: other } = await createRunningScenario(service);
    for (const [index, { status, send }] of sent.entries()) {
      expect(firsts[index]?.status).to.equal(status);
      expectReplay(await send(), firsts[index]!);
      expectError(await send([{ message: 'another' }]), 422, 'IDEMPOTENCY_MISMATCH');
      expectError(await send(bodies[index]?.[0], other), 422, 'IDEMPOTENCY_MISMATCH');
    }
    expect((await getMetrics(service, id)).totals.logs).to.equal(4);
  });
});
