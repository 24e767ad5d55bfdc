import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { backendToken, createNotebookFixture, type RunningBackend } from '../../support/notebook-backends.ts';
import { endless, type Fault, faultsInOrder } from '../../support/proxy.ts';
import { expectError } from '../../support/requests.ts';
import { waitForNextMillisecond } from '../../support/wait-until.ts';

export const path = '/api/v1/notebooks';

const faultsOfAll: readonly (readonly [name: string, Fault])[] = [
  ['a connection reset', 'reset'],
  ['a connection reset that follows the processing of the request', 'reset after work'],
];

/** Each backend sees these with the same code, so one is enough. */
export const faultsOfOne: typeof faultsOfAll = [
  ...faultsOfAll,
  ['a 500', { status: 500, body: 'Internal Server Error' }],
  ['a 503', { status: 503 }],
  ['a 429', { status: 429, headers: { 'Retry-After': '0' } }],
  ['a 424', { status: 424 }],
  ['a redirect to a login page', { status: 302, headers: { Location: '/hub/login?next=%2Fhub%2F' } }],
];

/** The tests that every backend must pass: equal calls have equal responses and equal errors. */
export function testConformance(kind: string, start: () => Promise<RunningBackend>, faults = faultsOfAll): void {
  const fixture = createNotebookFixture(kind, start, { NOTEBOOK_DEADLINE_MS: '6000' });
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

  for (const [name, fault] of faults) {
    it(`retries every operation after ${name}`, async () => {
      const before = await fixture.backend.count();
      fixture.proxy.faultFor = faultsInOrder(fault, fault);
      const { id } = await create();
      expect(await fixture.backend.count()).to.equal(before + 1);
      fixture.proxy.faultFor = faultsInOrder(fault);
      expect((await service.request('GET', path)).status).to.equal(200);
      fixture.proxy.faultFor = faultsInOrder(fault);
      expect((await read(id)).status).to.equal(200);
      fixture.proxy.faultFor = faultsInOrder(fault);
      const changed = await service.request('PATCH', `${path}/${id}`, { body: { title: 'changed' } });
      expect(changed.body.data.title).to.equal('changed');
      fixture.proxy.faultFor = faultsInOrder(fault);
      expect((await service.request('DELETE', `${path}/${id}`)).status).to.equal(204);
      expect(await fixture.backend.count()).to.equal(before);
    });
  }

  it('waits until the time in Retry-After, and fails at once if that time is after the deadline', async () => {
    const { id } = await create();
    fixture.proxy.received.length = 0;
    fixture.proxy.faultFor = faultsInOrder({ status: 429, headers: { 'Retry-After': '1' } });
    const waited = await read(id);
    expect(waited.status).to.equal(200);
    // The backend is also probed, by requests of other ids.
    const requestId = waited.headers.get('X-Request-ID');
    const [first, second] = fixture.proxy.received.filter(({ headers }) => headers['x-request-id'] === requestId);
    expect((second?.at ?? 0) - (first?.at ?? 0)).to.be.at.least(1000);
    const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toUTCString();
    for (const later of ['60', inSeconds(60)]) {
      fixture.proxy.received.length = 0;
      fixture.proxy.faultFor = () => ({ status: 503, headers: { 'Retry-After': later }, body: 'busy' });
      const refused = await read(id);
      expectError(refused, 502, 'UPSTREAM_ERROR');
      expect(refused.body.error.message).to.contain('503: busy');
      expect(Number(refused.headers.get('Retry-After'))).to.be.within(58, 60);
      expect(fixture.proxy.received).to.have.length(1);
    }
    for (const now of [inSeconds(-60), 'soon', '-1']) {
      fixture.proxy.faultFor = faultsInOrder({ status: 503, headers: { 'Retry-After': now } });
      expect((await read(id)).status, now).to.equal(200);
    }
  });

  it('aborts an endless response, and retries', async () => {
    const { id } = await create();
    fixture.proxy.faultFor = faultsInOrder(endless);
    expect((await read(id)).status).to.equal(200);
  });

  it('does not retry after invalid JSON or a refusal, and does not follow a redirect', async () => {
    const { id } = await create();
    fixture.proxy.received.length = 0;
    fixture.proxy.faultFor = () => ({ status: 200, body: '<p>It works!</p>' });
    const invalid = await read(id);
    expectError(invalid, 502, 'UPSTREAM_ERROR');
    expect(invalid.body.error.message).to.contain('not JSON');
    fixture.proxy.faultFor = () => ({ status: 418, body: 'a teapot' });
    const refused = await read(id);
    expectError(refused, 502, 'UPSTREAM_ERROR');
    expect(refused.body.error.message).to.contain('418: a teapot');
    fixture.proxy.faultFor = () => ({ status: 307, headers: { Location: '/elsewhere' } });
    const redirected = await read(id);
    expectError(redirected, 502, 'UPSTREAM_ERROR');
    expect(redirected.body.error.message).to.contain('307');
    // The backend is also probed, by requests of other ids.
    const sent = fixture.proxy.received.map(({ headers }) => headers['x-request-id']);
    for (const { headers } of [invalid, refused, redirected]) {
      expect(sent.filter((requestId) => requestId === headers.get('X-Request-ID'))).to.have.length(1);
    }
  });

  it('sends the request id to the backend', async () => {
    const requestId = randomUUID();
    fixture.proxy.received.length = 0;
    await service.request('GET', path, { headers: { 'X-Request-ID': requestId } });
    expect(fixture.proxy.received.map(({ headers }) => headers['x-request-id'])).to.deep.equal([requestId]);
  });
}

/** A wrong token is an error of the configuration, not of the client. */
export function testRejectedToken(kind: string, start: () => Promise<RunningBackend>): void {
  const fixture = createNotebookFixture(kind, async () => ({ ...(await start()), token: 'wrong-token-here' }), {
    NOTEBOOK_DEADLINE_MS: '3000',
  });

  it('responds with 502 after one attempt if the backend refuses the token', async () => {
    const refused = await fixture.service.request('GET', path);
    expectError(refused, 502, 'UPSTREAM_ERROR');
    expect(refused.body.error.message).to.match(/it responded with 40[13]/);
    expect(refused.text).not.to.contain('wrong-token-here').and.not.to.contain(backendToken);
    expect(refused.headers.get('Retry-After')).to.equal(null);
    // The backend is also probed, by requests of other ids.
    const sent = fixture.proxy.received.map(({ headers }) => headers['x-request-id']);
    expect(sent.filter((requestId) => requestId === refused.headers.get('X-Request-ID'))).to.have.length(1);
    const ready = await fixture.service.request('GET', '/health/ready?for=notebooks');
    expectError(ready, 503, 'SERVICE_UNAVAILABLE', ['notebook_backend']);
    expect(ready.body.error.details[0].error).to.match(/^is down: it responded with 40[13].*NOTEBOOK_BACKEND_TOKEN/);
  });
}
