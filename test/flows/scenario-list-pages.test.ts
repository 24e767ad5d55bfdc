import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import {
  type Scenario,
  type ScenarioStatus,
  scenarioStatuses,
  textKeyOf,
} from '../../shared/scenarios/scenario.model.ts';
import { seededRandom } from '../../shared/seeded-random.ts';
import { createSender, type Sender } from '../support/members.ts';
import { randomInteger } from '../support/random-choices.ts';
import { createScenario, successOf } from '../support/requests.ts';
import { startTestService } from '../support/test-service.ts';

const path = '/api/v1/scenarios';
const pageSize = 100;
const regions = ['us-east-1', 'eu-west-1', 'eu-central-1'];

describe('the list of scenarios', () => {
  const service = startTestService({ workers: false, environment: { ACCESS: 'own' } });
  let admin: Sender;
  let member: Sender;
  let rows: Scenario[];

  before(async () => {
    [admin, member] = [await createSender(service), await createSender(service)];
    const random = seededRandom(13);
    const pick = <T>(values: readonly T[]): T => values[randomInteger(random, 0, values.length - 1)] as T;
    rows = Array.from({ length: 2_600 }, (_, index): Scenario => {
      const name = `Scenario ${randomInteger(random, 100_000, 999_999)} ${index}`;
      const description = index % 400 === 0 ? 'A seldom word (1.0)' : '';
      // Many rows share a time, so that their ids decide.
      const time = (range: number) => new Date(Date.UTC(2026, 0, 1 + randomInteger(random, 0, range)));
      const isDeleted = index % 20 === 0;
      return {
        _id: randomUUID(),
        name,
        ...(!isDeleted && { nameKey: textKeyOf(name) }),
        description,
        descriptionKey: textKeyOf(description),
        region: pick(regions),
        status: pick<ScenarioStatus>(scenarioStatuses),
        assumptions: {},
        createdBy: pick([admin.user.id, member.user.id, member.user.id, null]),
        revision: 1,
        createdAt: time(90),
        updatedAt: time(300),
        startedAt: null,
        completedAt: null,
        archivedAt: null,
        deletedAt: isDeleted ? new Date() : null,
      };
    });
    await service.app.models.scenario.collection.insertMany(rows as never[]);
  });

  const list = async (sender: Sender, query: string, page = 1) => {
    const { body } = await successOf(sender.send('GET', `${path}?page_size=${pageSize}&page=${page}&${query}`));
    return body as { items: { id: string }[]; total: number };
  };

  const queries = [
    '',
    'include_archived=true',
    'sort_order=asc',
    'sort_by=name&sort_order=asc',
    'sort_by=updated_at&include_archived=true',
    'sort_by=status&sort_order=asc&include_archived=true',
    'status=running&sort_by=name',
    'status=archived&include_archived=true&sort_by=status',
    'region=eu-west-1',
    'region=eu-west-1&status=draft&sort_by=updated_at&sort_order=asc',
    'region=eu-west-1&include_archived=true&sort_by=name',
    'region=us-west-2',
    'search=SELDOM%20word%20(1.0)&sort_by=name',
    'search=scenario&region=eu-central-1',
  ];
  for (const [index, query] of queries.entries()) {
    // The filter of a member is the same for all.
    const who = index % 3 === 2 ? 'a member' : 'an admin';
    it(`pages are exact at both ends, between and beyond them, for ${who}: ${query}`, async () => {
      const sender = who === 'a member' ? member : admin;
      const expected = expectedIds(rows, new URLSearchParams(query), sender === admin ? null : sender.user.id);
      const last = Math.ceil(expected.length / pageSize);
      for (const page of new Set([1, 12, last, last + 1])) {
        if (page < 1) continue;
        const { items, total } = await list(sender, query, page);
        const start = (page - 1) * pageSize;
        expect(items.map(({ id }) => id)).to.deep.equal(expected.slice(start, start + pageSize));
        expect(total).to.equal(expected.length);
      }
    });
  }

  it('pages repeat nothing while scenarios are created, changed and deleted, and are exact afterwards', async () => {
    const { total: before } = await list(admin, '');
    const created: string[] = [];
    const write = async () => {
      for (let count = 0; count < 8; count += 1) {
        const { id } = await createScenario(member.service);
        if (count % 2 === 0) created.push(id);
        else expect((await member.send('DELETE', `${path}/${id}`)).status).to.equal(204);
      }
    };
    const read = async () => {
      for (const page of [1, 5, 12, 18, 19, 20]) {
        const { items, total } = await list(admin, 'sort_by=updated_at', page);
        expect(new Set(items.map(({ id }) => id)).size).to.equal(items.length);
        expect(total).to.be.within(before, before + 16);
        expect(items.length).to.be.at.most(pageSize);
      }
    };
    await Promise.all([write(), write(), read(), read()]);
    for (const sender of [admin, member]) {
      const { items, total } = await list(sender, 'status=draft');
      expect(items.slice(0, created.length).map(({ id }) => id)).to.have.members(created);
      const rest = expectedIds(rows, new URLSearchParams('status=draft'), sender === admin ? null : member.user.id);
      expect(total).to.equal(rest.length + created.length);
    }
    expect((await list(admin, '')).total).to.equal(before + created.length);
  });

  const namesOf = async (query: string) => {
    const { body } = await service.request('GET', path + query);
    return body.items.map(({ name }: { name: string }) => name);
  };

  it('has 20 scenarios on a page, the first one without parameters', async () => {
    const { body } = await admin.send('GET', path);
    expect(body).to.have.all.keys('items', 'total', 'page', 'page_size').and.to.include({ page: 1, page_size: 20 });
    expect(body.items).to.have.length(20);
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
      expect(await namesOf(`?search=${encodeURIComponent(search)}`)).to.deep.equal([]);
    }
    expect(await namesOf(`?search=${'A'.repeat(500)}`)).to.have.length(1);
  });
});

/** @param owner null for one who sees all. */
function expectedIds(rows: readonly Scenario[], query: URLSearchParams, owner: string | null): string[] {
  const search = query.get('search')?.toLowerCase();
  const order = query.get('sort_order') === 'asc' ? 1 : -1;
  const keyOf = ({ _id, nameKey, createdAt, updatedAt, status }: Scenario): string[] => {
    const key = {
      name: [nameKey ?? ''],
      updated_at: [updatedAt.toISOString()],
      status: [status, createdAt.toISOString()],
      created_at: [createdAt.toISOString()],
    }[query.get('sort_by') ?? 'created_at'];
    return [...(key ?? []), _id];
  };
  const compare = (one: string[], other: string[]): number => {
    const differs = one.findIndex((value, index) => value !== other[index]);
    return differs < 0 ? 0 : (one[differs] ?? '') < (other[differs] ?? '') ? -order : order;
  };
  return rows
    .filter(
      (row) =>
        row.deletedAt === null &&
        (owner === null || row.createdBy === owner || row.createdBy === null) &&
        (query.get('include_archived') === 'true' || row.status !== 'archived') &&
        (query.get('status') ?? row.status) === row.status &&
        (query.get('region') ?? row.region) === row.region &&
        (search === undefined || row.nameKey?.includes(search) || row.descriptionKey?.includes(search)),
    )
    .sort((one, other) => compare(keyOf(one), keyOf(other)))
    .map(({ _id }) => _id);
}
