import { expect } from 'chai';
import { check } from '../../../api/http/validate.ts';
import { assumptionsSchema } from '../../../api/scenarios/assumptions.schema.ts';
import { pipelineErrors } from '../../../shared/cost/pipeline/pipeline-errors.ts';
import { loadPriceBook } from '../../../shared/cost/price-book.ts';

const book = loadPriceBook();
const schema = assumptionsSchema(book);

/** Checks the fields of assumptions first, and then their combination, as a scenario does. */
function refusedFields(assumptions: object, region = 'us-east-1'): string[] {
  const checked = check(schema, assumptions);
  if ('errors' in checked) return checked.errors.map(({ field }) => `assumptions.${field}`);
  return pipelineErrors({ region, assumptions }, book).map(({ field }) => field);
}

/** A pipeline with one field. */
function pipelineWith(field: string, value: unknown): object {
  const [first = '', second] = field.split('.');
  return { [first]: second === undefined ? value : { [second]: value } };
}

describe('the pipeline of a scenario', () => {
  for (const [field, min, max] of [
    ['sample_percent', 1, 100],
    ['retry_percent', 0, 100],
    ['queue.send_batch', 1, 10],
    ['queue.pollers', 0, 1_000],
    ['function.batch_size', 1, 10_000],
    ['function.window_seconds', 0, 300],
    ['function.overhead_ms', 0, 900_000],
    ['function.init_ms', 0, 900_000],
    ['function.cold_start_percent', 0, 100],
    ['inference.sample_percent', 1, 100],
    ['inference.entries_per_call', 1, 1_000],
    ['inference.prompt_tokens', 0, 1_000_000],
    ['inference.output_tokens_per_call', 0, 10_000_000],
  ] as const) {
    it(`takes integers from ${min} to ${max} as ${field}`, () => {
      const errorsOf = (value: unknown) => check(schema, { pipeline: pipelineWith(field, value) });
      for (const value of [min, max]) expect(errorsOf(value)).not.to.have.property('errors');
      for (const value of [min - 1, max + 1, min + 0.5, String(max), null]) {
        expect(refusedFields({ pipeline: pipelineWith(field, value) })).to.deep.equal([
          `assumptions.pipeline.${field}`,
        ]);
      }
    });
  }

  const cached = { cache_prompt: true, prompt_tokens: 5_000 };
  const fifo = { queue: { type: 'fifo' } };
  const of = (model: string) => ({ inference: { model } });
  const titan = of('amazon.titan-embed-text-v2:0');

  const refused: [what: string, field: string, pipeline: unknown, others?: object][] = [
    ['a list', '', []],
    ['null', '', null],
    ['an unknown field', '.batch', { batch: 1 }],
    ['an unknown field of the queue', '.queue.batch_size', { queue: { batch_size: 1 } }],
    ['an unknown field of inference', '.inference.model', { inference: { model: 'any' } }],
    ['no levels', '.levels', { levels: [] }],
    ['levels that are a text', '.levels', { levels: 'error' }],
    ['a synonym of a level', '.levels[1]', { levels: ['error', 'err'] }],
    ['a cached prompt that is a text', '.inference.cache_prompt', { inference: { cache_prompt: 'true' } }],
    ['an unknown tier', '.inference.tier', { inference: { tier: 'flex' } }],
    ['an unknown profile', '.inference.profile', { inference: { profile: 'eu' } }],
    ['an unknown life of the cache', '.inference.cache_ttl', { inference: { ...cached, cache_ttl: '2h' } }],
    ['more than 10 messages without a window', '.function.window_seconds', { function: { batch_size: 11 } }],
    ['more than 10 messages of a FIFO queue', '.function.batch_size', { function: { batch_size: 11 } }, fifo],
    ['a window with a FIFO queue', '.function.window_seconds', { function: { window_seconds: 1 } }, fifo],
    ['a cached prompt of a batch job', '.inference.cache_prompt', { inference: { ...cached, tier: 'batch' } }],
    ['a cached prompt of no tokens', '.inference.cache_prompt', { inference: { cache_prompt: true } }],
    [
      'a cached prompt of a model without a price of cache writes',
      '.inference.cache_prompt',
      { inference: cached },
      of('amazon.nova-lite-v1:0'),
    ],
    [
      'a cached prompt that is shorter than the model caches',
      '.inference.prompt_tokens',
      { inference: { ...cached, prompt_tokens: 4_095 } },
    ],
    ['batch jobs of a model without batch prices', '.inference.tier', { inference: { tier: 'batch' } }, titan],
    ['the global profile of a model without it', '.inference.profile', { inference: { profile: 'global' } }, titan],
  ];
  for (const [what, field, pipeline, others] of refused) {
    it(`is refused with ${what}`, () => {
      expect(refusedFields({ ...others, pipeline })).to.deep.equal([`assumptions.pipeline${field}`]);
    });
  }

  it('is refused with every field at fault named, and in a region without its prices', () => {
    const pipeline = { function: { batch_size: 50 }, inference: { cache_prompt: true, tier: 'batch' } };
    const fields = ['function.window_seconds', 'inference.tier', 'inference.cache_prompt'];
    expect(refusedFields({ ...titan, pipeline })).to.deep.equal(fields.map((field) => `assumptions.pipeline.${field}`));
    expect(refusedFields({ pipeline: { inference: cached } }, 'us-gov-west-1')).to.deep.equal([
      'assumptions.pipeline.inference.cache_prompt',
    ]);
  });

  const accepted: [what: string, pipeline: object, others?: object][] = [
    ['no assumption', {}],
    ['10 messages without a window', { function: { batch_size: 10 } }],
    ['10 messages of a FIFO queue', { function: { batch_size: 10 } }, fifo],
    ['the shortest cached prompt', { inference: { ...cached, prompt_tokens: 4_096 } }],
    ['that of another model', { inference: { ...cached, prompt_tokens: 1_024 } }, of('anthropic.claude-sonnet-4-6')],
    ['batch jobs at half the price', { inference: { tier: 'batch' } }, of('amazon.nova-micro-v1:0')],
  ];
  for (const [what, pipeline, others] of accepted) {
    it(`is accepted with ${what}`, () => expect(refusedFields({ ...others, pipeline })).to.deep.equal([]));
  }
});
