import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { createRunningScenario, createScenario, expectError } from '../support/requests.ts';
import { startServiceBehindProxy } from '../support/service-behind-proxy.ts';
import type { RequestOptions } from '../support/test-service.ts';
import { repeatUntilWithinOneSecond } from '../support/wait-until.ts';

const path = '/api/v2/scenarios';
const v1 = '/api/v1/scenarios';

describe('scenarios, version 2', () => {
  const { service, proxy } = startServiceBehindProxy({ TRUST_PROXY: '1' });

  let callers = 0;
  /**
   * Sends from another address each time, because the deletions of a caller are limited per second.
   */
  const send = (method: string, address: string, options: RequestOptions = {}) => {
    callers += 1;
    const headers = { 'X-Forwarded-For': `192.0.2.${callers}`, ...options.headers };
    return service.request(method, address, { ...options, headers });
  };
  const bulkDelete = (ids: unknown) => send('POST', `${path}/bulk/delete`, { body: ids });

  it('scenarios are created, read, changed and deleted, and version 1 shows the same', async () => {
    const body = { name: `peak ${randomUUID()}`, region: 'eu-west-1' };
    const created = await send('POST', path, { body, headers: { 'X-User-ID': randomUUID() } });
    expect(created.status, created.text).to.equal(201);
    const { id } = created.body;
    expect(created.headers.get('Location')).to.equal(`${path}/${id}`);

    const changes = { description: 'changed' };
    const updated = await send('PUT', `${path}/${id}`, { body: changes });
    expect(updated.body).to.deep.equal({ ...created.body, ...changes, updated_at: updated.body.updated_at });
    const started = await send('POST', `${v1}/${id}/start`);
    for (const version of [v1, path]) {
      const read = await send('GET', `${version}/${id}`);
      expect(read.body).to.deep.equal(started.body);
      expect(read.headers.get('ETag')).to.equal(started.headers.get('ETag'));
      const listed = await send('GET', `${version}?search=${encodeURIComponent(body.name)}`);
      expect(listed.body).to.deep.equal({ items: [started.body], total: 1, page: 1, page_size: 20 });
    }

    expect((await send('DELETE', `${path}/${id}`)).status).to.equal(204);
    for (const version of [v1, path]) expectError(await send('GET', `${version}/${id}`), 404, 'NOT_FOUND');
  });

  it('every write refuses an X-User-ID that is not a UUID', async () => {
    const { id } = await createScenario(service);
    const requests: [string, string, unknown][] = [
      ['POST', path, { name: 'never stored', region: 'eu-west-1' }],
      ['PUT', `${path}/${id}`, { description: 'never stored' }],
      ['DELETE', `${path}/${id}`, undefined],
      ['POST', `${path}/bulk/delete`, [id]],
    ];
    for (const [method, address, body] of requests) {
      const headers = { 'X-User-ID': 'somebody' };
      expectError(await send(method, address, { headers, body }), 400, 'VALIDATION_ERROR', ['X-User-ID']);
    }
    expect((await send('GET', `${v1}/${id}`)).body.description).to.equal('');
  });

  it('with If-Match, one of two concurrent updates of a version is accepted, through either version of the routes', async () => {
    const { id } = await createScenario(service);
    const tag = (await send('GET', `${path}/${id}`)).headers.get('ETag') ?? '';
    const headers = { 'If-Match': tag };
    const responses = await Promise.all(
      [v1, path].map((version) => send('PUT', `${version}/${id}`, { headers, body: { description: version } })),
    );
    const statuses = responses.map(({ status }) => status).sort((a, b) => a - b);
    expect(statuses).to.deep.equal([200, 412]);
    const winner = responses.find(({ status }) => status === 200);
    expect((await send('GET', `${path}/${id}`)).body).to.deep.equal(winner?.body);

    for (const version of [v1, path]) {
      const refused = await send('DELETE', `${version}/${id}`, { headers });
      expectError(refused, 412, 'PRECONDITION_FAILED');
    }
    const current = { headers: { 'If-Match': winner?.headers.get('ETag') ?? '' }, body: { description: 'mine' } };
    expect((await send('PUT', `${path}/${id}`, current)).status).to.equal(200);
    expect((await send('DELETE', `${path}/${id}`, { headers: { 'If-Match': '*' } })).status).to.equal(204);
  });

  describe('bulk deletion', () => {
    it('reports each of 100 ids, in the order of the request', async () => {
      const scenarios = await Promise.all(Array.from({ length: 50 }, () => createScenario(service)));
      await createRunningScenario(service);
      const kept = await createScenario(service);
      const existing = scenarios.map(({ id }) => id);
      const unknown = existing.map(() => randomUUID());
      const ids = existing.flatMap((id, index) => [id, unknown[index]]);
      const response = await bulkDelete(ids);
      expect(response.status, response.text).to.equal(200);
      expect(response.body).to.deep.equal({
        deleted: existing,
        failed: unknown.map((id) => ({ id, reason: 'Not found' })),
        total_requested: 100,
        total_deleted: 50,
      });
      const none = { deleted: [], failed: [], total_requested: 0, total_deleted: 0 };
      expect((await bulkDelete([])).body).to.deep.equal(none);
      for (const id of existing.slice(0, 3)) {
        expectError(await send('GET', `${path}/${id}`), 404, 'NOT_FOUND');
      }
      expect((await send('GET', `${path}/${kept.id}`)).status).to.equal(200);
      await createScenario(service, { name: scenarios[0]?.name });
    });

    it('deletes a repeated id once, also in another case, and does not find its repetitions', async () => {
      const [one, other] = [await createScenario(service), await createScenario(service)];
      const unknown = randomUUID();
      const response = await bulkDelete([one.id, unknown, other.id, one.id.toUpperCase(), unknown, one.id]);
      expect(response.status, response.text).to.equal(200);
      expect(response.body).to.deep.equal({
        deleted: [one.id, other.id],
        failed: [unknown, one.id, unknown, one.id].map((id) => ({ id, reason: 'Not found' })),
        total_requested: 6,
        total_deleted: 2,
      });
    });

    it('a refused request gives back what it took from the limits', async () => {
      const responses = await repeatUntilWithinOneSecond(async (round) => {
        const headers = { 'X-Forwarded-For': `198.51.100.${round}` };
        const post = (body: string[]) => service.request('POST', `${path}/bulk/delete`, { body, headers });
        return [await post(['x']), await post(['x']), await post([randomUUID()]), await post([randomUUID()])];
      });
      expect(responses.map(({ status }) => status)).to.deep.equal([400, 400, 200, 429]);
      const headerOf = ({ headers }: (typeof responses)[number], name: string) =>
        Number(headers.get(`X-RateLimit-${name}`));
      const counted = responses.map((response) => headerOf(response, 'Limit') - headerOf(response, 'Remaining'));
      expect(counted).to.deep.equal([0, 0, 1, 1]);
    });

    it('deletes the others where the database refuses some, and gives the reason of each failure without internals', async () => {
      const scenarios = await Promise.all(Array.from({ length: 3 }, () => createScenario(service)));
      const [one, invalid, slow] = scenarios.map(({ id }) => id) as [string, string, string];
      const refusals = [
        { id: invalid, reply: { ok: 0, code: 121, codeName: 'DocumentValidationFailure', errmsg: 'db.scenarios' } },
        { id: slow, reply: { ok: 0, code: 50, codeName: 'MaxTimeMSExpired', errmsg: 'exceeded on mongo-7' } },
      ];
      proxy.intercept = ({ name, collection, body }) => {
        if (name !== 'update' || collection !== 'scenarios') return undefined;
        const update = JSON.stringify(body['updates']);
        return refusals.find(({ id }) => update.includes(id));
      };
      const response = await bulkDelete([invalid, one, slow, invalid]);
      expect(response.status, response.text).to.equal(200);
      const notDeleted = { id: invalid, reason: 'The database did not delete the scenario.' };
      expect(response.body).to.deep.equal({
        deleted: [one],
        failed: [notDeleted, { id: slow, reason: 'The database is unreachable.' }, notDeleted],
        total_requested: 4,
        total_deleted: 1,
      });
      const found = await Promise.all([one, invalid, slow].map((id) => service.request('GET', `${path}/${id}`)));
      expect(found.map(({ status }) => status)).to.deep.equal([404, 200, 200]);
    });
  });
});
