import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { type Account, createAccount } from '../support/accounts.ts';
import { createScenario, successOf } from '../support/requests.ts';
import {
  startSecondWebProcess,
  startTestService,
  type TestResponse,
  type WebProcess,
} from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

const v1 = '/api/v1/scenarios';
const v2 = '/api/v2/scenarios';

describe('cached reads of scenarios', () => {
  const service = startTestService({ workers: false, environment: { ACCESS: 'own' } });
  const webs = startSecondWebProcess(service);

  const outcomeOf = ({ headers }: TestResponse) => headers.get('X-Cache');
  const read = (web: WebProcess, path: string, options = {}) => successOf(web.request('GET', path, options));
  /** Reads until the response comes from the cache. */
  const readHit = (web: WebProcess, path: string, options = {}) =>
    waitUntil(`a hit of ${path}`, async () => {
      const response = await read(web, path, options);
      return outcomeOf(response) === 'hit' ? response : undefined;
    });

  it('reads come from the cache until a write of either version, in every web process', async () => {
    const { id, name } = await createScenario(service);
    const other = await createScenario(service);
    const [one, two] = webs;
    const bulk = { body: [other.id] };
    const writes: [string, () => Promise<TestResponse>][] = [
      ['PUT of version 1', () => one.request('PUT', `${v1}/${id}`, { body: { description: 'one' } })],
      ['PUT of version 2', () => two.request('PUT', `${v2}/${id}`, { body: { name: `${name} two` } })],
      ['start', () => one.request('POST', `${v1}/${id}/start`)],
      ['stop', () => two.request('POST', `${v1}/${id}/stop`)],
      ['bulk deletion', () => one.request('POST', `${v2}/bulk/delete`, bulk)],
      ['archive', () => one.request('POST', `${v1}/${id}/archive`)],
      ['POST', () => two.request('POST', v2, { body: { name: randomUUID(), region: 'eu-west-1' } })],
      ['DELETE', () => two.request('DELETE', `${v1}/${id}`)],
    ];
    const list = `${v2}?include_archived=true`;
    for (const [what, write] of writes) {
      await readHit(one, list);
      await readHit(two, `${v2}/${id}`);
      const { status, text } = await write();
      expect(status, text).to.be.oneOf([200, 201, 204]);
      const [shown, expected] = [await read(two, list), await read(one, `${v1}?include_archived=true`)];
      expect(outcomeOf(shown), what).to.equal('miss');
      expect(shown.body, what).to.deep.equal(expected.body);
      const [single, singleExpected] = await Promise.all([v2, v1].map((path) => one.request('GET', `${path}/${id}`)));
      expect(single?.status, what).to.equal(singleExpected?.status);
      if (single?.status === 200) expect(single.body, what).to.deep.equal(singleExpected?.body);
    }
  });

  it('cached reads are not served for other parameters, and never for a search', async () => {
    const { name } = await createScenario(service, { region: 'eu-west-1' });
    const queries = [
      '?status=draft',
      '?region=eu-west-1',
      '?sort_by=name',
      '?sort_order=asc',
      '?page=2',
      '?page_size=1',
      '?include_archived=true',
    ];
    await readHit(service, v2);
    for (const query of queries) {
      const first = await read(service, v2 + query);
      expect(outcomeOf(first), query).to.equal('miss');
      expect(first.body, query).to.deep.equal((await read(service, v1 + query)).body);
      expect((await readHit(service, v2 + query)).body, query).to.deep.equal(first.body);
    }
    for (let reads = 0; reads < 3; reads += 1) {
      expect(outcomeOf(await read(service, `${v2}?search=${encodeURIComponent(name)}`))).to.equal('miss');
    }
  });

  it('cached reads show only what the caller may see, and respond with 304', async () => {
    const accounts: Account[] = [];
    // The first account is an admin.
    for (let count = 0; count < 3; count += 1) accounts.push(await createAccount(service));
    const [admin, owner, stranger] = accounts.map(({ headers }) => ({ headers })) as [object, object, object];
    const body = { name: randomUUID(), region: 'eu-west-1' };
    const { body: created, headers } = await service.request('POST', v2, { ...owner, body });
    const path = `${v2}/${created.id}`;
    const sees = async (caller: object) => {
      const { items } = (await readHit(service, `${v2}?page_size=100`, caller)).body;
      const listed = items.some(({ id }: { id: string }) => id === created.id);
      const { status } = await service.request('GET', path, caller);
      expect(status).to.equal(listed ? 200 : 404);
      return listed;
    };
    await readHit(service, path, owner);
    expect(await sees(admin)).to.equal(true);
    expect(await sees(owner)).to.equal(true);
    expect(await sees(stranger)).to.equal(false);
    expect(await sees({})).to.equal(false);

    const tag = headers.get('ETag');
    const conditional = { headers: { ...accounts[1]?.headers, 'If-None-Match': tag } };
    const same = await service.request('GET', path, conditional as object);
    expect(same.status).to.equal(304);
    expect(same.headers.get('X-Cache')).to.equal('hit');
  });
});
