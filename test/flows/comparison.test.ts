import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { formatMoney, moneyDecimals, parseDecimal } from '../../shared/cost/money.ts';
import {
  createRunningScenario,
  createScenario,
  expectError,
  getMetrics,
  ingest,
  successOf,
} from '../support/requests.ts';
import { startTestService } from '../support/test-service.ts';

const exact = (amount: string) => parseDecimal(amount, moneyDecimals);

describe('comparisons of scenarios', () => {
  const service = startTestService();
  const assumptions = {
    function: { memory_mb: 512, duration_ms: 127.4 },
    inference: { model: 'amazon.nova-lite-v1:0', output_tokens_per_entry: 200 },
  };
  let id = '';
  let other = '';
  let empty = '';
  let partial = '';
  let unpriced = '';
  let path = '';
  const get = (query: string, of = path) => service.request('GET', `${of}${query}`);

  // A thousand entries in two hours; each is one request, 65,536 MB·ms and 17,500 + 200 tokens.
  const entries = Array.from({ length: 1_000 }, (_, index) => ({
    message: 'GET /',
    timestamp: index < 400 ? '2026-05-01T10:00:00Z' : '2026-05-01T11:59:59Z',
    usage: { input_tokens: 17_500 },
  }));

  before(async () => {
    ({ id } = await createRunningScenario(service, { region: 'eu-central-1', assumptions }));
    ({ id: other } = await createRunningScenario(service, { region: 'us-east-1', assumptions }));
    ({ id: empty } = await createScenario(service));
    // Cheaper, but the price of its model is not known in its Region.
    ({ id: partial } = await createRunningScenario(service, { region: 'sa-east-1', assumptions }));
    expect((await ingest(service, partial, entries.slice(0, 10))).status).to.equal(200);
    ({ id: unpriced } = await createRunningScenario(service, { region: 'us-east-1', assumptions }));
    const call = { message: 'call', model: 'gpt-4o', usage: { input_tokens: 5, output_tokens: 6 } };
    expect((await ingest(service, unpriced, call, { query: '?fields=loose' })).status).to.equal(200);
    path = `/api/v1/scenarios/${id}`;
    expect((await ingest(service, id, entries)).status).to.equal(200);
    expect((await ingest(service, other, entries.slice(0, 10))).status).to.equal(200);
  });

  describe('comparisons', () => {
    it('a comparison shows scenarios side by side, with differences and the cheapest', async () => {
      const ids = [id, other, empty, partial, unpriced];
      const { body } = await successOf(get(`?ids=${ids.join()}`, '/api/v1/scenarios/compare'));
      expect(body.items.map((item: { id: string }) => item.id)).to.deep.equal(ids);
      for (const item of body.items) {
        const metrics = await getMetrics(service, item.id);
        expect(item.cost.total).to.equal(metrics.totals.cost);
        expect(item.cost_breakdown).to.deep.equal(metrics.cost_breakdown);
        expect(item.period).to.deep.equal(metrics.period);
      }
      const [first, second, third, fourth, fifth] = body.items;
      expect(first.difference.total).to.deep.equal({ amount: '0.000000000000', share: '0.0000' });
      // A thousand entries of both have 1,000 requests at 0.40 a million, and the same function.
      expect(body.compared_by).to.equal('cost_per_1000_entries');
      expect(second.difference.queue).to.deep.equal({ amount: '0.000000000000', share: '0.0000' });
      expect([first.cost.queue, second.cost.queue]).to.deep.equal(['0.000400000000', '0.000004000000']);
      expect([first, second].map((item) => item.cost_per_1000_entries.queue)).to.deep.equal(
        Array(2).fill('0.000400000000'),
      );
      expect(third).to.include({ cost_per_1000_entries: null });
      expect(third.difference.total).to.equal(null);
      expect(fourth).to.include({ status: 'missing', incomplete: true });
      expect(fifth).to.include({ status: 'ok', incomplete: true });
      expect(body.cheapest).to.deep.equal({
        queue: [id, other, partial, unpriced],
        function: [id, other, partial, unpriced],
        inference: [other],
        total: [other],
      });
    });

    it('scenarios of the same volume are compared by their cost', async () => {
      const queue = { type: 'standard', requests_per_message: 2 };
      const { id: same } = await createRunningScenario(service, {
        region: 'us-east-1',
        assumptions: { ...assumptions, queue },
      });
      const { body: metrics } = await get('/metrics');
      await ingest(service, same, entries);
      const { body } = await service.request('GET', `/api/v1/scenarios/compare?ids=${id},${same}`);
      expect(body.compared_by).to.equal('cost');
      expect(body.items[1].difference.queue.amount).to.equal('0.000400000000');
      const difference = exact(body.items[1].cost.total) - exact(metrics.totals.cost);
      expect(body.items[1].difference.total.amount).to.equal(formatMoney(difference));
      expect(body.cheapest).to.deep.equal({ queue: [id], function: [id, same], inference: [same], total: [same] });
    });
  });

  it('the possible regions and models are listed', async () => {
    const { body: regions } = await service.request('GET', '/api/v1/regions');
    expect(regions.items).to.deep.include({
      code: 'eu-west-1',
      name: 'Europe (Ireland)',
      partition: 'aws',
      queue_types: ['standard'],
    });
    const { body: models } = await service.request('GET', '/api/v1/models');
    expect(models.items.map((model: { id: string }) => model.id)).to.include('amazon.nova-lite-v1:0');
    const gpt = models.items.find((model: { id: string }) => model.id === 'openai.gpt-5.6-sol');
    expect(gpt).to.deep.include({ context_window: 1_050_000, long_context_above: 272_000 });
  });

  it('a comparison is of scenarios that exist', async () => {
    const unknown = randomUUID();
    expectError(await get(`?ids=${id},${unknown}`, '/api/v1/scenarios/compare'), 404, 'NOT_FOUND');
    expectError(await get('/metrics/explain', `/api/v1/scenarios/${unknown}`), 404, 'NOT_FOUND');
  });
});
