import { expect } from 'chai';
import { formatDesign, parseDesign } from '../../../page/scenario/design/design-address.ts';
import { parseTerms } from '../../../page/scenario/terms.ts';
import { isRate, parseVolume, queryOf } from '../../../page/scenario/volume.ts';
import { type Assumptions, applyDefaults } from '../../../shared/scenarios/assumptions.ts';

const query = (changes: Readonly<Record<string, string | undefined>>) =>
  new URLSearchParams(Object.entries(changes).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));

describe('a design in the address', () => {
  const presents: Assumptions[] = [
    {},
    { price_book: '2026-11-01-0123456789ab', pipeline: { levels: ['error'], queue: { pollers: 0 } } },
  ];
  const designs: Assumptions[] = [
    {},
    { pipeline: {} },
    { queue: { type: 'fifo' }, function: { memory_mb: 512 }, inference: { model: 'a.model-1:0' }, free_tier: true },
    {
      pipeline: {
        levels: [],
        sample_percent: 10,
        function: { batch_size: 50, window_seconds: 5 },
        inference: { levels: ['info', 'fatal'], cache_prompt: true, tier: 'batch', output_tokens_per_call: 300 },
      },
    },
  ];

  it('returns from the address as it was, whatever the scenario has', () => {
    for (const present of presents.map(applyDefaults)) {
      for (const assumptions of designs) {
        const { price_book } = present;
        const design = applyDefaults({ ...assumptions, price_book });
        const address = query(formatDesign(design, present, new URLSearchParams()));
        expect(parseDesign(address, present), address.toString()).to.deep.equal(design);
      }
    }
  });

  it('is empty for the design of the scenario, and takes earlier settings out', () => {
    const present = applyDefaults({});
    const earlier = new URLSearchParams('period=day&design.pipeline=yes&design.pipeline.queue.pollers=1');
    expect(formatDesign(present, present, earlier)).to.deep.equal({
      'design.pipeline': undefined,
      'design.pipeline.queue.pollers': undefined,
    });
  });

  it('has only settings that are well-formed', () => {
    const malformed = {
      'design.queue.type': 'lifo',
      'design.function.memory_mb': '1e400',
      'design.inference.model': '<b>',
      'design.free_tier': 'maybe',
      'design.pipeline.levels': 'error,loud',
      'design.pipeline.queue.pollers': '',
      'design.pipeline.inference.tier': 'free',
      'design.__proto__.polluted': '1',
      'design.constructor': '1',
    };
    expect(parseDesign(query(malformed), applyDefaults({}))).to.deep.equal(applyDefaults({}));
  });

  it('a design in the address can have a setting that the API refuses, so that the page says why', () => {
    const address = new URLSearchParams('design.pipeline.queue.pollers=-5');
    expect(parseDesign(address, applyDefaults({})).pipeline?.queue.pollers).to.equal(-5);
  });
});

describe('the terms of a what-if in the address', () => {
  it('terms are read by their types', () => {
    const address = 'region=us-east-1&memory_mb=512&free_tier=false&queue_type=fifo';
    expect(parseTerms(new URLSearchParams(address))).to.deep.equal({
      region: 'us-east-1',
      memory_mb: 512,
      free_tier: false,
      queue_type: 'fifo',
    });
  });

  it('malformed terms are left out', () => {
    const address = `region=${'a'.repeat(101)}&model=%3Cb%3E&memory_mb=-1&free_tier=&queue_type=lifo&toString=1`;
    expect(parseTerms(new URLSearchParams(address))).to.deep.equal({});
  });
});

describe('the volume of a projection in the address', () => {
  it('a volume returns as it was', () => {
    const volumes = [
      { basis: 'observed', perMonth: 1_000_000, perSecond: '10' },
      { basis: 'entries_per_month', perMonth: 250, perSecond: '10' },
      { basis: 'entries_per_second', perMonth: 1_000_000, perSecond: '0.5' },
      { basis: 'entries_per_second', perMonth: 1_000_000, perSecond: '' },
      { basis: 'entries_per_second', perMonth: 1_000_000, perSecond: '1e5' },
      { basis: 'entries_per_second', perMonth: 1_000_000, perSecond: '-1' },
    ] as const;
    for (const volume of volumes) expect(parseVolume(query(queryOf(volume)), true)).to.deep.equal(volume);
  });

  it('is asked for only where its rate is above 0', () => {
    expect([undefined, '0.5', '1e5'].every(isRate)).to.equal(true);
    expect(['', '-5', '0', '-', 'e'].some(isRate)).to.equal(false);
  });

  it('is a default where it is malformed or no rate was observed', () => {
    const malformed = query({ entries_per_month: '1e9', entries_per_second: 'many' });
    expect(parseVolume(malformed, true).basis).to.equal('observed');
    expect(parseVolume(malformed, false).basis).to.equal('entries_per_month');
  });
});
