import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { createScenario, expectError } from '../support/requests.ts';
import { startTestService } from '../support/test-service.ts';
import { waitForNextMillisecond } from '../support/wait-until.ts';

const path = '/api/v1/scenarios';

describe('the list of scenarios', () => {
  const service = startTestService({ workers: false });

  before(async () => {
    const scenarios = [
      { name: 'alpha', region: 'us-east-1' },
      { name: 'Bravo', region: 'eu-west-1' },
      { name: 'charlie', region: 'eu-west-1' },
      { name: 'Delta', region: 'us-east-1' },
    ];
    for (const [index, scenario] of scenarios.entries()) {
      const { id } = await createScenario(service, scenario);
      const steps = ['start', 'stop', 'archive'].slice(0, index);
      for (const step of steps) await service.request('POST', `${path}/${id}/${step}`);
      await waitForNextMillisecond();
    }
  });

  const list = async (query = '') => {
    const response = await service.request('GET', path + query);
    expect(response.status, response.text).to.equal(200);
    return response.body;
  };
  const names = async (query: string) => (await list(query)).items.map(({ name }: { name: string }) => name);

  it('has items, total, page and page size, newest first and without archived scenarios', async () => {
    const body = await list();
    expect(body).to.have.all.keys('items', 'total', 'page', 'page_size');
    expect(body).to.include({ total: 3, page: 1, page_size: 20 });
    expect(body.items.map(({ name }: { name: string }) => name)).to.deep.equal(['charlie', 'Bravo', 'alpha']);
    expect((await list('?include_archived=true')).total).to.equal(4);
  });

  it('finds any text of a name or a description literally, in both versions, and sorts it', async () => {
    const texts = [
      '.*+?^${}()|[]\\',
      '100 %',
      '%2525',
      '💶 budget 👩‍👩‍👧',
      'cafe\u0301 e\u0302\u0323',
      'مرحبا بالعالم',
      '\u202eשלום\u202c',
      'İstanbul ǅ Straße',
      '"quotes\' <b>&amp;',
    ];
    for (const text of texts) {
      const unique = randomUUID();
      const named = await createScenario(service, { name: `${unique} ${text}` });
      const described = await createScenario(service, { description: `${unique} ${text}` });
      for (const version of [path, '/api/v2/scenarios']) {
        for (const search of [text, text.normalize('NFC'), text.normalize('NFD'), text.toUpperCase()]) {
          const query = `?sort_by=name&page_size=100&search=${encodeURIComponent(`${unique} ${search}`)}`;
          const response = await service.request('GET', version + query);
          const found = response.body.items.map(({ id }: { id: string }) => id);
          expect(found, `${search} ${response.text}`).to.have.members([named.id, described.id]);
        }
      }
      expect(named.name).to.equal(`${unique} ${text}`);
    }
  });

  it('responds to a search of the longest text, which almost matches everywhere', async () => {
    await createScenario(service, { description: 'a'.repeat(500) });
    for (const search of [`${'a'.repeat(499)}b`, `${'(a+)+'.repeat(99)}$`]) {
      expect(await names(`?search=${encodeURIComponent(search)}`)).to.deep.equal([]);
    }
    expect(await names(`?search=${'A'.repeat(500)}`)).to.have.length(1);
  });

  const invalidQueries: [string, string[]][] = [
    ['?page=0', ['page']],
    ['?page=-1', ['page']],
    ['?page=1.5', ['page']],
    ['?page=x', ['page']],
    ['?page=1&page=2', ['page']],
    ['?page_size=0', ['page_size']],
    ['?page_size=101', ['page_size']],
    ['?status=paused', ['status']],
    ['?region=moon-1', ['region']],
    ['?sort_by=region', ['sort_by']],
    ['?sort_order=up', ['sort_order']],
    ['?include_archived=perhaps', ['include_archived']],
    ['?status[$ne]=draft', ['status[$ne]']],
    ['?search=%00', ['search']],
    ['?search=', ['search']],
    ['?search=%20%20', ['search']],
    ['?search=%E2%80%8B', ['search']],
    [`?search=${'x'.repeat(501)}`, ['search']],
    ['?limit=5', ['limit']],
    ['?page=0&page_size=101&sort_by=x', ['sort_by', 'page', 'page_size']],
  ];
  it('invalid parameters are refused', async () => {
    for (const [query, fields] of invalidQueries)
      expectError(await service.request('GET', path + query), 400, 'VALIDATION_ERROR', fields);
  });
});
