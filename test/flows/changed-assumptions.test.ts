import { expect } from 'chai';
import { createSender } from '../support/members.ts';
import { parseCsv, readyReport } from '../support/reports.ts';
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

const model = 'amazon.nova-lite-v1:0';
const assuming = (output_tokens_per_entry: number) => ({ inference: { model, output_tokens_per_entry } });

describe('assumptions that change after draft', () => {
  const service = startTestService();
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
      const outputLines = explanation.months[0].lines.filter(({ item }: { item: string }) => item === 'output_tokens');
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
