import { expect } from 'chai';
import { createNotebookFixture, startHttpBackend } from '../../support/notebook-backends.ts';
import type { Fault } from '../../support/proxy.ts';
import { expectError } from '../../support/requests.ts';
import { faultsInOrder, path, testConformance, testRetries } from './conformance.ts';

describe('the http backend', () => {
  const fixture = createNotebookFixture('http', startHttpBackend, { NOTEBOOK_DEADLINE_MS: '6000' });
  const { service, create } = fixture;
  const read = (id: string) => service.request('GET', `${path}/${id}`);
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
