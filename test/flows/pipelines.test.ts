import { expect } from 'chai';
import { createSender } from '../support/members.ts';
import { parseCsv, readyReport, sumColumn } from '../support/reports.ts';
import { createRunningScenario, getMetrics, ingest, successOf } from '../support/requests.ts';
import { startTestService } from '../support/test-service.ts';
import { workedAssumptions, workedEntries, workedPipelines } from '../support/worked-pipelines.ts';

describe('pipelines of scenarios', () => {
  const service = startTestService();
  let worked = '';
  const get = async (id: string, path: string) =>
    (await successOf(service.request('GET', `/api/v1/scenarios/${id}/${path}`))).body;
  const designsOf = async (id: string, query = '', body: object = {}) =>
    (await successOf(service.request('POST', `/api/v1/scenarios/${id}/designs?${query}`, { body }))).body;

  async function setPipeline(id: string, pipeline?: object): Promise<void> {
    const assumptions = { ...workedAssumptions, ...(pipeline && { pipeline }) };
    await successOf(service.request('PUT', `/api/v1/scenarios/${id}`, { body: { assumptions } }));
  }

  before(async () => {
    const scenario = { region: 'us-east-1', assumptions: workedAssumptions };
    ({ id: worked } = await createRunningScenario(service, scenario));
    expect((await ingest(service, worked, workedEntries())).status).to.equal(200);
  });

  it('metrics do not change while a scenario has no pipeline', async () => {
    await setPipeline(worked);
    const { totals } = await getMetrics(service, worked);
    expect(totals).to.include({ queue_requests: 600, function_invocations: 600, output_tokens: 24_000 });
    expect(totals.status).to.equal('ok');
    expect(totals).to.not.have.any.keys('inference_calls', 'empty_receives', 'cache_read_tokens', 'cache_write_tokens');
  });

  it('a pipeline is shown by every response in the same way', async () => {
    const [, , , , , , cached] = workedPipelines;
    await setPipeline(worked, cached!.pipeline);
    const metrics = await getMetrics(service, worked);
    const { totals, cost_breakdown } = metrics;
    expect(cost_breakdown[0].usage).to.deep.equal({ requests: 2010, empty_receives: 750 });
    expect(cost_breakdown[2].usage).to.deep.equal({
      calls: 20,
      input_tokens: 30_000,
      output_tokens: 6_000,
      cache_read_tokens: 95_000,
      cache_write_tokens: 5_000,
    });
    const v2 = await service.request('GET', `/api/v2/scenarios/${worked}`);
    expect(v2.body.assumptions.pipeline).to.deep.equal(cached!.pipeline);
    const explained = await get(worked, 'metrics/explain');
    expect(explained.cost_breakdown).to.deep.equal(cost_breakdown);
    const designs = await designsOf(worked, '', { designs: [{ name: 'same' }] });
    expect(totals).to.deep.include(designs.items[0].totals);
    expect(designs.notes).to.not.be.empty;
    const sender = await createSender(service);
    const { id } = await readyReport(sender, worked);
    const rows = parseCsv((await sender.send('GET', `/api/v1/reports/${id}/download`)).text);
    expect(rows[0]).to.include({ requests: '2010', empty_receives: '750', status: 'estimated' });
    expect(rows[1]).to.include({ invocations: '20' });
    expect(rows[2]).to.include({ inference_calls: '20', input_tokens: '30000', cache_read_tokens: '95000' });
    expect(sumColumn(rows, 'cost')).to.equal(totals.cost);
  });

  it('a prompt that is cached for an hour is written once, whatever part of the time is read', async () => {
    const inference = { prompt_tokens: 4_096, cache_prompt: true, cache_ttl: '1h' };
    const { id } = await createRunningScenario(service, {
      region: 'us-east-1',
      assumptions: { ...workedAssumptions, pipeline: { inference } },
    });
    const entries = [0, 50, 100, 150, 240].map((minutes) => ({
      message: 'GET /',
      timestamp: new Date(Date.UTC(2026, 2, 5, 10, minutes)).toISOString(),
      usage: { input_tokens: 5 },
    }));
    expect((await ingest(service, id, entries)).status).to.equal(200);
    const { totals } = await getMetrics(service, id);
    // The last call is 90 minutes after the one before.
    expect(totals).to.include({ cache_write_tokens: 2 * 4_096, cache_read_tokens: 3 * 4_096 });
    let written = 0;
    for (const period of ['to=2026-03-05T11:00:00Z', 'from=2026-03-05T11:00:00Z']) {
      const part = (await getMetrics(service, id, `?${period}`)).totals;
      expect(part).to.deep.include((await designsOf(id, period)).present.totals);
      written += part.cache_write_tokens;
    }
    expect(written).to.equal(totals.cache_write_tokens);
    const explained = await get(id, 'metrics/explain');
    const lines = explained.months[0].lines.filter(({ item }: { item: string }) => item === 'cache_write_1h_tokens');
    expect(lines).to.have.length(1);
  });

  it('costs are explained by the parts of their usage, in words and with the reason of the invocations', async () => {
    const [, , , , , , cached] = workedPipelines;
    await setPipeline(worked, cached!.pipeline);
    const { months, totals } = await get(worked, 'metrics/explain');
    const [{ lines, pipeline }] = months;
    const amounts = lines.map(({ amount }: { amount: string }) => Math.round(Number(amount) * 1e12));
    expect(amounts.reduce((sum: number, amount: number) => sum + amount, 0)).to.equal(Math.round(totals.cost * 1e12));
    expect(new Set(lines.map(({ status }: { status: string }) => status))).to.deep.equal(new Set(['estimated']));
    const quantities = (rows: { item?: string; part?: string; quantity: string }[]) =>
      Object.fromEntries(rows.map(({ item, part, quantity }) => [item ?? part, quantity]));
    expect(quantities(lines)).to.deep.equal({
      requests: '2010',
      invocations: '20',
      compute: '7.5',
      input_tokens: '30000',
      output_tokens: '6000',
      cache_read_tokens: '95000',
      cache_write_tokens: '5000',
    });
    expect(quantities(pipeline)).to.deep.equal({
      sends: '600',
      receives: '600',
      deletes: '60',
      empty_receives: '750',
      invocations: '20',
      entry_compute: '7.5',
      calls: '20',
      entry_tokens: '30000',
      cache_write_tokens: '5000',
      cache_read_tokens: '95000',
      output_tokens: '6000',
    });
    const { rule } = pipeline.find(({ part }: { part: string }) => part === 'invocations');
    expect(rule).to.equal('Up to 50 messages in a window of 60 s: batches are full before their window ends.');
    await setPipeline(worked, { function: { batch_size: 50, window_seconds: 5 } });
    const gathered = (await get(worked, 'metrics/explain')).months[0].pipeline;
    expect(gathered.find(({ part }: { part: string }) => part === 'invocations').rule).to.equal(
      'Up to 50 messages in a window of 5 s: windows end before their batch is full.',
    );
  });

  describe('with hours without entries', () => {
    let id = '';
    before(async () => {
      ({ id } = await createRunningScenario(service, { region: 'us-east-1', assumptions: { pipeline: {} } }));
      const entries = ['2026-03-05T10:00:00Z', '2026-03-05T14:30:00Z', '2026-05-02T00:00:00Z'].map((timestamp) => ({
        message: 'GET /',
        timestamp,
      }));
      expect((await ingest(service, id, entries)).status).to.equal(200);
    });

    it('pollers poll in every hour from the first to the last one with entries', async () => {
      const { totals, timeseries } = await getMetrics(service, id, '?interval=hour&limit=2000');
      const hours = (Date.UTC(2026, 4, 2) - Date.UTC(2026, 2, 5, 10)) / 3_600_000 + 1;
      expect(timeseries).to.have.length(hours);
      // 180 polls of 5 pollers an hour, less a quarter for each second with an entry, rounded down.
      expect(totals).to.include({ logs: 3, empty_receives: 900 * (hours - 3) + 3 * 899 });
      expect(totals.queue_requests).to.equal(totals.empty_receives + 9);
      expect(timeseries[1]).to.include({ logs: 0, queue_requests: 900, function_invocations: 0 });
      expect(timeseries[1].cost.queue).to.equal('0.000360000000');
    });
  });
});
