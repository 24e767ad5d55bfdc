// The lines of a cost, one by one, with the price that each names. In this price book, the date of
// the evidence of a price is the price's own key.
import { expect } from 'chai';
import type { ChargeLine } from '../../../shared/cost/charge-line.ts';
import { explainMonths } from '../../../shared/cost/charge-lines.ts';
import { createPriceBook } from '../../../shared/cost/load-price-book.ts';
import { formatExactMoney } from '../../../shared/cost/money.ts';
import { sumMonths } from '../../../shared/cost/monthly-usage.ts';
import { bookLines } from '../../../shared/cost/price-changes/book-lines.ts';
import type { InferenceProfile, InferenceTier } from '../../../shared/scenarios/pipeline.ts';
import { completePipeline } from '../../../shared/scenarios/pipeline.ts';
import type { Period } from '../../../shared/usage/periods.ts';
import type { HourUsage, InferenceCount } from '../../../shared/usage/usage.ts';
import { changedBook } from '../../support/changed-book.ts';
import { buildHour, byDay, firstHour, hourMs } from './build-usage.ts';

const nova = 'amazon.nova-lite-v1:0';
const haiku = 'anthropic.claude-haiku-4-5-20251001-v1:0';
const book = createPriceBook(
  changedBook((file) => {
    file.evidence = Object.fromEntries(
      [...bookLines(file).keys()].map((key) => [
        key,
        { effective_from: null, as_of: key, sources: [file.sources[0]!.id] },
      ]),
    );
  }),
);
const terms = { region: 'us-east-1', fallback: 'us-east-1', freeTier: false, book } as const;
const gbSecond = 1_024_000n;
const cut = new Date(firstHour + 10 * hourMs);

const describeLine = ({ service, item, of, units, amount, ...line }: ChargeLine): string => {
  const cost = amount === null ? 'no price' : formatExactMoney(amount);
  const notes = [line.isFree && 'free', line.isFallback && 'fallback', line.isEstimated && 'estimated'].filter(Boolean);
  const origin = line.origin ? [`${line.origin.region}: ${line.origin.asOf}`] : [];
  return [`${service} ${item} ${of}: ${units} = ${cost}`, ...notes, ...origin].join(', ');
};

async function linesOf(
  hours: readonly HourUsage[],
  pricing: Partial<Parameters<typeof explainMonths>[1]> = {},
  period: Period = {},
): Promise<string[]> {
  const months = [...explainMonths(await sumMonths(byDay(hours), period), { ...terms, ...pricing })];
  return months.flatMap(({ lines }) => lines.map(describeLine));
}

const withTokens = (...inference: InferenceCount[]): HourUsage => ({ ...buildHour(), inference });
const tokens = (model: string, fields: Partial<InferenceCount> = {}): InferenceCount => ({
  model,
  inputTokens: 10n,
  outputTokens: 20n,
  cacheReadTokens: 30n,
  cacheWriteTokens: 40n,
  estimatedEntries: 0n,
  ...fields,
});
const called = (tier: InferenceTier, profile: InferenceProfile = 'regional') =>
  completePipeline({ inference: { tier, profile } });

