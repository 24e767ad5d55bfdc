import { expect } from 'chai';
import { createRunningScenario, expectError, getMetrics, ingest } from '../support/requests.ts';
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
  const compare = async (body?: unknown, query = '', of = id) => {
    const response = await post(body, query, of);
    expect(response.status, response.text).to.equal(200);
    return response.body;
  };

  before(async () => {
    ({ id } = await createRunningScenario(service, { region: 'us-east-1', assumptions: workedAssumptions }));
    expect((await ingest(service, id, workedEntries())).status).to.equal(200);
  });

  it('designs have the usage and cost of the worked examples side by side, without storing anything', async () => {
    const worked = workedPipelines.filter(({ isError }) => !isError);
    const designs = worked.map(({ name, pipeline }) => ({ name, assumptions: { pipeline } }));
    const before = await getMetrics(service, id);
    const { items, cheapest, present } = await compare({ designs });
    expect(items.map(({ name }: DesignItem) => name)).to.deep.equal(worked.map(({ name }) => name));
    for (const [index, { cost, name, calls, requests }] of worked.entries()) {
      const item: DesignItem = items[index];
      expect([item.cost.queue, item.cost.function, item.cost.inference], name).to.deep.equal(cost);
      expect(item.totals).to.include({ inference_calls: calls, queue_requests: requests });
    }
    expect(cheapest).to.equal('D9: a sample with retries');
    expect(before.totals).to.deep.include(present.totals);
    expect(await getMetrics(service, id)).to.deep.equal(before);
  });

  it('five standard designs are shown without a body', async () => {
    for (const body of [undefined, {}]) {
      const { items, cheapest, present } = await compare(body);
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
    }
    const empty = await service.request('POST', `/api/v1/scenarios/${id}/designs`, {
      headers: { 'Content-Type': 'application/json' },
      body: '',
    });
    expect(empty.status, empty.text).to.equal(200);
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

  it('designs cost in a month what the projection says, and null if the entries are of one hour', async () => {
    expect((await compare()).present.month).to.equal(null);
    const pipeline = { function: { batch_size: 50, window_seconds: 5 }, inference: { entries_per_call: 50 } };
    const hours = (starts: number[]) =>
      starts.flatMap((start) =>
        [0, 1, 2, 600].map((second) => ({
          message: 'x',
          timestamp: new Date(start + second * 1_000).toISOString(),
          usage: { input_tokens: 50 },
        })),
      );
    const thisHour = Math.floor(Date.now() / 3_600_000) * 3_600_000;
    // The last hour is not over, even if the present one ends during the test.
    const times = [-30, -28, -5, 1].map((hour) => thisHour + hour * 3_600_000);
    for (const assumptions of [{}, { pipeline }]) {
      const { id: scenario } = await createRunningScenario(service, { assumptions });
      expect((await ingest(service, scenario, hours(times))).status).to.equal(200);
      const projection = async (query: string) => {
        const { body } = await service.request('GET', `/api/v1/scenarios/${scenario}/projection${query}`);
        return body.month.totals.cost;
      };
      const iso = (hour: number) => new Date(thisHour + hour * 3_600_000).toISOString();
      // An hour that is not over does not tell the rate of a pipeline.
      const whole = `?to=${iso(-1)}`;
      const { present, items } = await compare(undefined, '', scenario);
      expect(present.month.total).to.equal(await projection(whole));
      expect(items[0].month.total).to.equal((await compare(undefined, whole, scenario)).items[0].month.total);
      const part = `?from=${iso(-29)}&to=${iso(-2)}`;
      expect((await compare(undefined, part, scenario)).present.month.total).to.equal(await projection(part));
      expect((await compare(undefined, `?from=${iso(-6)}`, scenario)).present.month).to.equal(null);
    }
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
    const { items } = await compare({ designs: [{ name: 'other', region: 'eu-central-1', assumptions }] });
    const query = 'region=eu-central-1&memory_mb=512&architecture=arm64&model=amazon.nova-lite-v1:0&free_tier=true';
    const { body } = await service.request('GET', `/api/v1/scenarios/${id}/estimate?${query}`);
    expect(items[0].totals).to.deep.equal(body.estimate.totals);
    expect(items[0].cost_breakdown).to.deep.equal(body.estimate.cost_breakdown);
    expect(items[0].difference).to.deep.equal(body.difference);
    const derived = await compare({ designs: [{ name: 'other', assumptions: { ...assumptions, pipeline: {} } }] });
    // 600 invocations of 100 ms with 512 MB.
    expect(derived.items[0].totals).to.include({ function_gb_seconds: '30.000000000000' });
  });

  it('designs are limited to a period', async () => {
    const { items, period } = await compare({}, '?from=2026-03-05T11:00:00Z');
    expect(items[2].totals).to.include({ logs: 0, queue_requests: 0 });
    expect(period.from).to.equal('2026-03-05T11:00:00.000Z');
  });

  it('invalid designs are refused with the field named', async () => {
    const design = { name: 'one', assumptions: {} };
    const refusals: [unknown, string][] = [
      [{ designs: [] }, 'designs'],
      [{ designs: Array.from({ length: 11 }, (_, index) => ({ ...design, name: `${index}` })) }, 'designs'],
      [{ designs: [design, design] }, 'designs[1]'],
      [{ designs: [{ assumptions: {} }] }, 'designs[0].name'],
      [{ designs: [{ name: 'one' }] }, 'designs[0].assumptions'],
      [{ designs: [{ ...design, region: 'nowhere' }] }, 'designs[0].region'],
      [{ designs: [{ ...design, cost: 1 }] }, 'designs[0].cost'],
      [{ designs: [{ ...design, assumptions: { pipeline: { batch: 1 } } }] }, 'designs[0].assumptions.pipeline.batch'],
      [
        { designs: [{ ...design, assumptions: { pipeline: { function: { batch_size: 50 } } } }] },
        'designs[0].assumptions.pipeline.function.window_seconds',
      ],
      [
        {
          designs: [
            design,
            {
              name: 'two',
              region: 'us-gov-west-1',
              assumptions: { pipeline: { inference: { cache_prompt: true, prompt_tokens: 9 } } },
            },
          ],
        },
        'designs[1].assumptions.pipeline.inference.cache_prompt',
      ],
      [
        { designs: [{ ...design, assumptions: { function: { duration_ms: 50 } } }] },
        'designs[0].assumptions.function.duration_ms',
      ],
      [{ unknown: 1 }, 'unknown'],
    ];
    for (const [body, field] of refusals) expectError(await post(body), 400, 'VALIDATION_ERROR', [field]);
    expectError(await post({}, '', '6f6fb4b1-5c0e-4d3c-9a53-3f2b8a6f1c11'), 404, 'NOT_FOUND');
  });
});
