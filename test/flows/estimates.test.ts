import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { HourUsage } from '../../shared/usage/usage.ts';
import { buildHour } from '../shared/cost/build-usage.ts';
import { createRunningScenario, createScenario, expectError, getMetrics, ingest } from '../support/requests.ts';
import { storeBatches, toBatchHour } from '../support/stored-batches.ts';
import { startTestService } from '../support/test-service.ts';

const claude = 'anthropic.claude-haiku-4-5-20251001-v1:0';

/** An amount in units of 10^-24 USD. */
function exact(amount: string): bigint {
  const [, minus = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(amount) ?? [];
  return BigInt(`${minus}${whole}${fraction.padEnd(24, '0')}`);
}

describe('estimates', () => {
  const service = startTestService();
  const assumptions = {
    function: { memory_mb: 512, duration_ms: 127.4 },
    inference: { model: 'amazon.nova-lite-v1:0', output_tokens_per_entry: 200 },
  };
  const unknown = randomUUID();
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

  describe('what if', () => {
    it('shows the same usage on other terms, with the difference', async () => {
      const { body, status } = await get('/estimate?region=us-east-1&memory_mb=1024&free_tier=true');
      expect(status).to.equal(200);
      const metrics = await getMetrics(service, id);
      expect(body.present.region).to.equal('eu-central-1');
      expect(metrics.totals).to.deep.include(body.present.totals);
      expect(body.present.cost_breakdown).to.deep.equal(metrics.cost_breakdown);
      expect(body.period).to.deep.equal(metrics.period);
      // Queue and function are free. Nova Lite: 17,500,000 and 200,000 tokens at 0.00006 and
      // 0.00024 a thousand.
      expect(body.estimate.region).to.equal('us-east-1');
      expect(body.estimate.assumptions.function).to.deep.equal({
        architecture: 'x86_64',
        memory_mb: 1024,
        duration_ms: 127.4,
      });
      expect(body.estimate.totals).to.include({ cost: '1.098000000000', function_gb_seconds: '128.000000000000' });
      expect(body.difference.queue).to.deep.equal({ amount: '-0.000400000000', share: '-1.0000' });
      expect(body.difference.total.amount).to.equal(`-${decimal(exact(metrics.totals.cost) - exact('1.098'))}`);
      expect(body.notes).to.have.length(1);
    });

    it('changes nothing without parameters', async () => {
      const { body } = await get('/estimate');
      expect(body.estimate).to.deep.equal(body.present);
      expect(body.difference.total).to.deep.equal({ amount: '0.000000000000', share: '0.0000' });
    });

    it('an estimate is limited to a period', async () => {
      const { body } = await get('/estimate?from=2026-05-01T11:00:00Z&to=2026-05-01T12:00:00Z');
      expect(body.estimate.totals.logs).to.equal(600);
    });

    it('has no other memory size if entries report their own', async () => {
      const { id: mixed } = await createRunningScenario(service);
      await ingest(service, mixed, { message: 'm', usage: { function_memory_mb: 256 } });
      const response = await get('/estimate?memory_mb=512', `/api/v1/scenarios/${mixed}`);
      expectError(response, 409, 'INVALID_STATE');
    });

    it('estimates of all regions are sorted by cost, those with unverified prices next to last, incomplete ones last', async () => {
      const { body, status } = await get('/estimate/regions?model=amazon.nova-pro-v1:0');
      expect(status).to.equal(200);
      const { body: regions } = await service.request('GET', '/api/v1/regions');
      expect(body.items).to.have.length(regions.total);
      const complete = body.items.filter(({ incomplete }: { incomplete: boolean }) => !incomplete);
      const isVerified = ({ status }: { status: string }) => status !== 'unverified';
      const [verified, unverified] = [complete.filter(isVerified), complete.filter((item: never) => !isVerified(item))];
      for (const group of [verified, unverified]) {
        expect(group).not.to.have.length(0);
        const amounts = group.map(({ cost }: { cost: { total: string } }) => exact(cost.total));
        expect(amounts).to.deep.equal([...amounts].sort((a, b) => (a < b ? -1 : Number(a > b))));
      }
      expect(body.items.slice(0, complete.length)).to.deep.equal([...verified, ...unverified]);
      expect(body.cheapest).to.equal(complete[0].region);
      // Nova Pro has no price in sa-east-1.
      const brazil = body.items.find(({ region }: { region: string }) => region === 'sa-east-1');
      expect(brazil).to.deep.include({ incomplete: true, status: 'missing', difference: { total: null } });
      for (const { region, cost } of [complete[0], brazil]) {
        const { body: single } = await get(`/estimate?model=amazon.nova-pro-v1:0&region=${region}`);
        expect(single.estimate.totals.cost).to.equal(cost.total);
      }
    });
  });

  describe('projections', () => {
    it('a projection of a volume is exact, with tiers and free amounts of the month', async () => {
      const { body, status } = await get('/projection?entries_per_month=500000000');
      expect(status).to.equal(200);
      // 200 + 32,000,000 GB-s × 0.0000166667 + 100; Nova Lite at 0.000078 and 0.000312 a thousand.
      expect(body.month.totals).to.include({
        logs: 500_000_000,
        function_gb_seconds: '32000000.000000000000',
        input_tokens: 8_750_000_000_000,
        cost: '714533.334400000000',
      });
      expect(body.twelve_months.totals).to.include({ logs: 6_000_000_000, cost: '8574400.012800000000' });
      const costs = body.month.cost_breakdown.map(({ cost }: { cost: string }) => cost);
      expect(costs).to.deep.equal(['200.000000000000', '633.334400000000', '713700.000000000000']);
      expect(body.basis).to.deep.equal({
        kind: 'entries_per_month',
        entries_per_month: '500000000',
        hours_per_month: 730,
        observed: { entries: 1_000, from: '2026-05-01T10:00:00.000Z', to: '2026-05-01T12:00:00.000Z', hours: 2 },
      });
      // 499,000,000 requests and invocations, and 31,600,000 GB-s are paid.
      const { body: free } = await get('/projection?entries_per_month=500000000&free_tier=true');
      const freeCosts = free.month.cost_breakdown.map(({ cost }: { cost: string }) => cost);
      expect(freeCosts).to.deep.equal(['199.600000000000', '626.467720000000', '713700.000000000000']);
    });

    it('a projection of a rate, sent or observed, is that of the month that the rate makes', async () => {
      // 500 entries an hour.
      const { body: observed } = await get('/projection');
      expect(observed.basis).to.include({ kind: 'observed_rate', entries_per_month: '365000' });
      const { body: perMonth } = await get('/projection?entries_per_month=365000');
      expect(observed.month).to.deep.equal(perMonth.month);
      const { body: perSecond } = await get('/projection?entries_per_second=0.5');
      expect(perSecond.basis).to.include({ kind: 'entries_per_second', entries_per_month: '1314000' });
      expect(perSecond.month.totals.logs).to.equal(1_314_000);
    });

    it('a projection needs entries, and entries of more than one hour or a volume', async () => {
      expectError(await get('/projection?entries_per_month=1', `/api/v1/scenarios/${empty}`), 409, 'INVALID_STATE');
      const oneHour = '/projection?from=2026-05-01T11:00:00Z';
      const refused = await get(oneHour);
      expectError(refused, 409, 'INVALID_STATE');
      expect(refused.body.error.message).to.contain('entries_per_month');
      expect((await get(`${oneHour}&entries_per_month=1`)).body.basis.observed.entries).to.equal(600);
    });
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
      const [first, second] = body.items;
      expect(first.difference.total).to.deep.equal({ amount: '0.000000000000', share: '0.0000' });
      const expected = decimal(exact(first.cost.queue) - exact(second.cost.queue));
      expect(second.difference.queue).to.deep.equal({ amount: `-${expected}`, share: '-0.9900' });
      expect(body.cheapest).to.deep.equal({ queue: empty, function: empty, inference: empty, total: empty });
    });
  });

  describe('explanations', () => {
    const explain = (of: string, query = '') => get(`/metrics/explain${query}`, `/api/v1/scenarios/${of}`);

    it('the lines of an explanation add up to the metrics across tiers, months, stand-in and unknown prices', async () => {
      const { id: large } = await createRunningScenario(service, { region: 'sa-east-1' });
      await addUsage(large, [
        buildHour({ queue: 99_999_999_999n, invocations: 7n, mbMs: 1_000_003n }),
        buildHour({ at: 1, queue: 100_000_000_007n, inputTokens: 11n, model: 'amazon.nova-pro-v1:0' }),
        buildHour({ at: 2, outputTokens: 13n, inputTokens: 3n, estimatedEntries: 1n, model: claude }),
        buildHour({ at: 40 * 24, queue: 5n, mbMs: 7_000_000_000_000_000n, invocations: 1n }),
      ]);
      for (const period of ['', '?from=2026-05-01T01:00:00Z&to=2026-06-20T00:00:00Z']) {
        const metrics = await getMetrics(service, large, period);
        const { body, status } = await explain(large, period);
        expect(status).to.equal(200);
        expect(metrics.totals).to.deep.include(body.totals);
        expect(body.cost_breakdown).to.deep.equal(metrics.cost_breakdown);
        expect(body.months.map(({ month }: { month: string }) => month)).to.deep.equal(['2026-05', '2026-06']);
        const lines: Record<string, string>[] = body.months.flatMap((month: { lines: object[] }) => month.lines);
        for (const { service: name, cost } of metrics.cost_breakdown) {
          const ofService = lines.filter((line) => line.service === name);
          const sum = ofService.reduce((amount, line) => amount + exact(line.amount ?? '0'), 0n);
          expect(decimal(sum), name).to.equal(cost);
        }
        for (const line of lines.filter(({ amount }) => amount !== null)) {
          const product = exact(line.quantity!) * exact(line.unit_price!);
          expect(product / 10n ** 24n).to.equal(exact(line.amount!));
        }
        const statuses = new Set(lines.map((line) => line.status));
        expect([...statuses]).to.include.members(['ok', 'unverified', 'missing', 'estimated']);
      }
    });

    it('an explanation continues with the cursor of the page before', async () => {
      const { id: long } = await createRunningScenario(service);
      await addUsage(long, [buildHour({ queue: 1n }), buildHour({ at: 35 * 24, queue: 2n })]);
      const { body: first } = await explain(long, '?limit=1');
      expect(first.months[0].lines[0]).to.include({ quantity: '1', unit: 'request', unit_price: '0.0000004' });
      expect(first.months).to.have.length(1);
      expect(first.next).to.equal('2026-06');
      const { body: second } = await explain(long, `?limit=1&cursor=${first.next}`);
      expect(second.months[0].lines[0].quantity).to.equal('2');
      expect(second.next).to.equal(null);
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

  const many = Array.from({ length: 11 }, () => randomUUID()).join();
  const invalid: Record<string, [() => string, string[]]> = {
    'an unknown region': [() => `${path}/estimate?region=mars-1`, ['region']],
    'a model that the price book lacks': [() => `${path}/estimate?model=none`, ['model']],
    'a memory size out of range': [() => `${path}/estimate?memory_mb=127`, ['memory_mb']],
    'an unknown field': [() => `${path}/estimate/regions?region=us-east-1`, ['region']],
    'a reversed period': [() => `${path}/estimate?from=2026-02-01&to=2026-01-01`, ['from']],
    'a volume of 0': [() => `${path}/projection?entries_per_month=0`, ['entries_per_month']],
    'a negative volume': [() => `${path}/projection?entries_per_month=-5`, ['entries_per_month']],
    'a fraction of an entry per month': [() => `${path}/projection?entries_per_month=1.5`, ['entries_per_month']],
    'a volume that is not a number': [() => `${path}/projection?entries_per_second=many`, ['entries_per_second']],
    'a volume above 10^15': [() => `${path}/projection?entries_per_month=1000000000000001`, ['entries_per_month']],
    'two volumes': [() => `${path}/projection?entries_per_month=1&entries_per_second=1`, ['query']],
    'one scenario': [() => `/api/v1/scenarios/compare?ids=${id}`, ['ids']],
    'eleven scenarios': [() => `/api/v1/scenarios/compare?ids=${many}`, ['ids']],
    'a scenario twice': [() => `/api/v1/scenarios/compare?ids=${id},${id}`, ['ids']],
    'a malformed scenario id': [() => `/api/v1/scenarios/compare?ids=${id},x`, ['ids']],
    'no scenario': [() => '/api/v1/scenarios/compare', ['ids']],
    'a malformed cursor': [() => `${path}/metrics/explain?cursor=2026-13`, ['cursor']],
  };
  for (const [name, [pathOf, fields]] of Object.entries(invalid)) {
    it(`an estimate is refused for ${name}`, async () => {
      expectError(await service.request('GET', pathOf()), 400, 'VALIDATION_ERROR', fields);
    });
  }

  it('an unknown scenario has no estimates', async () => {
    for (const rest of ['estimate', 'estimate/regions', 'projection', 'metrics/explain']) {
      expectError(await get(`/${rest}`, `/api/v1/scenarios/${unknown}`), 404, 'NOT_FOUND');
    }
    const compared = await service.request('GET', `/api/v1/scenarios/compare?ids=${id},${unknown}`);
    expectError(compared, 404, 'NOT_FOUND');
  });
});

/** A positive amount with 12 decimals, rounded half up. */
function decimal(amount: bigint): string {
  const scaled = ((amount < 0n ? -amount : amount) + 5n * 10n ** 11n) / 10n ** 12n;
  const digits = scaled.toString().padStart(13, '0');
  return `${digits.slice(0, -12)}.${digits.slice(-12)}`;
}
