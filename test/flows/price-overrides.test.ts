import { expect } from 'chai';
import { type Account, createAccount } from '../support/accounts.ts';
import { listRecords } from '../support/audit-records.ts';
import { createSender } from '../support/members.ts';
import { readyReport } from '../support/reports.ts';
import { createRunningScenario, getMetrics, ingest, successOf } from '../support/requests.ts';
import { startSecondWebProcess, startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

const path = '/api/v1/price-overrides';

describe('own prices over HTTP', () => {
  const service = startTestService();
  const [first, second] = startSecondWebProcess(service);
  let admin: Account;
  let id = '';
  const put = (overrides: unknown, headers = admin.headers) =>
    service.request('PUT', path, { headers, body: { overrides } });
  const set = async (...overrides: object[]) => (await successOf(put(overrides))).body.overrides;
  const get = async (at: string) => (await service.request('GET', `/api/v1/scenarios/${id}/${at}`)).body;
  const queueCost = async () => (await get('metrics')).cost_breakdown[0].cost as string;

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
    const { price_book: book, months } = await get('metrics/explain');
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
