import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { createNotebookFixture, startHttpBackend } from '../../support/notebook-backends.ts';
import type { Fault } from '../../support/proxy.ts';
import { expectError } from '../../support/requests.ts';
import type { TestResponse } from '../../support/test-service.ts';
import { faultsInOrder, path, testConformance, testRetries } from './conformance.ts';

const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;

function expectSuccess(response: TestResponse, status: number): void {
  expect(response.status, response.text).to.equal(status);
  expect(Object.keys(response.body)).to.have.members(['success', 'data', 'meta']);
  const { success, meta } = response.body;
  expect(success).to.equal(true);
  expect(meta.request_id).to.equal(response.headers.get('X-Request-ID')).and.to.match(uuid);
  expect(new Date(meta.timestamp).toISOString()).to.equal(meta.timestamp);
}

for (const variant of ['0.1.0', '0.2.0'] as const) {
  describe(`/api/v1/notebooks, variant ${variant}`, () => {
    const fixture = createNotebookFixture('http', startHttpBackend, {
      NOTEBOOK_API_VARIANT: variant,
      NOTEBOOK_DEADLINE_MS: '6000',
    });
    const { service, create } = fixture;
    const post = (body: unknown) => service.request('POST', path, { body });
    const read = (id: string) => service.request('GET', `${path}/${id}`);
    const patch = (id: string, body: unknown) => service.request('PATCH', `${path}/${id}`, { body });

    it('notebooks are listed in pages', async () => {
      await Promise.all(Array.from({ length: 3 }, () => create()));
      const total = await fixture.backend.count();
      // The order of pages is shown with each backend.
      for (const offset of [1, total]) {
        const page = await service.request('GET', `${path}?limit=1&offset=${offset}`);
        expectSuccess(page, 200);
        const hasMore = variant === '0.1.0' ? { has_more: offset === 1 } : {};
        expect(page.body.data.pagination).to.deep.equal({ total, limit: 1, offset, ...hasMore });
        expect(page.body.data.items).to.have.length(offset === 1 ? 1 : 0);
      }
    });

    it(`refuses invalid list parameters with ${variant === '0.1.0' ? 400 : 422}`, async () => {
      const status = variant === '0.1.0' ? 400 : 422;
      for (const [query, field] of [
        ['limit=0', 'limit'],
        ['limit=101', 'limit'],
        ['limit=many', 'limit'],
        ['limit=1.5', 'limit'],
        ['limit=', 'limit'],
        ['offset=-1', 'offset'],
        ['sort=id', 'sort'],
        ['order=up', 'order'],
        ['page=2', 'page'],
        ['sort=%00', 'sort'],
      ] as const) {
        expectError(await service.request('GET', `${path}?${query}`), status, 'VALIDATION_ERROR', [field]);
      }
      const both = await service.request('GET', `${path}?limit=0&order=up`);
      expectError(both, status, 'VALIDATION_ERROR', ['limit', 'order']);
    });

    // In all else, the variants differ in the definitions of their routes only.
    if (variant === '0.2.0') return;

    it('creates and reads a notebook in the envelope, with an entity tag', async () => {
      const response = await post({ title: 'Field notes', description: 'of a day' });
      expectSuccess(response, 201);
      const { data } = response.body;
      expect(Object.keys(data)).to.have.members(['id', 'title', 'description', 'created_at', 'updated_at']);
      expect(data.id).to.match(uuid);
      expect(data).to.include({ title: 'Field notes', description: 'of a day', updated_at: data.created_at });
      expect(new Date(data.created_at).toISOString()).to.equal(data.created_at);
      expect(response.headers.get('Location')).to.equal(`${path}/${data.id}`);
      const shown = await read(data.id.toUpperCase());
      expectSuccess(shown, 200);
      expect(shown.body.data).to.deep.equal(data);
      const headers = { 'If-None-Match': shown.headers.get('ETag') ?? '' };
      expect((await service.request('GET', `${path}/${data.id}`, { headers })).status).to.equal(304);
    });

    it('counts characters, after trimming', async () => {
      expect((await create({ title: '   abc\t' })).title).to.equal('abc');
      expect((await create({ title: '😀'.repeat(100) })).title).to.equal('😀'.repeat(100));
      expect((await create({ title: ` ${'a'.repeat(100)} ` })).title).to.have.length(100);
      expect((await create({ description: '😀'.repeat(500) })).description).to.equal('😀'.repeat(500));
    });

    it('a notebook is patched back, unless a read-only field has changed', async () => {
      const notebook = await create({ description: 'of a day' });
      const same = await patch(notebook.id, notebook);
      expect(same.status, same.text).to.equal(200);
      expect(same.body.data).to.deep.equal({ ...notebook, updated_at: same.body.data.updated_at });
      const changed = await patch(notebook.id, { ...same.body.data, description: null });
      expect(changed.body.data.description).to.equal(null);

      const stale = await patch(notebook.id, { ...notebook, updated_at: '2026-05-01T12:00:00.000Z' });
      expectError(stale, 400, 'VALIDATION_ERROR', ['updated_at']);
      expectError(await patch(notebook.id, { id: notebook.id }), 400, 'VALIDATION_ERROR', ['body']);
    });

    it('responds with 404 to an unknown id, and 400 to a malformed one', async () => {
      const id = randomUUID();
      // Whether somebody changes a notebook does not show to a caller who does not see it.
      const { app, config } = service;
      await app.redis.set(`${config.redisPrefix}:notebook-lock:${id}`, 'another', 'PX', 60_000);
      for (const [method, body] of [['GET'], ['PATCH', { title: 'abc' }], ['DELETE']] as const) {
        const missing = await service.request(method, `${path}/${id}`, body ? { body } : {});
        expectError(missing, 404, 'NOT_FOUND');
        expect(missing.body.error.message).to.contain(id);
        for (const bad of ['abc', `${id}0`, `{${id}}`, '%00', id.replaceAll('-', '')]) {
          const refused = await service.request(method, `${path}/${encodeURIComponent(bad)}`, body ? { body } : {});
          expectError(refused, 400, 'VALIDATION_ERROR', ['notebook_id']);
          expect(refused.body.error.message).to.contain('invalid notebook ID format');
        }
      }
    });

    /** The requests for one call. The backend is also probed, by requests of other ids. */
    const requestsOf = ({ headers }: { headers: Headers }) =>
      fixture.proxy.received.filter((request) => request.headers['x-request-id'] === headers.get('X-Request-ID'));

    testConformance(fixture);

    // The other backends see these with the same code.
    const faults: [name: string, fault: Fault][] = [
      ['a 500', { status: 500, body: 'Internal Server Error' }],
      ['a 503', { status: 503 }],
      ['a 429', { status: 429, headers: { 'Retry-After': '0' } }],
      ['a 424', { status: 424 }],
      ['a redirect to a login page', { status: 302, headers: { Location: '/hub/login?next=%2Fhub%2F' } }],
    ];
    for (const [name, fault] of faults) {
      it(`every operation is retried after ${name}`, () => testRetries(fixture, fault));
    }

    it('waits until the time in Retry-After, and fails at once if that time is after the deadline', async () => {
      const { id } = await create();
      fixture.proxy.faultFor = faultsInOrder({ status: 429, headers: { 'Retry-After': '1' } });
      const waited = await read(id);
      expect(waited.status).to.equal(200);
      const [first, second] = requestsOf(waited);
      expect((second?.at ?? 0) - (first?.at ?? 0)).to.be.at.least(1000);
      const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toUTCString();
      for (const later of ['60', inSeconds(60)]) {
        fixture.proxy.faultFor = () => ({ status: 503, headers: { 'Retry-After': later }, body: 'busy' });
        const refused = await read(id);
        expectError(refused, 502, 'UPSTREAM_ERROR');
        expect(refused.body.error.message).to.contain('503: busy');
        expect(Number(refused.headers.get('Retry-After'))).to.be.within(58, 60);
        expect(requestsOf(refused)).to.have.length(1);
      }
      for (const now of [inSeconds(-60), 'soon', '-1']) {
        fixture.proxy.faultFor = faultsInOrder({ status: 503, headers: { 'Retry-After': now } });
        expect((await read(id)).status, now).to.equal(200);
      }
    });

    it('does not retry after invalid JSON or a refusal, does not follow a redirect, and responds with the reason', async () => {
      const { id } = await create();
      for (const [fault, reason] of [
        [{ status: 200, body: '<p>It works!</p>' }, 'not JSON'],
        [{ status: 418, body: 'a teapot' }, '418: a teapot'],
        [{ status: 307, headers: { Location: '/elsewhere' } }, '307'],
      ] as const) {
        fixture.proxy.faultFor = () => fault;
        const failed = await read(id);
        expectError(failed, 502, 'UPSTREAM_ERROR');
        expect(failed.body.error.message).to.contain(reason);
        expect(requestsOf(failed)).to.have.length(1);
      }
    });
  });
}
