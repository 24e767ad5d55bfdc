import { expect } from 'chai';
import { createRunningScenario, expectError, getMetrics, ingest, successOf } from '../support/requests.ts';
import { startTestService } from '../support/test-service.ts';
import { workedAssumptions, workedEntries, workedPipelines } from '../support/worked-pipelines.ts';

interface DesignItem {
  name: string;
  cost: Record<string, string>;
  totals: Record<string, unknown>;
  cost_breakdown: unknown[];
  difference: Record<string, { amount: string }>;
}

describe('designs of a pipeline', () => {
  const service = startTestService();
  let id = '';
  const post = (body?: unknown, query = '', of = id) =>
    service.request('POST', `/api/v1/scenarios/${of}/designs${query}`, body === undefined ? {} : { body });
  const compare = async (body?: unknown, query = '', of = id) => (await successOf(post(body, query, of))).body;

  before(async () => {
    ({ id } = await createRunningScenario(service, { region: 'us-east-1', assumptions: workedAssumptions }));
    expect((await ingest(service, id, workedEntries())).status).to.equal(200);
  });

  it('designs have the usage and cost of the worked examples side by side, without storing anything', async () => {
    const compareWorked = async (isError: boolean, of: string) => {
      const worked = workedPipelines.filter((one) => (one.isError ?? false) === isError);
      const designs = worked.map(({ name, pipeline }) => ({ name, assumptions: { pipeline } }));
      const compared = await compare({ designs }, '', of);
      expect(compared.items.map(({ name }: DesignItem) => name)).to.deep.equal(worked.map(({ name }) => name));
      for (const [index, { cost, name, calls, requests }] of worked.entries()) {
        const item: DesignItem = compared.items[index];
        expect([item.cost.queue, item.cost.function, item.cost.inference], name).to.deep.equal(cost);
        expect(item.totals).to.include({ inference_calls: calls, queue_requests: requests });
      }
      return compared;
    };
    const before = await getMetrics(service, id);
    const { cheapest, present } = await compareWorked(false, id);
    expect(cheapest).to.equal('D9: a sample with retries');
    expect(before.totals).to.deep.include(present.totals);
    expect(await getMetrics(service, id)).to.deep.equal(before);
    const scenario = { region: 'us-east-1', assumptions: workedAssumptions };
    const { id: withErrors } = await createRunningScenario(service, scenario);
    expect((await ingest(service, withErrors, workedEntries(true))).status).to.equal(200);
    await compareWorked(true, withErrors);
  });

  it('five standard designs are shown without a body', async () => {
    const { items, cheapest, present } = await compare();
    const names = ['simple', 'one call a line', '50 lines a call', '50 lines a batch job', 'errors only, 50 a call'];
    expect(items.map(({ name }: DesignItem) => name)).to.deep.equal(names);
    const [simple, single, many, batch, errors]: DesignItem[] = items;
    expect(simple!.totals).to.deep.equal(present.totals);
    expect(simple!.difference.total!.amount).to.equal('0.000000000000');
    expect(single!.totals).to.include({ inference_calls: 600, input_tokens: 510_000, output_tokens: 180_000 });
    // A window of 5 s gathers 5 of these entries, a batch job 50.
    expect(many!.totals).to.include({ inference_calls: 120, input_tokens: 126_000, output_tokens: 36_000 });
    expect(batch!.totals).to.include({ inference_calls: 12, input_tokens: 39_600, output_tokens: 3_600 });
    expect(errors!.totals).to.include({ inference_calls: 0, function_invocations: 120 });
    // No entry of the last one reaches the model.
    expect(cheapest).to.equal('50 lines a batch job');
    const later = await compare({}, '?from=2026-03-05T11:00:00Z');
    expect(later.period.from).to.equal('2026-03-05T11:00:00.000Z');
    expect(later.items[2].totals).to.include({ logs: 0, queue_requests: 0 });
  });

  it('designs show what passes through the pipeline: messages, queue requests by kind, entries of the model', async () => {
    const pipeline = {
      sample_percent: 10,
      retry_percent: 5,
      queue: { send_batch: 10 },
      function: { batch_size: 10, window_seconds: 60 },
      inference: { sample_percent: 50 },
    };
    const errors = { levels: ['error'] };
    const { items, present } = await compare({
      designs: [
        { name: 'sampled', assumptions: { pipeline } },
        { name: 'errors', assumptions: { pipeline: errors } },
      ],
    });
    expect(present.flow).to.deep.equal({ messages: 600, model_entries: 600 });
    // Receives gather one second; 3 of the 60 are of retries.
    expect(items[0].flow).to.deep.equal({ messages: 60, sends: 6, receives: 63, deletes: 10, model_entries: 30 });
    const { sends, receives, deletes } = items[0].flow;
    expect(items[0].totals.queue_requests).to.equal(sends + receives + deletes + items[0].totals.empty_receives);
    expect(items[1].flow).to.deep.equal({ messages: 0, sends: 0, receives: 0, deletes: 0, model_entries: 0 });
  });

  it('a month rests on the seconds that entries cover, and a volume in its place is exact', async () => {
    const { observed, basis, present, items } = await compare();
    expect(observed).to.deep.equal({
      entries: 600,
      first: '2026-03-05T10:00:00.000Z',
      last: '2026-03-05T10:09:59.000Z',
      seconds: 600,
      entries_per_second: 1,
      short: true,
    });
    expect(basis).to.equal('A month of 730 hours at the rate of 600 entries in 10 minutes.');
    expect(present.month_totals).to.include({ logs: 2_628_000, queue_requests: 2_628_000, inference_calls: 2_628_000 });
    expect(present.month).to.include({ queue: '1.051200000000', low: null, high: null });
    expect(present.year.queue).to.equal('12.614400000000');
    expect(items[1].month_difference.queue.amount).to.match(/^\d/);
    for (const [volume, logs, words] of [
      [{ entries_per_month: 1_000_003 }, 1_000_003, 'A month of 1,000,003 entries, as `volume` says.'],
      [{ entries_per_second: 0.5 }, 1_314_000, 'A month at 0.5 entries a second, as `volume` says.'],
    ] as const) {
      const of = await compare({ volume });
      expect(of.present.month_totals.logs).to.equal(logs);
      expect(of.basis).to.equal(words);
      expect(of.observed).to.deep.equal(observed);
    }
  });

  it('a design keeps what it does not name, and null removes the pipeline', async () => {
    const pipeline = { function: { batch_size: 10 } };
    const scenario = await createRunningScenario(service, {
      assumptions: { queue: { type: 'standard', requests_per_message: 3 }, free_tier: true, pipeline },
    });
    const designs = [
      { name: 'same' },
      { name: 'other model', assumptions: { inference: { output_tokens_per_entry: 7 } } },
      { name: 'none', assumptions: { pipeline: null } },
      { name: 'whole', assumptions: { pipeline: { sample_percent: 50 } } },
    ];
    const { items, present } = await compare({ designs }, '', scenario.id);
    const [same, other, none, whole] = items.map(({ assumptions }: { assumptions: object }) => assumptions);
    expect(same).to.deep.equal(present.assumptions);
    expect(other).to.deep.equal({ ...same, inference: { ...same.inference, output_tokens_per_entry: 7 } });
    const { pipeline: _, ...rest } = same;
    expect(none).to.deep.equal(rest);
    expect(whole.pipeline.function.batch_size).to.equal(1);
  });

  it('designs of a FIFO queue with a window take a standard queue', async () => {
    const scenario = await createRunningScenario(service, { assumptions: { queue: { type: 'fifo' } } });
    const { items } = await compare(undefined, '', scenario.id);
    const types = items.map(({ assumptions }: { assumptions: { queue: { type: string } } }) => assumptions.queue.type);
    expect(types).to.deep.equal(['fifo', 'fifo', 'standard', 'standard', 'standard']);
  });

  it('designs can have another region, memory size, architecture and model, as a what-if', async () => {
    const assumptions = {
      function: { memory_mb: 512, architecture: 'arm64' },
      inference: { model: 'amazon.nova-lite-v1:0' },
      free_tier: true,
    };
    const { items, notes } = await compare({ designs: [{ name: 'other', region: 'eu-central-1', assumptions }] });
    // 600 requests, 30 GB-seconds, 600 calls: two of them are free.
    expect(items[0].totals).to.include({ function_gb_seconds: '30.000000000000', queue_requests: 600 });
    expect(items[0].cost).to.include({ queue: '0.000000000000', function: '0.000000000000' });
    // 30,000 and 24,000 tokens at 0.000078 and 0.000312 a thousand.
    expect(items[0].cost.inference).to.equal('0.009828000000');
    expect(items[0].difference.total.amount).to.equal('-0.155657000250');
    expect(notes.join(' ')).to.contain('memory_mb changes the memory size only');
  });

  it('a design whose call does not fit the context window is refused, and a large one has the long price', async () => {
    const sol = 'openai.gpt-5.6-sol';
    const design = (inference: object) => ({
      designs: [{ name: 'large', assumptions: { inference: { model: sol }, pipeline: { inference } } }],
    });
    const refused = await post(design({ prompt_tokens: 1_000_000, output_tokens_per_call: 49_999 }));
    expectError(refused, 400, 'VALIDATION_ERROR', ['designs[0].assumptions.pipeline.inference.prompt_tokens']);
    expect(refused.text).to.contain('1050000 tokens');
    const costOf = async (prompt: number) =>
      Number((await compare(design({ prompt_tokens: prompt, output_tokens_per_call: 0 }))).items[0].cost.inference);
    // Twice the price for a call above 272,000 tokens, of which the entries have 50.
    expect((await costOf(271_951)) / (await costOf(271_950))).to.be.closeTo(2, 0.001);
  });
});
