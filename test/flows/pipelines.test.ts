import { expect } from 'chai';
import { createSender } from '../support/members.ts';
import { parseCsv, readyReport, sumColumn } from '../support/reports.ts';
import {
  createRunningScenario,
  createScenario,
  expectError,
  getMetrics,
  ingest,
  successOf,
} from '../support/requests.ts';
import { startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';
import { workedAssumptions, workedEntries, workedPipelines } from '../support/worked-pipelines.ts';

const model = 'amazon.nova-lite-v1:0';
const assuming = (output_tokens_per_entry: number) => ({ inference: { model, output_tokens_per_entry } });

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

  describe('assumptions that change after draft', () => {
    const put = async (id: string, assumptions: object, version = 'v1') =>
      (await successOf(service.request('PUT', `/api/${version}/scenarios/${id}`, { body: { assumptions } }))).body;
    const get = (path: string) => successOf(service.request('GET', `/api/v1/${path}`));

    for (const version of ['v1', 'v2']) {
      it(`output tokens of an entry and the pipeline can be changed by ${version}, in every status but archived`, async () => {
        const { id } = await createRunningScenario(service, { assumptions: { ...assuming(1), free_tier: true } });
        const read = async () => (await service.request('GET', `/api/${version}/scenarios/${id}`)).body;
        expect((await read()).assumptions.inference.output_tokens_per_entry).to.equal(1);
        expect((await put(id, { ...assuming(2), free_tier: true }, version)).assumptions).to.deep.equal({
          ...assuming(2),
          free_tier: true,
        });
        expect((await read()).assumptions.inference.output_tokens_per_entry, 'a cached read').to.equal(2);
        for (const pipeline of [{ sample_percent: 50 }, { function: { batch_size: 10 } }]) {
          const assumptions = { ...assuming(2), free_tier: true, pipeline };
          expect((await put(id, assumptions, version)).assumptions).to.deep.equal(assumptions);
        }
        // A default is the same, said or left out.
        await put(id, { ...assuming(2), free_tier: true, queue: { type: 'standard' }, function: {} }, version);
        await service.request('POST', `/api/v1/scenarios/${id}/stop`);
        await put(id, { ...assuming(3), free_tier: true }, version);
        await service.request('POST', `/api/v1/scenarios/${id}/archive`);
        const body = { assumptions: { ...assuming(4), free_tier: true } };
        expectError(await service.request('PUT', `/api/${version}/scenarios/${id}`, { body }), 409, 'INVALID_STATE');
      });

      it(`other assumptions cannot be changed by ${version}, and the error names them`, async () => {
        const own = { ...assuming(1), function: { memory_mb: 512 } };
        const { id } = await createRunningScenario(service, { assumptions: own });
        for (const [assumptions, names] of [
          [{}, ['function.memory_mb', 'inference.model']],
          [{ ...own, free_tier: true }, ['free_tier']],
          [{ ...own, function: { memory_mb: 513 } }, ['function.memory_mb']],
          [{ ...own, inference: { model: 'amazon.nova-micro-v1:0' } }, ['inference.model']],
          [{ ...own, queue: { type: 'fifo', requests_per_message: 2 } }, ['queue.type', 'queue.requests_per_message']],
        ] as const) {
          const refused = await service.request('PUT', `/api/${version}/scenarios/${id}`, { body: { assumptions } });
          expectError(refused, 409, 'INVALID_STATE', ['assumptions']);
          const [{ error }] = refused.body.error.details;
          expect(error).to.match(new RegExp(`^${names.join(' and ')} can only be changed`));
        }
        const read = (await get(`scenarios/${id}`)).body;
        expect(read.assumptions).to.deep.equal(own);
      });
    }

    it('everything that shows output tokens follows a change at once', async () => {
      const { id } = await createRunningScenario(service, { region: 'us-east-1', assumptions: assuming(10) });
      const timestamp = '2026-03-05T10:00:00Z';
      const entries = Array.from({ length: 6 }, (_, index) => ({
        message: `entry ${index}`,
        timestamp: index < 3 ? timestamp : '2026-03-06T12:00:00Z',
        usage: { input_tokens: 0, ...(index === 0 ? { output_tokens: 1_000 } : {}) },
      }));
      const { headers } = await ingest(service, id, entries.slice(1), { headers: { Prefer: 'respond-async' } });
      const job = headers.get('Location')?.replace('/api/v1/', '') ?? '';
      await waitUntil('the job', async () => (await get(job)).body.status === 'completed');
      await ingest(service, id, entries.slice(0, 1));
      const sender = await createSender(service);

      const shown = async () => {
        const metrics = await getMetrics(service, id, '?interval=hour');
        const explanation = (await get(`scenarios/${id}/metrics/explain`)).body;
        const outputLines = explanation.months[0].lines.filter(
          ({ item }: { item: string }) => item === 'output_tokens',
        );
        const body = {
          designs: ['us-west-2', 'us-east-1'].map((region) => ({ name: region, region })),
          volume: { entries_per_month: 6 },
        };
        const designs = (await service.request('POST', `/api/v1/scenarios/${id}/designs`, { body })).body;
        const [usWest, usEast] = designs.items;
        const compared = (await get(`scenarios/compare?ids=${id},${(await createScenario(service)).id}`)).body;
        const jobResponse = await get(job);
        const csv = async (body: object) =>
          parseCsv(
            (await sender.send('GET', `/api/v1/reports/${(await readyReport(sender, id, body)).id}/download`)).text,
          );
        const hours = await csv({ format: 'csv' });
        const entryRows = await csv({ format: 'csv', detail: 'entries' });
        const tokensOf = (rows: Record<string, string>[]) =>
          rows.reduce((sum, { output_tokens: tokens }) => sum + Number(tokens), 0);
        return {
          tokens: [
            metrics.totals.output_tokens,
            metrics.timeseries.reduce((sum: number, row: { output_tokens: number }) => sum + row.output_tokens, 0),
            Number(outputLines[0].quantity),
            explanation.totals.output_tokens,
            usWest.totals.output_tokens,
            designs.present.month_totals.output_tokens,
            tokensOf(hours),
            tokensOf(entryRows),
            jobResponse.body.totals.metrics.output_tokens + 1_000,
          ],
          costs: [metrics.totals.cost, explanation.totals.cost, usEast.cost.total, compared.items[0].cost.total],
          tags: [
            jobResponse.headers.get('ETag'),
            (await get(`scenarios/${id}/charts/cost-over-time.svg`)).headers.get('ETag'),
          ],
        };
      };
      const before = await shown();
      expect(new Set(before.tokens)).to.deep.equal(new Set([1_050]));
      expect(new Set(before.costs).size).to.equal(1);
      // 1,050 tokens at 0.00024 a thousand; queue and function cost 0.0000048500025.
      expect(before.costs[0]).to.equal('0.000256850003');
      await put(id, assuming(200));
      const after = await shown();
      expect(new Set(after.tokens)).to.deep.equal(new Set([2_000]));
      expect(new Set(after.costs)).to.deep.equal(new Set(['0.000484850003']));
      for (const [index, tag] of after.tags.entries()) expect(tag).not.to.equal(before.tags[index]);
    });
  });
});
