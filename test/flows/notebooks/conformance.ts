import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { NotebookFixture, RunningBackend } from '../../support/notebook-backends.ts';
import type { Fault } from '../../support/proxy.ts';
import { expectError } from '../../support/requests.ts';
import { waitForNextMillisecond } from '../../support/wait-until.ts';

export const path = '/api/v1/notebooks';

/** Returns one fault per request, in this order, and then no further faults. */
export function faultsInOrder(...faults: Fault[]): () => Fault | undefined {
  return () => faults.shift();
}

/** The tests that every backend must pass: equal calls have equal responses and equal errors. */
export function testConformance(fixture: NotebookFixture<RunningBackend>): void {
  const { service, create } = fixture;
  const read = (id: string) => service.request('GET', `${path}/${id}`);

  it('notebooks are created, read, changed and deleted', async () => {
    const before = await fixture.backend.count();
    const { id, ...rest } = await create({ title: '  Ünïcode / "quotes" 😀 ', description: 'first\nsecond line' });
    expect(rest).to.include({ title: 'Ünïcode / "quotes" 😀', description: 'first\nsecond line' });
    expect(await fixture.backend.count()).to.equal(before + 1);
    expect((await read(id)).body.data).to.deep.equal({ id, ...rest });

    const titled = await service.request('PATCH', `${path}/${id}`, { body: { title: 'Another title' } });
    expect(titled.body.data).to.include({ id, title: 'Another title', description: 'first\nsecond line' });
    const described = await service.request('PATCH', `${path}/${id}`, { body: { description: 'other' } });
    expect(described.body.data).to.include({ id, title: 'Another title', description: 'other' });
    const cleared = await service.request('PATCH', `${path}/${id}`, { body: { description: null } });
    expect(cleared.body.data).to.include({ id, title: 'Another title', description: null });
    expect((await read(id)).body.data).to.deep.equal(cleared.body.data);

    expect((await service.request('DELETE', `${path}/${id}`)).status).to.equal(204);
    expect(await fixture.backend.count()).to.equal(before);
    expectError(await service.request('DELETE', `${path}/${id}`), 404, 'NOT_FOUND');
    expectError(await read(id), 404, 'NOT_FOUND');
    expectError(await service.request('PATCH', `${path}/${id}`, { body: { title: 'gone' } }), 404, 'NOT_FOUND');
  });

  for (const unstored of ['the response', 'the response or the notebook record'] as const) {
    it(`creates only one notebook if a process ends without storing ${unstored}, and the POST is then repeated`, async () => {
      const { idempotencyRecord, notebook } = service.app.models;
      const before = await fixture.backend.count();
      await idempotencyRecord.deleteMany({});
      const headers = { 'Idempotency-Key': randomUUID() };
      const post = () => service.request('POST', path, { headers, body: { title: 'created once', description: 'x' } });
      const first = await post();
      expect(first.status, first.text).to.equal(201);
      // The state after a process that ended before it stored the response.
      await idempotencyRecord.updateOne({}, { $unset: { response: 1 }, $set: { lockedUntil: new Date() } });
      const { id } = first.body.data;
      if (unstored !== 'the response') await notebook.deleteOne({ _id: id });
      const again = await post();
      expect(again.status, again.text).to.equal(201);
      expect(again.body.data).to.deep.equal(first.body.data);
      expect(again.headers.get('Location')).to.equal(`${path}/${id}`);
      expect((await read(id)).body.data).to.deep.equal(first.body.data);
      expect(await fixture.backend.count()).to.equal(before + 1);
    });
  }

  it('distinguishes an empty description from none', async () => {
    const empty = await create({ description: '' });
    const none = await create();
    expect((await read(empty.id)).body.data.description).to.equal('');
    expect((await read(none.id)).body.data.description).to.equal(null);
  });

  it('notebooks are listed in pages and in order', async () => {
    const prefix = randomUUID();
    const made = [];
    for (const name of ['b', 'C', 'a']) {
      made.push(await create({ title: `!${name} ${prefix}` }));
      await waitForNextMillisecond();
    }
    const page = async (query: string) => (await service.request('GET', `${path}?${query}`)).body.data;
    const newest = await page('limit=2');
    expect(newest.items.map(({ id }: { id: string }) => id)).to.deep.equal([made[2]?.id, made[1]?.id]);
    expect(newest.pagination).to.include({ limit: 2, offset: 0, has_more: true });
    const { total } = newest.pagination;
    const last = await page(`order=asc&offset=${total - 3}`);
    expect(last.items).to.deep.equal(made);
    expect(last.pagination).to.deep.equal({ total, limit: 20, offset: total - 3, has_more: false });
    const titles = (await page('sort=title&order=asc&limit=3')).items.map(({ title }: { title: string }) => title[1]);
    expect(titles).to.deep.equal(['a', 'b', 'C']);
    await service.request('PATCH', `${path}/${made[0]?.id}`, { body: { description: 'now the latest' } });
    expect((await page('sort=updated_at&limit=1')).items[0].id).to.equal(made[0]?.id);
  });

  it('applies concurrent changes of two fields', async () => {
    const { id } = await create({ description: 'old' });
    const [one, two] = await Promise.all([
      service.request('PATCH', `${path}/${id}`, { body: { title: 'new title' } }),
      service.request('PATCH', `${path}/${id}`, { body: { description: 'new description' } }),
    ]);
    expect([one?.status, two?.status]).to.deep.equal([200, 200]);
    expect((await read(id)).body.data).to.include({ title: 'new title', description: 'new description' });
  });

  it('every operation is retried after a connection reset, before or after the backend has done its work', async () => {
    for (const fault of ['reset', 'reset after work'] as const) await testRetries(fixture, fault);
  });
}

/** Every operation succeeds if its first requests meet a fault, and is carried out once. */
export async function testRetries(fixture: NotebookFixture<RunningBackend>, fault: Fault): Promise<void> {
  const { service, backend, proxy } = fixture;
  const before = await backend.count();
  proxy.faultFor = faultsInOrder(fault, fault);
  const { id } = await fixture.create();
  expect(await backend.count()).to.equal(before + 1);
  for (const [method, to, status, body] of [
    ['GET', path, 200],
    ['GET', `${path}/${id}`, 200],
    ['PATCH', `${path}/${id}`, 200, { title: 'changed' }],
    ['DELETE', `${path}/${id}`, 204],
  ] as const) {
    proxy.faultFor = faultsInOrder(fault);
    const response = await service.request(method, to, body ? { body } : {});
    expect(response.status, `${method} after ${JSON.stringify(fault)}: ${response.text}`).to.equal(status);
    if (body) expect(response.body.data.title).to.equal(body.title);
  }
  expect(await backend.count()).to.equal(before);
}
