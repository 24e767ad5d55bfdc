import { expect } from 'chai';
import type { Pipeline } from '../../shared/scenarios/pipeline.ts';
import { createScenario, expectError } from '../support/requests.ts';
import { startTestService } from '../support/test-service.ts';

const haiku = 'anthropic.claude-haiku-4-5-20251001-v1:0';
const novaLite = 'amazon.nova-lite-v1:0';
const titan = 'amazon.titan-embed-text-v2:0';

interface Refused {
  title: string;
  field: string;
  pipeline: unknown;
  /** Other assumptions. */
  queue?: object;
  model?: string;
  /** In a design, it removes the pipeline. */
  removes?: true;
}

const outOfRange: readonly Refused[] = (
  [
    ['sample_percent', [0, 101]],
    ['retry_percent', [-1, 101]],
    ['queue.send_batch', [0, 11]],
    ['queue.pollers', [-1, 1_001]],
    ['function.batch_size', [0, 10_001]],
    ['function.window_seconds', [-1, 301]],
    ['function.overhead_ms', [-1, 900_001]],
    ['function.init_ms', [-1, 900_001]],
    ['function.cold_start_percent', [-1, 101]],
    ['inference.sample_percent', [0, 101]],
    ['inference.entries_per_call', [0, 1_001]],
    ['inference.prompt_tokens', [-1, 1_000_001]],
    ['inference.output_tokens_per_call', [-1, 10_000_001]],
  ] as const
).flatMap(([field, ends]) => {
  const [first = '', second] = field.split('.');
  // With integers of the wrong range, fractions, texts and null are refused.
  return [...ends, 1.5, '5', null].map((value) => ({
    title: `${field} of ${JSON.stringify(value)}`,
    field,
    pipeline: second === undefined ? { [first]: value } : { [first]: { [second]: value } },
  }));
});

const malformed: readonly Refused[] = [
  { title: 'a pipeline that is a list', field: '', pipeline: [] },
  { title: 'a pipeline that is null', field: '', pipeline: null, removes: true },
  { title: 'an unknown field', field: 'batch', pipeline: { batch: 1 } },
  { title: 'an unknown field of the queue', field: 'queue.batch_size', pipeline: { queue: { batch_size: 1 } } },
  { title: 'an unknown field of the function', field: 'function.pollers', pipeline: { function: { pollers: 1 } } },
  { title: 'an unknown field of inference', field: 'inference.model', pipeline: { inference: { model: haiku } } },
  { title: 'no levels', field: 'levels', pipeline: { levels: [] } },
  { title: 'levels that are a text', field: 'levels', pipeline: { levels: 'error' } },
  { title: 'a synonym of a level', field: 'levels[1]', pipeline: { levels: ['error', 'err'] } },
  { title: 'no levels of inference', field: 'inference.levels', pipeline: { inference: { levels: [] } } },
  {
    title: 'a cached prompt that is a text',
    field: 'inference.cache_prompt',
    pipeline: { inference: { cache_prompt: 'true' } },
  },
  { title: 'an unknown tier', field: 'inference.tier', pipeline: { inference: { tier: 'flex' } } },
  { title: 'an unknown profile', field: 'inference.profile', pipeline: { inference: { profile: 'eu' } } },
];

const cached = { cache_prompt: true, prompt_tokens: 5_000 };

const impossible: readonly Refused[] = [
  {
    title: 'more than 10 messages without a window',
    field: 'function.window_seconds',
    pipeline: { function: { batch_size: 11 } },
  },
  {
    title: 'more than 10 messages of a FIFO queue',
    field: 'function.batch_size',
    queue: { type: 'fifo' },
    pipeline: { function: { batch_size: 11 } },
  },
  {
    title: 'a window with a FIFO queue',
    field: 'function.window_seconds',
    queue: { type: 'fifo' },
    pipeline: { function: { window_seconds: 1 } },
  },
  {
    title: 'a cached prompt of a batch job',
    field: 'inference.cache_prompt',
    pipeline: { inference: { ...cached, tier: 'batch' } },
  },
  {
    title: 'a cached prompt of no tokens',
    field: 'inference.cache_prompt',
    pipeline: { inference: { cache_prompt: true } },
  },
  {
    title: 'a cached prompt of a model without a price of cache writes',
    field: 'inference.cache_prompt',
    model: novaLite,
    pipeline: { inference: cached },
  },
  {
    title: 'a cached prompt that is shorter than the model caches',
    field: 'inference.prompt_tokens',
    pipeline: { inference: { ...cached, prompt_tokens: 4_095 } },
  },
  {
    title: 'batch jobs of a model without batch prices',
    field: 'inference.tier',
    model: titan,
    pipeline: { inference: { tier: 'batch' } },
  },
  {
    title: 'the global profile of a model without its price',
    field: 'inference.profile',
    model: titan,
    pipeline: { inference: { profile: 'global' } },
  },
];

