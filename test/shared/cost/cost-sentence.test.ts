import { expect } from 'chai';
import {
  costPartsByShare,
  costSentence,
  type SentenceInput,
  sentenceText,
} from '../../../shared/cost/cost-sentence.ts';
import { type Assumptions, applyDefaults } from '../../../shared/scenarios/assumptions.ts';

const haiku = 'anthropic.claude-haiku-4-5-20251001-v1:0';
const sonnet = 'anthropic.claude-sonnet-4-5-20250929-v1:0';
const models = [
  { id: haiku, name: 'Claude Haiku 4.5' },
  { id: sonnet, name: 'Claude Sonnet 4.5' },
];

type Line = SentenceInput['explanation']['months'][number]['lines'][number];

const line = (item: string, quantity: string, amount: string | null, of = 'standard'): Line => ({
  service: item.endsWith('tokens') ? 'inference' : item === 'requests' ? 'queue' : 'function',
  item,
  of,
  quantity,
  amount,
});

const lines = [
  line('requests', '1000', '0.0004'),
  line('compute', '12.5', '0.0002'),
  line('input_tokens', '37332', '0.0540', haiku),
  line('output_tokens', '100000', '0.55', haiku),
];

function design(total: string | null, month: string | null, assumptions: Assumptions = {}, logs = 1000) {
  return {
    assumptions: applyDefaults(assumptions),
    cost: { total },
    month: month === null ? null : { total: month },
    month_totals: month === null ? null : { logs: 221_212 },
    totals: { logs, incomplete: false, status: 'estimated' },
    flow: { model_entries: logs },
  };
}

const gathered: Assumptions = { pipeline: { function: { batch_size: 50, window_seconds: 5 } } };
const batchJob = { name: '50 lines a batch job', ...design('0.060000000000', '13.100000000000', gathered) };
const errorsOnly = {
  name: 'errors only, 50 a call',
  ...design('0.010000000000', '2.200000000000', { pipeline: { inference: { levels: ['error'] } } }),
  flow: { model_entries: 41 },
};
const totals = {
  logs: 1000,
  cost: '0.604600000000',
  incomplete: false,
  usage_unread: 0,
  unpriced: [],
  pending_entries: 0,
  failed_entries: 0,
};

const input: SentenceInput = {
  metrics: { totals },
  explanation: { assumptions: applyDefaults({}), months: [{ lines }] },
  designs: {
    observed: { entries: 1000, seconds: 11_880, short: false },
    present: design('0.604600000000', '133.400000000000'),
    items: [{ name: 'simple', ...design('0.604600000000', '133.400000000000') }, batchJob],
  },
  models,
};

type Changes = { [Part in 'metrics' | 'explanation' | 'designs']?: Partial<SentenceInput[Part]> } & {
  hasVolume?: boolean;
};
const sentence = ({ metrics, explanation, designs, ...rest }: Changes = {}) =>
  sentenceText(
    costSentence({
      ...input,
      metrics: { ...input.metrics, ...metrics },
      explanation: { ...input.explanation, ...explanation },
      designs: { ...input.designs, ...designs },
      ...rest,
    }),
  );

