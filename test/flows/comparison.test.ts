import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { formatMoney, moneyDecimals, parseDecimal } from '../../shared/cost/money.ts';
import type { HourUsage } from '../../shared/usage/usage.ts';
import { buildHour } from '../shared/cost/build-usage.ts';
import { createRunningScenario, createScenario, expectError, getMetrics, ingest } from '../support/requests.ts';
import { storeBatches, toBatchHour } from '../support/stored-batches.ts';
import { startTestService } from '../support/test-service.ts';

const claude = 'anthropic.claude-haiku-4-5-20251001-v1:0';

const exact = (amount: string) => parseDecimal(amount, moneyDecimals);

describe('comparisons and explanations', () => {
  const service = startTestService();
  const assumptions = {
    function: { memory_mb: 512, duration_ms: 127.4 },
    inference: { model: 'amazon.nova-lite-v1:0', output_tokens_per_entry: 200 },
  };
  let id = '';
  let other = '';
  let empty = '';
  let path = '';
  const get = (query: string, of = path) => service.request('GET', `${of}${query}`);

  /** Adds usage to a scenario as an ingest job would. */
  const addUsage = (scenarioId: string, hours: HourUsage[]) =>
    storeBatches(service.app.models, scenarioId, hours.map(toBatchHour));

  before(async () => {
    ({ id } = await createRunningScenario(service, { region: 'eu-central-1', assumptions }));
    ({ id: other } = await createRunningScenario(service, { region: 'us-east-1', assumptions }));
    ({ id: empty } = await createScenario(service));
    path = `/api/v1/scenarios/${id}`;
    // A thousand entries in two hours; each is one request, 65,536 MB·ms and 17,500 + 200 tokens.
    const entries = Array.from({ length: 1_000 }, (_, index) => ({
      message: 'GET /',
      timestamp: index < 400 ? '2026-05-01T10:00:00Z' : '2026-05-01T11:59:59Z',
      usage: { input_tokens: 17_500 },
    }));
    expect((await ingest(service, id, entries)).status).to.equal(200);
    expect((await ingest(service, other, entries.slice(0, 10))).status).to.equal(200);
  });

  describe('comparisons', () => {
    it('a comparison shows scenarios side by side, with differences and the cheapest', async () => {
      const { body, status } = await service.request('GET', `/api/v1/scenarios/compare?ids=${id},${other},${empty}`);
      expect(status).to.equal(200);
      expect(body.items.map((item: { id: string }) => item.id)).to.deep.equal([id, other, empty]);
      for (const item of body.items) {
        const metrics = await getMetrics(service, item.id);
        expect(item.cost.total).to.equal(metrics.totals.cost);
        expect(item.cost_breakdown).to.deep.equal(metrics.cost_breakdown);
        expect(item.period).to.deep.equal(metrics.period);
      }
      const [first, second, third] = body.items;
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
      expect(body.cheapest).to.deep.equal({
        queue: [id, other],
        function: [id, other],
        inference: [other],
        total: [other],
      });
    });

    it('scenarios of the same volume are compared by their cost', async () => {
      const { id: same } = await createRunningScenario(service, { region: 'us-east-1', assumptions });
      const { body: metrics } = await get('/metrics');
      await addUsage(same, [buildHour({ logs: 1_000n, queue: 2_000n })]);
      const { body } = await service.request('GET', `/api/v1/scenarios/compare?ids=${id},${same}`);
      expect(body.compared_by).to.equal('cost');
      expect(body.items[1].difference.queue.amount).to.equal('0.000400000000');
      const difference = exact(body.items[1].cost.total) - exact(metrics.totals.cost);
      expect(body.items[1].difference.total.amount).to.equal(formatMoney(difference));
      expect(body.cheapest).to.deep.equal({ queue: [id], function: [same], inference: [same], total: [same] });
    });
  });

  it('the lines of an explanation add up to the metrics across tiers, months, stand-in and unknown prices', async () => {
    const { id: large } = await createRunningScenario(service, { region: 'sa-east-1' });
    await addUsage(large, [
      buildHour({ queue: 99_999_999_999n, invocations: 7n, mbMs: 1_000_003n }),
      buildHour({ at: 1, queue: 100_000_000_007n, inputTokens: 11n, model: 'amazon.nova-pro-v1:0' }),
      buildHour({ at: 2, outputTokens: 13n, inputTokens: 3n, estimatedEntries: 1n, model: claude }),
      buildHour({ at: 40 * 24, queue: 5n, mbMs: 7_000_000_000_000_000n, invocations: 1n }),
    ]);
    const metrics = await getMetrics(service, large);
    const { body } = await get('/metrics/explain', `/api/v1/scenarios/${large}`);
    expect(metrics.totals).to.deep.include(body.totals);
    expect(body.cost_breakdown).to.deep.equal(metrics.cost_breakdown);
    const lines: Record<string, string>[] = body.months.flatMap((month: { lines: object[] }) => month.lines);
    for (const { service: name, cost } of metrics.cost_breakdown) {
      const ofService = lines.filter((line) => line.service === name);
      expect(formatMoney(ofService.reduce((sum, { amount }) => sum + exact(amount ?? '0'), 0n)), name).to.equal(cost);
    }
    for (const { quantity, unit_price: price, amount } of lines.filter((line) => line.amount !== null))
      expect((exact(quantity!) * exact(price!)) / 10n ** BigInt(moneyDecimals)).to.equal(exact(amount!));
    const statuses = lines.map(({ status }) => status);
    expect(statuses).to.include.members(['ok', 'unverified', 'missing', 'estimated']);
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

  it('a comparison is of two to ten scenarios that exist', async () => {
    const unknown = randomUUID();
    const many = Array.from({ length: 11 }, () => randomUUID()).join();
    for (const query of [`?ids=${id}`, `?ids=${many}`, `?ids=${id},${id}`, '']) {
      expectError(await get(query, '/api/v1/scenarios/compare'), 400, 'VALIDATION_ERROR', ['ids']);
    }
    expectError(await get(`?ids=${id},${unknown}`, '/api/v1/scenarios/compare'), 404, 'NOT_FOUND');
    expectError(await get('/metrics/explain', `/api/v1/scenarios/${unknown}`), 404, 'NOT_FOUND');
  });
});
