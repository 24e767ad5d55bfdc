import { expect } from 'chai';
import { type PriceBookFile } from '../../shared/cost/price-book-file.ts';
import { storePriceBook } from '../../shared/cost/price-books.ts';
import { type Account, createAccount } from '../support/accounts.ts';
import { listRecords } from '../support/audit-records.ts';
import { changedBook } from '../support/changed-book.ts';
import { createSender } from '../support/members.ts';
import { readyReport } from '../support/reports.ts';
import {
  createRunningScenario,
  createScenario,
  expectError,
  getMetrics,
  ingest,
  successOf,
} from '../support/requests.ts';
import { startSecondWebProcess, startTestService, type TestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

const nova = 'amazon.nova-lite-v1:0';
const assumptions = { inference: { model: nova, output_tokens_per_entry: 200 } };
/** A model whose messages are counted as they are. */
const tokenized = 'openai.gpt-oss-20b-1:0';
const unknown = '2026-01-01-000000000000';

const queueOf = (file: PriceBookFile) => file.queue.regions['eu-west-1']!.standard!;

/** Double prices of the queue and of input tokens in eu-west-1, and triple tokens of a model. */
const doubled = changedBook((file) => {
  file.as_of = '2026-11-20';
  for (const tier of queueOf(file).tiers) tier.price_per_million = String(Number(tier.price_per_million) * 2);
  const { prices } = file.inference.models.find(({ id }) => id === nova)!;
  file.inference.models.find(({ id }) => id === tokenized)!.tokenizer.multiplier = '3.00';
  for (const price of Object.values(prices)) price.input_per_1k = String(Number(price.input_per_1k) * 2);
});

/** Stores a version of the price book as a refresh does. @returns its name. */
async function addVersion({ app }: Pick<TestService, 'app'>, file: PriceBookFile): Promise<string> {
  const newest = await app.models.priceBookVersion.findOne().sort({ sequence: -1 }).lean();
  const stored = await storePriceBook(app.models, file, { source: 'book', after: newest?.sequence ?? 0 });
  if (!stored) throw new Error('The version is stored already.');
  return stored._id;
}

const path = '/api/v1/price-overrides';

describe('versions of the price book', () => {
  const service = startTestService();
  const [first, second] = startSecondWebProcess(service);
  let old = '';
  let current = '';
  let finished = '';
  let metricsBefore: unknown;
  const get = (path: string) => service.request('GET', path);
  const newestOf = async (web: typeof first) => (await web.request('GET', '/api/v1/models')).body.price_book.version;

  before(async () => {
    old = await newestOf(first);
    ({ id: finished } = await createRunningScenario(service, { assumptions }));
    const entries = Array.from({ length: 100 }, (_, at) => ({
      message: `GET /${at}`,
      timestamp: `2026-0${1 + (at % 3)}-01T10:00:00Z`,
      usage: { input_tokens: 1_000 + at },
    }));
    expect((await ingest(service, finished, entries)).status).to.equal(200);
    await service.request('POST', `/api/v1/scenarios/${finished}/stop`);
    metricsBefore = await getMetrics(service, finished);
    current = await addVersion(service, doubled);
  });

  it('a new version is seen by every web process, and prices drafts and starts, not what has left draft', async () => {
    expect(old).to.match(/^2026-10-01-[0-9a-f]{12}$/);
    expect(current).to.match(/^2026-11-20-[0-9a-f]{12}$/);
    for (const web of [first, second]) {
      await waitUntil('the new version', async () => (await newestOf(web)) === current, 5_000);
      const { body } = await web.request('GET', `/api/v1/scenarios/${finished}/metrics`);
      expect(body).to.deep.equal(metricsBefore);
      expect(body.price_book).to.deep.equal({ version: old, as_of: '2026-10-01' });
    }
    for (const { id } of [await createRunningScenario(service, { assumptions }), await createScenario(service)]) {
      expect((await getMetrics(service, id)).price_book.version).to.equal(current);
    }
  });

  it('a version can be pinned by the assumptions, and everything that shows a cost names it', async () => {
    const { id } = await createRunningScenario(service, { assumptions: { ...assumptions, price_book: old } });
    const path = `/api/v1/scenarios/${id}`;
    const sent = await ingest(service, id, [{ message: 'm', usage: { input_tokens: 1_000_000 } }]);
    expect(sent.body.results[0].cost.inference).to.equal('0.069055200000');
    for (const at of ['metrics', 'metrics/explain']) {
      const { body, text } = await get(`${path}/${at}`);
      expect(body.price_book?.version, `${at} ${text}`).to.equal(old);
    }
    const { body } = await service.request('POST', `${path}/designs`);
    expect([body.price_book.version, body.items[0].price_book.version]).to.deep.equal([old, old]);
    expect((await get(path)).body.assumptions.price_book).to.equal(old);
  });

  it('the tokens of messages are counted by the tokenizer of their model', async () => {
    const message = 'a message without a number of tokens';
    const tokens = await Promise.all(
      [old, current].map(async (version) => {
        const pinned = { inference: { model: tokenized }, price_book: version };
        const { id } = await createRunningScenario(service, { assumptions: pinned });
        return (await ingest(service, id, [{ message }])).body.results[0].metrics.input_tokens;
      }),
    );
    expect(tokens[1]).to.equal(tokens[0] * 3);
  });

  it('a version cannot be pinned after draft', async () => {
    const { id } = await createRunningScenario(service);
    const path = `/api/v1/scenarios/${id}`;
    const put = await service.request('PUT', path, { body: { assumptions: { price_book: old } } });
    expectError(put, 409, 'INVALID_STATE', ['assumptions']);
  });

  describe('read', () => {
    it('versions are listed with their dates and sources, the newest first', async () => {
      const { body } = await get('/api/v1/price-books?page_size=1');
      expect(body).to.deep.include({ total: 2, page: 1, page_size: 1 });
      expect(body.items[0]).to.deep.include({ version: current, as_of: '2026-11-20', source: 'book' });
      const { body: second } = await get('/api/v1/price-books?page_size=1&page=2');
      expect(second.items[0]).to.deep.include({ version: old, as_of: '2026-10-01', source: 'code' });
    });

    it('a version has every price with its source and date, and names what is unverified', async () => {
      const { body, headers } = await get(`/api/v1/price-books/${old}`);
      expect(body.regions).to.have.length(36);
      expect(body.unverified.queue).to.have.length(27).and.include('af-south-1');
      const ids = body.sources.map(({ id }: { id: string }) => id);
      for (const { sources, as_of: asOf } of body.prices) {
        expect(asOf).not.to.equal('');
        expect(ids).to.include.members(sources);
      }
      const ofQueue = (row: { service: string; region: string }) =>
        row.service === 'queue' && row.region === 'eu-west-1';
      expect(body.prices.find(ofQueue)).to.deep.include({
        region: 'eu-west-1',
        item: 'standard',
        kind: 'request',
        unit: 'million requests',
        tiers: [{ from: '0', to: '100000000000', price: '0.4' }],
        complete: false,
        status: 'ok',
      });
      const again = await service.request('GET', `/api/v1/price-books/${old}`, {
        headers: { 'If-None-Match': headers.get('ETag') ?? '' },
      });
      expect(again.status).to.equal(304);
    });

    it('the comparison of two versions has each price that differs, in per cent and with its source', async () => {
      const { body } = await get(`/api/v1/price-books/${old}/diff?to=${current}`);
      expect([body.from.version, body.to.version]).to.deep.equal([old, current]);
      expect(body.items[0]).to.deep.include({
        type: 'change',
        service: 'queue',
        region: 'eu-west-1',
        tier: { from: '0', to: '100000000000' },
        old: '0.4',
        new: '0.8',
        percent: '+100.00',
      });
      expect(body.items[0].sources).not.to.deep.equal([]);
      for (const { service: of, item, kind } of body.items.slice(1)) {
        expect([of, item, kind]).to.deep.equal(['inference', nova, 'input']);
      }
      const { body: back } = await get(`/api/v1/price-books/${current}/diff?to=${old}`);
      expect(back.total).to.equal(body.total);
      expect(back.items[0].percent).to.equal('-50.00');
      const { body: same } = await get(`/api/v1/price-books/${old}/diff?to=${old}`);
      expect(same.items).to.deep.equal([]);
    });

    it('unknown versions are not found', async () => {
      expectError(await get(`/api/v1/price-books/${unknown}`), 404, 'NOT_FOUND');
      expectError(await get(`/api/v1/price-books/${unknown}/diff?to=${old}`), 404, 'NOT_FOUND');
    });
  });

  describe('compared', () => {
    it('designs have their own versions or that of the request', async () => {
      const path = `/api/v1/scenarios/${finished}/designs?price_book=${current}`;
      const designs = [
        { name: 'then', assumptions: { price_book: old } },
        { name: 'now', assumptions: {} },
        { name: 'named', price_book: old },
      ];
      const { body, text } = await service.request('POST', path, { body: { designs } });
      expect(
        body.items?.map((item: { price_book: object }) => item.price_book),
        text,
      ).to.deep.equal([
        { version: old, as_of: '2026-10-01' },
        { version: current, as_of: '2026-11-20' },
        { version: old, as_of: '2026-10-01' },
      ]);
      expect(body.items[0].difference.total.amount).to.equal('0.000000000000');
      expect(body.items[2].difference.total.amount).to.equal('0.000000000000');
      // 100 requests at 0.80 a million in place of 0.40.
      expect(body.items[1].difference.queue.amount).to.equal('0.000040000000');
    });

    it('scenarios are compared by their own versions or all by one, with the difference', async () => {
      const { id } = await createRunningScenario(service, { assumptions });
      const path = `/api/v1/scenarios/compare?ids=${finished},${id}`;
      const { body: own } = await get(path);
      const versions = own.items.map((item: { price_book: { version: string } }) => item.price_book.version);
      expect(versions).to.deep.equal([old, current]);
      expect(own.items[0]).not.to.have.property('price_difference');
      const { body: same } = await get(`${path}&price_book=${current}`);
      const body = { designs: [{ name: 'now', price_book: current }] };
      const { body: designs } = await service.request('POST', `/api/v1/scenarios/${finished}/designs`, { body });
      expect(same.items[0].cost.total).to.equal(designs.items[0].cost.total);
      expect(same.items[0].price_difference).to.deep.equal(designs.items[0].difference);
      expect(same.items[1].price_difference.total.amount).to.equal('0.000000000000');
    });
  });

  describe('that lack what a draft names', () => {
    it('a draft does not start by a version without its Region and model, which the response names, until it is changed', async () => {
      const { id } = await createScenario(service, { region: 'af-south-1', assumptions });
      const { id: pinning } = await createScenario(service, { assumptions: { ...assumptions, price_book: old } });
      const lacking = changedBook((file) => {
        file.as_of = '2026-11-21';
        file.regions = file.regions.filter(({ code }) => code !== 'af-south-1');
        delete file.function.regions['af-south-1'];
        delete file.queue.regions['af-south-1'];
        file.inference.models = file.inference.models.filter((model) => model.id !== nova);
      });
      await addVersion(service, lacking);
      const path = `/api/v1/scenarios/${id}`;
      const before = (await get(path)).body;
      for (const web of [first, second]) {
        const refused = await web.request('POST', `${path}/start`);
        expectError(refused, 409, 'INVALID_STATE', ['region', 'assumptions.inference.model']);
        expect(refused.body.error.message).to.match(
          /region "\S+" is not a region in version 2026-11-21-.* of the price book/,
        );
      }
      expect((await get(path)).body).to.deep.equal(before);
      expect((await service.request('POST', `/api/v1/scenarios/${pinning}/start`)).status).to.equal(200);
      await service.request('PUT', path, { body: { region: 'eu-west-1', assumptions: {} } });
      expect((await service.request('POST', `${path}/start`)).status).to.equal(200);
    });
  });

  describe('own prices over HTTP', () => {
    let admin: Account;
    let id = '';
    const put = (overrides: unknown, headers = admin.headers) =>
      service.request('PUT', path, { headers, body: { overrides } });
    const set = async (...overrides: object[]) => (await successOf(put(overrides))).body.overrides;
    const ofScenario = async (at: string) => (await service.request('GET', `/api/v1/scenarios/${id}/${at}`)).body;
    const queueCost = async () => (await ofScenario('metrics')).cost_breakdown[0].cost as string;

    before(async () => {
      admin = await createAccount(service);
      ({ id } = await createRunningScenario(service, { region: 'us-east-1' }));
      const entry = { message: 'm', usage: { input_tokens: 1_000, output_tokens: 10 } };
      await ingest(service, id, [
        { ...entry, timestamp: '2026-05-01T10:00:00Z' },
        { ...entry, timestamp: '2026-06-01T10:00:00Z' },
      ]);
      await waitUntil('the entries to count', async () => (await getMetrics(service, id)).totals.logs === 2);
    });
    afterEach(() => service.request('DELETE', path, { headers: admin.headers }));

    it('no own price exists by default, and each is read as it was set, with who set it and when', async () => {
      const read = async () => (await service.request('GET', path, { headers: admin.headers })).body.overrides;
      expect(await read()).to.deep.equal([]);
      const [discount] = await set({ service: 'function', discount_percent: '12.5', note: 'a contract' });
      expect(discount).to.deep.include({
        service: 'function',
        discount_percent: '12.5',
        price: null,
        note: 'a contract',
      });
      expect(discount).to.deep.include({ set_by: admin.user.id });
      const price = { service: 'queue', item: 'standard', price: '0.3' };
      const [kept, added] = await set({ service: 'function', discount_percent: '12.5', note: 'a contract' }, price);
      expect(kept, 'an override that does not change').to.deep.equal(discount);
      expect(added).to.deep.include({ item: 'standard', kind: 'request', region: null, unit: 'million requests' });
      expect(await read()).to.deep.equal([kept, added]);
      const removed = await service.request('DELETE', path, { headers: admin.headers });
      expect(removed.status).to.equal(204);
      expect(await read()).to.deep.equal([]);
    });

    it('own prices change every cost within seconds in every web process', async () => {
      const read = () => service.request('GET', `/api/v1/scenarios/${id}/metrics`);
      const before = await queueCost();
      expect(before).to.equal('0.000000800000');
      const tag = (await read()).headers.get('ETag');
      await set({ service: 'queue', discount_percent: '50' });
      for (const web of [first, second]) {
        await waitUntil('the own price', async () => {
          const { body } = await web.request('GET', `/api/v1/scenarios/${id}/metrics`);
          return body.price_book.own_prices && body.cost_breakdown[0].cost === '0.000000400000';
        });
      }
      expect((await read()).headers.get('ETag')).not.to.equal(tag);
      const { price_book: book, months } = await ofScenario('metrics/explain');
      expect(book).to.include({ own_prices: true });
      const [list, own] = months[0].lines;
      expect(list).to.include({ unit_price: '0.0000004' }).and.not.to.have.property('override');
      expect(own).to.include({ quantity: list.quantity, unit_price: '-0.0000002', price_source: null });
      expect(own.override).to.include({ service: 'queue', discount_percent: '50' });
      const { body: designs } = await service.request('POST', `/api/v1/scenarios/${id}/designs`);
      expect(designs.present.price_book).to.include({ own_prices: true });
      expect(designs.present.cost.queue).to.equal('0.000000400000');
      const { id: other } = await createRunningScenario(service);
      const { body } = await service.request('GET', `/api/v1/scenarios/compare?ids=${id},${other}`);
      expect(body.items[0].cost.queue).to.equal('0.000000400000');
      await service.request('DELETE', path, { headers: admin.headers });
      expect(await queueCost()).to.equal(before);
    });

    it('own prices apply to the response of ingest', async () => {
      await set({ service: 'queue', item: 'standard', price: '1' });
      const { body } = await ingest(service, id, [{ message: 'm' }]);
      expect(body.results[0].cost.queue).to.equal('0.000001000000');
    });

    it('a report names own prices', async () => {
      await set({ service: 'queue', discount_percent: '50' });
      const sender = await createSender(service);
      const read = async (period: object) => {
        const report = await readyReport(sender, id, { format: 'csv', ...period });
        return (await sender.send('GET', `/api/v1/reports/${report.id}/download`)).text;
      };
      await waitUntil('the workers', async () => (await read({ to: '2026-06-01' })).includes(',own_prices\r\n'));
    });

    it('each change of own prices leaves an audit record', async () => {
      const response = await put([{ service: 'queue', discount_percent: '5' }]);
      const requestId = response.headers.get('X-Request-ID');
      const list = () => listRecords(service, admin, `?event_type=PRICE_OVERRIDES_UPDATED&request_id=${requestId}`);
      await waitUntil('the record', async () => (await list()).length === 1);
      const [record] = await list();
      expect(record).to.include({ account_id: admin.user.id });
      expect(record?.details).to.deep.equal({ overrides: ['queue: 5 % discount'] });
    });
  });
});