const accepted: readonly { title: string; pipeline: Pipeline; queue?: object; model?: string }[] = [
  { title: 'no assumption', pipeline: {} },
  {
    title: 'all assumptions at their greatest that a call can hold',
    pipeline: {
      levels: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'other', 'none'],
      sample_percent: 100,
      retry_percent: 100,
      queue: { send_batch: 10, pollers: 1_000 },
      function: {
        batch_size: 10_000,
        window_seconds: 300,
        overhead_ms: 900_000,
        init_ms: 900_000,
        cold_start_percent: 100,
      },
      inference: {
        levels: ['none'],
        sample_percent: 100,
        entries_per_call: 1_000,
        prompt_tokens: 190_000,
        cache_prompt: true,
        output_tokens_per_call: 10_000,
        tier: 'standard',
        profile: 'global',
      },
    },
  },
  { title: '10 messages without a window', pipeline: { function: { batch_size: 10 } } },
  { title: '10 messages of a FIFO queue', queue: { type: 'fifo' }, pipeline: { function: { batch_size: 10 } } },
  {
    title: 'the shortest cached prompt of a model',
    pipeline: { inference: { ...cached, prompt_tokens: 4_096 } },
  },
  {
    title: 'the shortest cached prompt of another model',
    model: 'anthropic.claude-sonnet-4-6',
    pipeline: { inference: { ...cached, prompt_tokens: 1_024 } },
  },
  {
    title: 'batch jobs at half the price',
    model: 'amazon.nova-micro-v1:0',
    pipeline: { inference: { tier: 'batch' } },
  },
];

describe('the pipeline of a scenario', () => {
  const service = startTestService({ workers: false });
  const assumptionsOf = ({ pipeline, queue, model }: Pick<Refused, 'pipeline' | 'queue' | 'model'>) => ({
    ...(queue && { queue }),
    ...(model === undefined ? {} : { inference: { model } }),
    pipeline,
  });
  const pathOf = (field: string) => `assumptions.pipeline${field === '' ? '' : `.${field}`}`;

  for (const refused of [...outOfRange, ...malformed, ...impossible]) {
    it(`a pipeline is refused at create, at update and in a design with ${refused.title}`, async () => {
      const assumptions = assumptionsOf(refused);
      const fields = [pathOf(refused.field)];
      const body = { name: `refused ${refused.title}`, region: 'us-east-1', assumptions };
      expectError(await service.request('POST', '/api/v1/scenarios', { body }), 400, 'VALIDATION_ERROR', fields);
      expectError(await service.request('POST', '/api/v2/scenarios', { body }), 400, 'VALIDATION_ERROR', fields);
      const { id } = await createScenario(service, { region: 'us-east-1' });
      const path = `/api/v1/scenarios/${id}`;
      expectError(await service.request('PUT', path, { body: { assumptions } }), 400, 'VALIDATION_ERROR', fields);
      expect((await service.request('GET', path)).body.assumptions).to.deep.equal({});
      if (refused.removes) return;
      const designs = [{ name: refused.title, assumptions }];
      const compared = await service.request('POST', `${path}/designs`, { body: { designs } });
      expectError(compared, 400, 'VALIDATION_ERROR', [`designs[0].${fields[0]}`]);
    });
  }

  for (const allowed of accepted) {
    it(`a pipeline is stored as it was sent with ${allowed.title}`, async () => {
      const assumptions = assumptionsOf(allowed);
      const created = await createScenario(service, { region: 'us-east-1', assumptions });
      expect(created.assumptions).to.deep.equal(assumptions);
      const path = `/api/v1/scenarios/${created.id}`;
      const updated = await service.request('PUT', path, { body: { assumptions } });
      expect(updated.status, updated.text).to.equal(200);
      expect((await service.request('GET', path)).body.assumptions).to.deep.equal(assumptions);
    });
  }

  it('is refused at an update of the region, where its prompt cannot be cached', async () => {
    const assumptions = { pipeline: { inference: cached } };
    const { id } = await createScenario(service, { region: 'us-east-1', assumptions });
    const response = await service.request('PUT', `/api/v1/scenarios/${id}`, { body: { region: 'us-gov-west-1' } });
    expectError(response, 400, 'VALIDATION_ERROR', [pathOf('inference.cache_prompt')]);
  });

  it('is refused with every field at fault named', async () => {
    const pipeline = { function: { batch_size: 50 }, inference: { cache_prompt: true, tier: 'batch' } };
    const body = {
      name: 'several faults',
      region: 'us-east-1',
      assumptions: { inference: { model: titan }, pipeline },
    };
    const response = await service.request('POST', '/api/v1/scenarios', { body });
    const fields = ['function.window_seconds', 'inference.tier', 'inference.cache_prompt'].map(pathOf);
    expectError(response, 400, 'VALIDATION_ERROR', fields);
  });
});
