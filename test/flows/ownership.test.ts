import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { ensureIndexes } from '../../shared/models.ts';
import { createSender, type Sender } from '../support/members.ts';
import { startServiceWithNotebooks } from '../support/notebook-backends.ts';
import { createRunningScenario, createScenario, expectError, ingest } from '../support/requests.ts';
import { startTestService, type TestResponse } from '../support/test-service.ts';

const scenarios = '/api/v1/scenarios';
const notebooks = '/api/v1/notebooks';
const region = 'eu-west-1';
const newName = () => `scenario ${randomUUID()}`;
const create = (sender: Sender, name: string, headers = {}) =>
  sender.send('POST', scenarios, { body: { name, region }, headers });

describe('with ACCESS=own', () => {
  const service = startServiceWithNotebooks({ ACCESS: 'own' });
  let admin: Sender;
  let one: Sender;
  let other: Sender;
  before(async () => {
    [admin, one, other] = [await createSender(service), await createSender(service), await createSender(service)];
  });

  const exists = async (sender: Sender, id: string) => (await sender.send('GET', `${scenarios}/${id}`)).status === 200;

  it("responds for another's scenario exactly as for one that does not exist", async () => {
    const { id } = await createRunningScenario(one.service);
    const absent = randomUUID();
    const shownFor = (response: TestResponse, of: string) => [
      response.status,
      JSON.stringify(response.body.error).replaceAll(of, 'ID'),
    ];
    for (const [method, path, body] of [
      ['GET', ''],
      ['PUT', '', { name: 'mine now' }],
      ['DELETE', ''],
      ['POST', '/start'],
      ['POST', '/stop'],
      ['POST', '/archive'],
      ['GET', '/metrics'],
    ] as const) {
      const send = async (of: string) => shownFor(await other.send(method, `${scenarios}/${of}${path}`, { body }), of);
      expect(await send(id), `${method} ${path}`).to.deep.equal(await send(absent));
    }
    expect(shownFor(await ingest(other.service, id, { message: 'a line' }), id)).to.deep.equal(
      shownFor(await ingest(other.service, absent, { message: 'a line' }), absent),
    );
    expect((await one.send('GET', `${scenarios}/${id}`)).body).to.include({
      status: 'running',
      created_by: one.user.id,
    });
  });

  it('keeps names unique per owner, also of concurrent requests and of changes', async () => {
    const name = newName();
    const first = await create(one, name);
    expect(first.status).to.equal(201);
    expectError(await create(one, name.toUpperCase()), 409, 'CONFLICT', ['name']);
    expect((await create(other, name)).status).to.equal(201);
    const raced = newName();
    const race = await Promise.all([one, one, other, other].map((sender) => create(sender, raced)));
    expect(race.map(({ status }) => status)).to.have.members([201, 201, 409, 409]);
    const renamed = await create(one, newName());
    const path = `${scenarios}/${renamed.body.id}`;
    for (const sender of [one, admin]) {
      expectError(await sender.send('PUT', path, { body: { name } }), 409, 'CONFLICT', ['name']);
    }
    expect((await admin.send('PUT', path, { body: { description: 'seen' } })).body.created_by).to.equal(one.user.id);
  });

  it('lets everybody see what belongs to nobody, and callers without credentials nothing else', async () => {
    const { id: free, created_by: owner } = await createScenario(service);
    expect(owner).to.equal(null);
    const { id: owned } = await createScenario(one.service);
    // A scenario from before there were owners.
    const { id: old } = await createScenario(service);
    await service.app.models.scenario.collection.updateOne({ _id: old as never }, { $unset: { createdBy: 1 } });
    for (const sender of [admin, one, other]) {
      expect(await exists(sender, free)).to.equal(true);
      const shown = await sender.send('GET', `${scenarios}/${old}`);
      expect([shown.status, shown.body.created_by]).to.deep.equal([200, null]);
      const list = await sender.send('GET', `${scenarios}?page_size=100`);
      const ids = list.body.items.map(({ id }: { id: string }) => id);
      expect(ids).to.include.members([free, old]);
      expect(ids.includes(owned)).to.equal(sender !== other);
    }
    expectError(await service.request('GET', `${scenarios}/${owned}`), 404, 'NOT_FOUND');
    expect((await service.request('GET', `${scenarios}/${free}`)).status).to.equal(200);
    expect((await other.send('POST', `${scenarios}/${free}/start`)).status).to.equal(200);
  });

  it('flushes only what the caller sees', async () => {
    const { id } = await createRunningScenario(one.service);
    await service.stopWorkers();
    try {
      const headers = { Prefer: 'respond-async' };
      expect((await ingest(one.service, id, { message: 'a line' }, { headers })).status).to.equal(202);
      expect((await other.send('POST', '/flush')).status).to.equal(200);
    } finally {
      await service.startWorkers();
    }
    expect((await one.send('POST', '/flush')).status).to.equal(200);
  });

  it('pages the notebooks of a member by its own records', async () => {
    const member = await createSender(service);
    const titles = ['third', 'first', 'second'];
    for (const title of titles) {
      expect((await member.send('POST', notebooks, { body: { title } })).status).to.equal(201);
      expect((await one.send('POST', notebooks, { body: { title } })).status).to.equal(201);
    }
    const page = async (query: string) => (await member.send('GET', `${notebooks}?${query}`)).body.data;
    const shown = await page('sort=title&order=asc&limit=2');
    expect(shown.items.map(({ title }: { title: string }) => title)).to.deep.equal(['first', 'second']);
    expect(shown.pagination).to.deep.equal({ total: 3, limit: 2, offset: 0, has_more: true });
    expect((await page('sort=title&order=asc&limit=2&offset=2')).items).to.have.length(1);
  });

  for (const [how, isDeleted] of [
    ['that an account owns, at the request of an admin', false],
    ['that a deleted account owned, which is the admin', true],
  ] as const) {
    it(`makes another account the owner of everything ${how}`, async () => {
      const giver = await createSender(service);
      const taker = isDeleted ? admin : await createSender(service);
      const [taken, longest] = [newName(), `${randomUUID()} `.padEnd(100, 'x')];
      for (const name of [taken, `${taken} (2)`, longest]) await create(taker, name);
      const [same, cut, free] = [
        await create(giver, taken),
        await create(giver, longest),
        await create(giver, newName()),
      ] as const;
      const notebook = await giver.send('POST', notebooks, { body: { title: 'field notes' } });
      const report = await giver.send('POST', `${scenarios}/${free.body.id}/reports`, { body: { format: 'csv' } });
      expect([notebook.status, report.status]).to.deep.equal([201, 202]);
      const path = `/api/v1/users/${giver.user.id}`;
      const { status, text } = await (isDeleted
        ? admin.send('DELETE', path)
        : admin.send('POST', `${path}/transfer`, { body: { to: taker.user.id } }));
      expect(status, text).to.equal(204);

      const shown = async ({ body }: TestResponse) => (await taker.send('GET', `${scenarios}/${body.id}`)).body;
      expect(await shown(free)).to.include({ name: free.body.name, created_by: taker.user.id });
      expect(await shown(same)).to.include({ name: `${taken} (3)`, created_by: taker.user.id });
      expect((await shown(cut)).name).to.equal(`${longest.slice(0, 96)} (2)`);
      expect((await taker.send('GET', `/api/v1/reports/${report.body.id}`)).status).to.equal(200);
      const { createdBy } = (await service.app.models.notebook.findById(notebook.body.data.id).lean()) ?? {};
      expect(createdBy).to.equal(taker.user.id);
      for (const sender of isDeleted ? [other] : [giver, other])
        expect(await exists(sender, free.body.id)).to.equal(false);
    });
  }
});

describe('the setting ACCESS', () => {
  const service = startTestService({ workers: false });

  it('is switched on existing data, and back unless several owners have used one name', async () => {
    const { models } = service.app;
    const [one, other] = [await createSender(service), await createSender(service)];
    const name = newName();
    expect((await create(one, name)).status).to.equal(201);
    expectError(await create(other, name), 409, 'CONFLICT');

    await Promise.all([ensureIndexes(models, 'own'), ensureIndexes(models, 'own')]);
    const second = await create(other, name);
    expect(second.status).to.equal(201);
    expectError(await create(other, name), 409, 'CONFLICT');

    const failure = await ensureIndexes(models, 'team').catch((error: Error) => error);
    expect(String(failure)).to.match(/^StartError: ACCESS: .*rename/);
    expectError(await create(other, name), 409, 'CONFLICT');
    await other.send('PUT', `${scenarios}/${second.body.id}`, { body: { name: newName() } });
    await ensureIndexes(models, 'team');
    expectError(await create(other, name), 409, 'CONFLICT');
  });
});
