import { expect } from 'chai';
import { check } from '../../../api/http/input.ts';
import { assumptionsSchema } from '../../../api/scenarios/assumptions.schema.ts';
import { pipelineErrors } from '../../../shared/cost/pipeline/pipeline-errors.ts';
import { loadPriceBook } from '../../../shared/cost/price-book.ts';
import pipelines from './pipelines.json' with { type: 'json' };

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
  for (const [field, [min = 0, max = 0]] of Object.entries(pipelines.ranges)) {
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

  for (const [what, { field, assumptions }] of Object.entries(pipelines.refused)) {
    it(`is refused with ${what}`, () => {
      expect(refusedFields(assumptions)).to.deep.equal([`assumptions.pipeline${field}`]);
    });
  }

  it('is refused with every field at fault named, and in a region without its prices', () => {
    const pipeline = { function: { batch_size: 50 }, inference: { cache_prompt: true, tier: 'batch' } };
    const fields = ['function.window_seconds', 'inference.tier', 'inference.cache_prompt'];
    expect(refusedFields({ inference: { model: 'amazon.titan-embed-text-v2:0' }, pipeline })).to.deep.equal(
      fields.map((field) => `assumptions.pipeline.${field}`),
    );
    const cached = { inference: { cache_prompt: true, prompt_tokens: 5_000 } };
    expect(refusedFields({ pipeline: cached }, 'us-gov-west-1')).to.deep.equal([
      'assumptions.pipeline.inference.cache_prompt',
    ]);
  });

  for (const [what, assumptions] of Object.entries(pipelines.accepted)) {
    it(`is accepted with ${what}`, () => expect(refusedFields(assumptions)).to.deep.equal([]));
  }
});