describe('the lines of a month', () => {
  it('queue types and architectures have lines one after the other, each with its free units first', async () => {
    const hours = [
      buildHour({ queue: 900_000n, invocations: 900_000n, mbMs: 400_001n * gbSecond }),
      buildHour({ at: 1, queue: 150_000n, queueType: 'fifo' }),
      buildHour({ at: 2, invocations: 100_003n, mbMs: gbSecond, architecture: 'arm64' }),
    ];
    expect(await linesOf(hours, { freeTier: true })).to.deep.equal([
      'queue requests standard: 900000 = 0, free',
      'queue requests fifo: 100000 = 0, free',
      'queue requests fifo: 50000 = 0.025, us-east-1: queue us-east-1 fifo request',
      'function invocations x86_64: 900000 = 0, free',
      `function compute x86_64: ${400_000n * gbSecond} = 0, free`,
      'function compute x86_64: 1024000 = 0.0000166667, us-east-1: function us-east-1 x86_64 gb_second',
      'function invocations arm64: 100000 = 0, free',
      'function invocations arm64: 3 = 0.0000006, us-east-1: function us-east-1 requests request',
      'function compute arm64: 1024000 = 0.0000133334, us-east-1: function us-east-1 arm64 gb_second',
    ]);
  });

  it('lines have no more than what the period adds to its month, in tiers and free units too', async () => {
    const usage = {
      queue: 60_000_000_000n,
      invocations: 600_000n,
      mbMs: 300_000n * gbSecond,
      inputTokens: 10n,
      outputTokens: 20n,
    };
    const hours = [buildHour(usage), buildHour({ ...usage, at: 10 })];
    expect(await linesOf(hours, { freeTier: true }, { from: cut })).to.deep.equal([
      'queue requests standard: 40000000000 = 16000, us-east-1: queue us-east-1 standard request',
      'queue requests standard: 20000000000 = 6000, us-east-1: queue us-east-1 standard request',
      'function invocations x86_64: 400000 = 0, free',
      'function invocations x86_64: 200000 = 0.04, us-east-1: function us-east-1 requests request',
      `function compute x86_64: ${100_000n * gbSecond} = 0, free`,
      `function compute x86_64: ${200_000n * gbSecond} = 3.33334, us-east-1: function us-east-1 x86_64 gb_second`,
      `inference input_tokens ${nova}: 10 = 0.0000006, us-east-1: inference us-east-1 ${nova} input`,
      `inference output_tokens ${nova}: 20 = 0.0000048, us-east-1: inference us-east-1 ${nova} output`,
    ]);
  });

  it('lines count no usage of the month before', async () => {
    const hours = [buildHour({ queue: 700_000n }), buildHour({ at: 31 * 24, queue: 700_000n })];
    expect(await linesOf(hours, { freeTier: true }, { from: cut })).to.deep.equal([
      'queue requests standard: 700000 = 0, free',
    ]);
  });

  it('free units pass to a type that comes first', async () => {
    const hours = [
      buildHour({ queue: 900_000n, queueType: 'fifo' }),
      buildHour({ at: 10, queue: 400_000n }),
      buildHour({ at: 11, queue: 1n, queueType: 'fifo' }),
    ];
    expect(await linesOf(hours, { freeTier: true }, { from: cut })).to.deep.equal([
      'queue requests standard: 400000 = 0, free',
      'queue requests fifo: -300000 = 0, free',
      'queue requests fifo: 300001 = 0.1500005, us-east-1: queue us-east-1 fifo request',
    ]);
  });

  it('each kind of tokens has its own price, and one without a price no amount', async () => {
    const hour = withTokens(tokens(nova), tokens(haiku));
    expect(await linesOf([hour])).to.deep.equal([
      `inference input_tokens ${nova}: 10 = 0.0000006, us-east-1: inference us-east-1 ${nova} input`,
      `inference output_tokens ${nova}: 20 = 0.0000048, us-east-1: inference us-east-1 ${nova} output`,
      `inference cache_read_tokens ${nova}: 30 = 0.00000045, us-east-1: inference us-east-1 ${nova} cache_read`,
      `inference cache_write_tokens ${nova}: 40 = no price`,
      `inference input_tokens ${haiku}: 10 = 0.000011, geo: inference geo ${haiku} input`,
      `inference output_tokens ${haiku}: 20 = 0.00011, geo: inference geo ${haiku} output`,
      `inference cache_read_tokens ${haiku}: 30 = 0.0000033, geo: inference geo ${haiku} cache_read`,
      `inference cache_write_tokens ${haiku}: 40 = 0.000055, geo: inference geo ${haiku} cache_write_5m`,
    ]);
  });

  it('lines are estimates where tokens were counted from the message in the period', async () => {
    const row = { cacheReadTokens: 0n, cacheWriteTokens: 0n };
    const counted = tokens(nova, { ...row, estimatedEntries: 1n });
    const later = { ...withTokens(tokens(nova, row)), hour: cut };
    const estimated = [`inference input_tokens ${nova}: 10`];
    const estimatesOf = async (...given: Parameters<typeof linesOf>) =>
      (await linesOf(...given)).filter((line) => line.includes('estimated')).map((line) => line.split(' =')[0]);
    expect(await estimatesOf([withTokens(counted)])).to.deep.equal(estimated);
    expect(await estimatesOf([withTokens(counted), later], {}, { from: cut })).to.deep.equal([]);
    expect(await estimatesOf([later])).to.deep.equal([]);
    const exact = tokens('openai.gpt-oss-20b-1:0', { ...row, estimatedEntries: 1n });
    expect(await estimatesOf([withTokens(exact)])).to.deep.equal([]);
    expect(await estimatesOf([withTokens(exact)], { asModel: nova })).to.deep.equal([
      'inference input_tokens openai.gpt-oss-20b-1:0: 10',
    ]);
  });

  it('lines have the prices of the model, tier and profile that are called', async () => {
    const hour = withTokens(tokens(nova, { cacheReadTokens: 0n, cacheWriteTokens: 0n }));
    expect(await linesOf([hour], { asModel: haiku })).to.deep.equal([
      `inference input_tokens ${nova}: 10 = 0.000011, geo: inference geo ${haiku} input`,
      `inference output_tokens ${nova}: 20 = 0.00011, geo: inference geo ${haiku} output`,
    ]);
    expect(await linesOf([hour], { asModel: haiku, pipeline: called('standard', 'global') })).to.deep.equal([
      `inference input_tokens ${nova}: 10 = 0.00001, estimated, global: inference global ${haiku} input`,
      `inference output_tokens ${nova}: 20 = 0.0001, estimated, global: inference global ${haiku} output`,
    ]);
    expect(await linesOf([hour], { pipeline: called('batch') })).to.deep.equal([
      `inference input_tokens ${nova}: 10 = 0.0000003, estimated, us-east-1: inference us-east-1 ${nova} batch_input`,
      `inference output_tokens ${nova}: 20 = 0.0000024, estimated, us-east-1: inference us-east-1 ${nova} batch_output`,
    ]);
  });

  it('lines of a pipeline are estimates, except free units', async () => {
    const lines = await linesOf([buildHour({ queue: 1_000_001n })], { freeTier: true, pipeline: called('standard') });
    expect(lines).to.deep.equal([
      'queue requests standard: 1000000 = 0, free',
      'queue requests standard: 1 = 0.0000004, estimated, us-east-1: queue us-east-1 standard request',
    ]);
  });

  it('lines have the fallback price where the Region has none, and no amount without a price', async () => {
    const hour = buildHour({ queue: 5n, invocations: 6n, mbMs: gbSecond, inputTokens: 7n });
    expect(await linesOf([hour], { region: 'ca-central-1', asModel: 'no-such-model' })).to.deep.equal([
      'queue requests standard: 5 = 0.000002, fallback, us-east-1: queue us-east-1 standard request',
      'function invocations x86_64: 6 = 0.0000012, ca-central-1: function ca-central-1 requests request',
      'function compute x86_64: 1024000 = 0.0000166667, ca-central-1: function ca-central-1 x86_64 gb_second',
      `inference input_tokens ${nova}: 7 = no price`,
    ]);
    expect(await linesOf([hour], { region: 'gone' })).to.deep.equal([
      'queue requests standard: 5 = no price',
      'function invocations x86_64: 6 = no price',
      'function compute x86_64: 1024000 = no price',
      `inference input_tokens ${nova}: 7 = no price`,
    ]);
  });
});