describe('the sentence about a cost', () => {
  it('names the cost, the month, the largest part, its assumption and the cheapest design', () => {
    expect(sentence()).to.equal(
      '$0.60 for these 1,000 entries; about $133 a month at their rate (3.3 hours observed). ' +
        '91 % is the output of Claude Haiku 4.5: 100 tokens an entry, assumed. ' +
        'Fifty entries a batch job would cost about $13 a month.',
    );
    const topics = costSentence(input).map(({ topic }) => topic);
    expect(topics).to.deep.equal(['cost', 'month', 'part', 'assumption', 'design']);
  });

  it('says for a volume how many entries the month has', () => {
    expect(sentence({ hasVolume: true })).to.contain('; about $133 a month of 221,212 entries.');
  });

  it('says what is not known: prices, usages, a short span, entries that are not counted', () => {
    const unknown = {
      ...totals,
      incomplete: true,
      usage_unread: 12,
      unpriced: [{ model: 'gpt-4o', calls: 34 }],
      pending_entries: 1,
      failed_entries: 2,
    };
    const text = sentence({
      metrics: { totals: unknown },
      explanation: { months: [{ lines: [...lines, line('output_tokens', '5', null, sonnet)] }] },
      designs: { observed: { entries: 1000, seconds: 11_880, short: true } },
    });
    expect(text).to.match(/^At least \$0\.60 for these 1,000 entries; at least \$133 a month/);
    expect(text).to.match(
      /No price is known for the output of Claude Sonnet 4\.5\. 34 calls of gpt-4o have no price\. 12 entries had a usage that was not understood, so it is estimated\. 1 entry is not counted yet\. 2 entries could not be processed\. Less than a day is observed, so the month is rough\.$/,
    );
  });

  it('says that a log of one second has no month, and compares the entries in its place', () => {
    const text = sentence({
      designs: {
        observed: { entries: 1000, seconds: null, short: true },
        present: design('0.604600000000', null),
        items: [{ ...batchJob, month: null }],
      },
    });
    expect(text).to.match(/^\$0\.60 for these 1,000 entries\. All of them are of one second, which has no rate/);
    expect(text).to.match(/Fifty entries a batch job would cost \$0\.06 for these entries\.$/);
  });

  it('names a design that leaves entries out together with the cheapest one that does not', () => {
    expect(sentence({ designs: { items: [batchJob, errorsOnly] } })).to.match(
      /Errors only, fifty a call, would cost about \$2\.20 a month, with 41 of 1,000 entries for the model\. Fifty entries a batch job: about \$13 a month\.$/,
    );
  });

  it('recommends no design that costs as much, and none beside a cost that is incomplete', () => {
    expect(sentence({ designs: { items: input.designs.items.slice(0, 1) } })).to.match(
      /No standard design costs less\.$/,
    );
    const missing = { logs: 1000, incomplete: true, status: 'missing' };
    const present = { ...input.designs.present, totals: missing };
    expect(sentence({ designs: { present } }))
      .not.to.contain('design')
      .and.not.to.contain('Fifty');
    // Models without a price are missing in all designs alike.
    const unpriced = { ...missing, status: 'estimated' };
    const alike = { present: { ...present, totals: unpriced }, items: [{ ...batchJob, totals: unpriced }] };
    expect(sentence({ designs: alike })).to.contain('Fifty entries a batch job would cost about $13 a month.');
  });

  it('names no assumption for tokens that another model has reported', () => {
    const reported = [...lines, line('output_tokens', '73647', '1.2', `${sonnet} geo`)];
    expect(sentence({ explanation: { months: [{ lines: reported }] } })).to.contain(
      '66 % is the output of Claude Sonnet 4.5: as reported.',
    );
  });

  it('adds the profiles of a model and the months, and says when only some output is reported', () => {
    const more = line('output_tokens', '500', '0.00275', `${haiku} geo`);
    const text = sentence({ explanation: { months: [{ lines }, { lines: [more] }] } });
    expect(text).to.contain(
      '91 % is the output of Claude Haiku 4.5: as reported, or 100 tokens an entry where nothing is.',
    );
  });

  it('names the assumptions of a pipeline: its instruction, its output and its pollers', () => {
    const pipeline = { queue: { pollers: 7 }, inference: { prompt_tokens: 800, output_tokens_per_call: 300 } };
    const parts = [
      { part: 'prompt_tokens', quantity: '800000' },
      { part: 'empty_receives', quantity: '9000' },
    ];
    const of = (largest: Line) =>
      sentence({
        explanation: { assumptions: applyDefaults({ pipeline }), months: [{ lines: [largest], pipeline: parts }] },
      });
    expect(of(line('input_tokens', '837332', '0.9', haiku))).to.contain(
      '100 % is the input of Claude Haiku 4.5: an instruction of 800 tokens a call, assumed.',
    );
    expect(of(line('output_tokens', '300000', '0.9', haiku))).to.contain(': 300 tokens a call, assumed.');
    expect(of(line('requests', '9900', '0.9'))).to.contain(
      'the requests of the queue: 7 pollers, mostly without a message.',
    );
  });

  it('lists the parts in the order of their share', () => {
    expect(costPartsByShare(input).map(({ name }) => name)).to.deep.equal([
      'the output of Claude Haiku 4.5',
      'the input of Claude Haiku 4.5',
      'the requests of the queue',
      'the time of the function',
    ]);
  });

  it('says that there are no entries, and how many wait', () => {
    const none = { ...totals, logs: 0, cost: '0.000000000000' };
    expect(sentence({ metrics: { totals: none } })).to.match(/^No entries yet\./);
    expect(sentence({ metrics: { totals: { ...none, pending_entries: 3 } } })).to.contain(
      'No entries yet. 3 entries are not counted yet.',
    );
  });
});
