import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { faultsInOrder } from '../../support/faulty-proxy.ts';
import { backendToken, createNotebookFixture, type RunningBackend } from '../../support/notebook-backends.ts';
import { expectError } from '../../support/requests.ts';
import { waitForNextMillisecond } from '../../support/wait-until.ts';

export const path = '/api/v1/notebooks';

/** Same calls, same answers and same errors with every backend. */
export function testConformance(kind: string, start: () => Promise<RunningBackend>): void {
  const all = createNotebookFixture(kind, start, { NOTEBOOK_DEADLINE_MS: '6000' });
  const { service, create } = all;
  const read = (id: string) => service.request('GET', `${path}/${id}`);

  it('creates, reads, changes and deletes', async () => {
    const before = await all.backend.count();
    const { id, ...rest } = await create({ title: '  Ünïcode / "quotes" 😀 ', description: 'first\nsecond line' });
    expect(rest).to.include({ title: 'Ünïcode / "quotes" 😀', description: 'first\nsecond line' });
    expect(await all.backend.count()).to.equal(before + 1);
    expect((await read(id)).body.data).to.deep.equal({ id, ...rest });

    const titled = await service.request('PATCH', `${path}/${id}`, { body: { title: 'Another title' } });
    expect(titled.body.data).to.include({ id, title: 'Another title', description: 'first\nsecond line' });
    const described = await service.request('PATCH', `${path}/${id}`, { body: { description: 'other' } });
    expect(described.body.data).to.include({ id, title: 'Another title', description: 'other' });
    const cleared = await service.request('PATCH', `${path}/${id}`, { body: { description: null } });
    expect(cleared.body.data).to.include({ id, title: 'Another title', description: null });
    expect((await read(id)).body.data).to.deep.equal(cleared.body.data);

    expect((await service.request('DELETE', `${path}/${id}`)).status).to.equal(204);
    expect(await all.backend.count()).to.equal(before);
    expectError(await service.request('DELETE', `${path}/${id}`), 404, 'NOT_FOUND');
    expectError(await read(id), 404, 'NOT_FOUND');
    expectError(await service.request('PATCH', `${path}/${id}`, { body: { title: 'gone' } }), 404, 'NOT_FOUND');
  });

  for (const lost of ['its answer', 'its answer and our record'] as const) {
    it(`makes one notebook of a POST that is repeated after its process was lost with ${lost}`, async () => {
      const { idempotencyRecord, notebook } = service.app.models;
      const before = await all.backend.count();
      await idempotencyRecord.deleteMany({});
      const headers = { 'Idempotency-Key': randomUUID() };
      const post = () => service.request('POST', path, { headers, body: { title: 'made once', description: 'x' } });
      const first = await post();
      expect(first.status, first.text).to.equal(201);
      // As a process leaves it that dies in the middle.
      await idempotencyRecord.updateOne({}, { $unset: { answer: 1 }, $set: { lockedUntil: new Date() } });
      const { id } = first.body.data;
      if (lost === 'its answer and our record') await notebook.deleteOne({ _id: id });
      const again = await post();
      expect(again.status, again.text).to.equal(201);
      expect(again.body.data).to.deep.equal(first.body.data);
      expect(again.headers.get('Location')).to.equal(`${path}/${id}`);
      expect((await read(id)).body.data).to.deep.equal(first.body.data);
      expect(await all.backend.count()).to.equal(before + 1);
    });
  }

  it('tells an empty description from none', async () => {
    const empty = await create({ description: '' });
    const none = await create();
    expect((await read(empty.id)).body.data.description).to.equal('');
    expect((await read(none.id)).body.data.description).to.equal(null);
  });

  it('lists in pages and in order', async () => {
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

  it('takes concurrent changes of two fields', async () => {
    const { id } = await create({ description: 'old' });
    const [one, two] = await Promise.all([
      service.request('PATCH', `${path}/${id}`, { body: { title: 'new title' } }),
      service.request('PATCH', `${path}/${id}`, { body: { description: 'new description' } }),
    ]);
    expect([one?.status, two?.status]).to.deep.equal([200, 200]);
    expect((await read(id)).body.data).to.include({ title: 'new title', description: 'new description' });
  });

  for (const [name, fault] of [
    ['a connection that is reset', 'reset'],
    ['a connection that is reset after the work', 'reset after work'],
    ['a 500', { status: 500, body: 'Internal Server Error' }],
    ['a 503', { status: 503 }],
    ['a 429', { status: 429, headers: { 'Retry-After': '0' } }],
  ] as const) {
    it(`gets over ${name}, in every operation`, async () => {
      const before = await all.backend.count();
      all.proxy.faultFor = faultsInOrder(fault, fault);
      const { id } = await create();
      expect(await all.backend.count()).to.equal(before + 1);
      all.proxy.faultFor = faultsInOrder(fault);
      expect((await service.request('GET', path)).status).to.equal(200);
      all.proxy.faultFor = faultsInOrder(fault);
      expect((await read(id)).status).to.equal(200);
      all.proxy.faultFor = faultsInOrder(fault);
      const changed = await service.request('PATCH', `${path}/${id}`, { body: { title: 'changed' } });
      expect(changed.body.data.title).to.equal('changed');
      all.proxy.faultFor = faultsInOrder(fault);
      expect((await service.request('DELETE', `${path}/${id}`)).status).to.equal(204);
      expect(await all.backend.count()).to.equal(before);
    });
  }

  it('waits as long as Retry-After asks, and gives up when that is past the deadline', async () => {
    const { id } = await create();
    all.proxy.received.length = 0;
    all.proxy.faultFor = faultsInOrder({ status: 429, headers: { 'Retry-After': '1' } });
    expect((await read(id)).status).to.equal(200);
    const [first, second] = all.proxy.received;
    expect((second?.at ?? 0) - (first?.at ?? 0)).to.be.at.least(1000);
    const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toUTCString();
    for (const later of ['60', inSeconds(60)]) {
      all.proxy.requests = 0;
      all.proxy.faultFor = () => ({ status: 503, headers: { 'Retry-After': later }, body: 'busy' });
      const refused = await read(id);
      expectError(refused, 502, 'UPSTREAM_ERROR');
      expect(refused.body.error.message).to.contain('503: busy');
      expect(all.proxy.requests).to.equal(1);
    }
    for (const now of [inSeconds(-60), 'soon', '-1']) {
      all.proxy.faultFor = faultsInOrder({ status: 503, headers: { 'Retry-After': now } });
      expect((await read(id)).status, now).to.equal(200);
    }
  });

  it('ends an answer that never ends, and asks again', async () => {
    const { id } = await create();
    all.proxy.faultFor = faultsInOrder('endless');
    expect((await read(id)).status).to.equal(200);
  });

  it('does not ask again, or elsewhere, after a body that is no JSON, a refusal, or a redirection', async () => {
    const { id } = await create();
    all.proxy.requests = 0;
    all.proxy.faultFor = () => 'not JSON';
    const unread = await read(id);
    expectError(unread, 502, 'UPSTREAM_ERROR');
    expect(unread.body.error.message).to.contain('not JSON');
    all.proxy.faultFor = () => ({ status: 418, body: 'a teapot' });
    const refused = await read(id);
    expectError(refused, 502, 'UPSTREAM_ERROR');
    expect(refused.body.error.message).to.contain('418: a teapot');
    all.proxy.faultFor = () => ({ status: 307, headers: { Location: '/elsewhere' } });
    const sentOn = await read(id);
    expectError(sentOn, 502, 'UPSTREAM_ERROR');
    expect(sentOn.body.error.message).to.contain('307');
    expect(all.proxy.requests).to.equal(3);
  });

  it('sends the request id along', async () => {
    const requestId = randomUUID();
    all.proxy.received.length = 0;
    await service.request('GET', path, { headers: { 'X-Request-ID': requestId } });
    expect(all.proxy.received.map(({ headers }) => headers['x-request-id'])).to.deep.equal([requestId]);
  });
}

/** A wrong token is our fault, not the client's. */
export function testRejectedToken(kind: string, start: () => Promise<RunningBackend>): void {
  const all = createNotebookFixture(kind, async () => ({ ...(await start()), token: 'wrong-token-here' }), {
    NOTEBOOK_DEADLINE_MS: '3000',
  });

  it('answers 502 at the first attempt when its token is refused', async () => {
    const refused = await all.service.request('GET', path);
    expectError(refused, 502, 'UPSTREAM_ERROR');
    expect(refused.body.error.message).to.match(/it answered 40[13]/);
    expect(refused.text).not.to.contain('wrong-token-here').and.not.to.contain(backendToken);
    expect(all.proxy.requests).to.equal(1);
  });
}
