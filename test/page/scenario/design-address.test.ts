import { expect } from 'chai';
import { formatDesign, parseDesign } from '../../../page/scenario/design/design-address.ts';
import { type Assumptions, applyDefaults } from '../../../shared/scenarios/assumptions.ts';

const present = applyDefaults({});
const gathered: Assumptions = {
  pipeline: {
    levels: ['error'],
    function: { batch_size: 50, window_seconds: 5 },
    inference: { output_tokens_per_call: 300 },
  },
};
const queryOf = (parameters: Record<string, string | undefined>) =>
  new URLSearchParams(
    Object.entries(parameters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );

describe('a design in an address', () => {
  it('is read as it was written, with, without and beside a pipeline of the scenario', () => {
    const designs: Assumptions[] = [
      {},
      { inference: { output_tokens_per_entry: 7 }, free_tier: true },
      gathered,
      { pipeline: { ...gathered.pipeline, inference: {} } },
    ];
    for (const base of [present, applyDefaults(gathered)]) {
      for (const design of designs.map(applyDefaults)) {
        expect(parseDesign(queryOf(formatDesign(design, base)), base)).to.deep.equal(design);
      }
    }
    expect(formatDesign(present, present)).to.deep.equal({ design: undefined });
  });

  it('has nothing of a malformed address but its valid fields', () => {
    const parse = (design: string) => parseDesign(queryOf({ design }), present);
    for (const text of [
      '',
      '{',
      '[]',
      '7',
      'null',
      '{"queue":7,"other":{"a":1}}',
      '{"__proto__":{"free_tier":true}}',
    ]) {
      expect(parse(text), text).to.deep.equal(present);
    }
    const mixed = parse(
      '{"function":{"memory_mb":256,"architecture":7},"pipeline":{"levels":"error","retry_percent":5}}',
    );
    expect(mixed.function).to.deep.equal({ ...present.function, memory_mb: 256 });
    expect(mixed.pipeline).to.deep.include({
      retry_percent: 5,
      levels: applyDefaults({ pipeline: {} }).pipeline?.levels,
    });
  });
});
