// The lines of a cost, one by one, with the price that each names. In this price book, the date of
// the evidence of a price is the price's own key.

import { expect } from 'chai';
import { bookLines } from '../../../shared/cost/book-lines.ts';
import { formatExactMoney, moneyDecimals, parseDecimal } from '../../../shared/cost/money.ts';
import { createPriceBook } from '../../../shared/cost/price-book.ts';
import type { PriceOverride } from '../../../shared/cost/price-books.model.ts';
import { type ChargeLine, CostSum, createMonthPricer, type MonthTerms } from '../../../shared/cost/price-month.ts';
import { sumMonths } from '../../../shared/cost/scenario-cost.ts';
import type { InferenceProfile, InferenceTier } from '../../../shared/scenarios/pipeline.ts';
import { seededRandom } from '../../../shared/seeded-random.ts';
import { fieldOfModel, type HourCounters, type ModelCounters } from '../../../shared/usage/stored-hour.ts';
import { changedBook } from '../../support/changed-book.ts';
import { randomInteger } from '../../support/random-choices.ts';
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
  const origin = line.source && book.origin(line.source);
  const notes = [
    line.isFree && 'free',
    line.status === 'unverified' && 'fallback',
    line.status === 'estimated' && 'estimated',
  ].filter(Boolean);
  const origins = origin ? [`${line.source?.scope}: ${origin.as_of}`] : [];
  return [`${service} ${item} ${of}: ${units} = ${cost}`, ...notes, ...origins].join(', ');
};

async function linesOf(
  hours: readonly HourCounters[],
  pricing: Partial<MonthTerms> = {},
  { from }: { from?: Date } = {},
): Promise<string[]> {
  const { months } = await sumMonths(byDay(hours), { from });
  const pricers = new Map<number, ReturnType<typeof createMonthPricer>>();
  return months.flatMap((month) => {
    const start = month.first.getUTCMonth();
    const pricer = pricers.get(start) ?? createMonthPricer({ ...terms, ...pricing });
    pricers.set(start, pricer);
    const lines = pricer.add(month);
    return from && month.first < from ? [] : lines.map(describeLine);
  });
}

const withTokens = (...models: HourCounters['inference'][]): HourCounters => ({
  ...buildHour(),
  inference: Object.assign({}, ...models),
});
const tokens = (model: string, fields: Partial<ModelCounters> = {}): HourCounters['inference'] => ({
  [fieldOfModel(model)]: {
    inputTokens: 10n,
    outputTokens: 20n,
    cacheReadTokens: 30n,
    cacheWriteTokens: 40n,
    ...fields,
  },
});
const called = (tier: InferenceTier, profile: InferenceProfile = 'regional') => ({ tier, profile });

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
    const hour = withTokens(tokens(haiku), tokens(nova));
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
    expect(await linesOf([hour], { asModel: haiku, calls: called('standard', 'global') })).to.deep.equal([
      `inference input_tokens ${nova}: 10 = 0.00001, global: inference global ${haiku} input`,
      `inference output_tokens ${nova}: 20 = 0.0001, global: inference global ${haiku} output`,
    ]);
    expect(await linesOf([hour], { calls: called('batch') })).to.deep.equal([
      `inference input_tokens ${nova}: 10 = 0.0000003, us-east-1: inference us-east-1 ${nova} batch_input`,
      `inference output_tokens ${nova}: 20 = 0.0000024, us-east-1: inference us-east-1 ${nova} batch_output`,
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

  it('usage is charged by the published formula, whatever the parts in which it arrives', () => {
    const random = seededRandom(19);
    const integer = (most: number) => BigInt(randomInteger(random, 0, most));
    for (let round = 0; round < 300; round += 1) {
      const freeTier = random() < 0.5;
      const pricer = createMonthPricer({ ...terms, freeTier });
      const used = { standard: 0n, fifo: 0n, x86_64: 0n, arm64: 0n, x86_64MbMs: 0n, arm64MbMs: 0n };
      const lines: ChargeLine[] = [];
      for (let part = 0; part < 6; part += 1) {
        const [queueType, architecture] = [
          random() < 0.5 ? 'standard' : 'fifo',
          random() < 0.5 ? 'x86_64' : 'arm64',
        ] as const;
        const isSmall = random() < 0.5;
        const queue = integer(isSmall ? 600_000 : 90_000_000_000);
        const invocations = integer(600_000);
        const mbMs = integer(isSmall ? 300_000 : 6_000_000_000) * gbSecond + integer(999);
        used[queueType] += queue;
        used[architecture] += invocations;
        used[`${architecture}MbMs`] += mbMs;
        lines.push(...pricer.add(buildHour({ queueType, queue, architecture, invocations, mbMs })));
      }
      const amountOf = (item: string) =>
        lines.reduce((sum, line) => sum + (line.item === item ? (line.amount ?? 0n) : 0n), 0n);
      const free = (units: bigint) => (freeTier ? units : 0n);
      const left = (units: bigint, first: bigint) => (units > first ? units - first : 0n);
      const requests = free(1_000_000n);
      expect(amountOf('requests')).to.equal(
        literalCharge(used.standard, requests, requestLimits, ['0.40', '0.30', '0.24'], 1_000_000n) +
          literalCharge(used.fifo, left(requests, used.standard), requestLimits, ['0.50', '0.40', '0.35'], 1_000_000n),
      );
      const calls = free(1_000_000n);
      expect(amountOf('invocations')).to.equal(
        literalCharge(used.x86_64, calls, [], ['0.20'], 1_000_000n) +
          literalCharge(used.arm64, left(calls, used.x86_64), [], ['0.20'], 1_000_000n),
      );
      const compute = free(400_000n * gbSecond);
      const x86 = ['0.0000166667', '0.000015', '0.0000133334'];
      const arm = ['0.0000133334', '0.0000120001', '0.0000106667'];
      expect(amountOf('compute')).to.equal(
        literalCharge(used.x86_64MbMs, compute, limitsOf(6n, 15n), x86, gbSecond) +
          literalCharge(used.arm64MbMs, left(compute, used.x86_64MbMs), [7_500n, 18_750n].map(millions), arm, gbSecond),
      );
    }
  });

  it('lines are estimates at a price of a second source, but not at an own one', async () => {
    const file = changedBook(({ inference }) => {
      inference.models.find(({ id }) => id === nova)!.status = 'second_source';
    });
    const hours = [withTokens(tokens(nova, { cacheWriteTokens: 0n }))];
    const estimatesWith = async (...overrides: PriceOverride[]) => {
      const lines = await linesOf(hours, { book: { ...createPriceBook(file), overrides } });
      return lines.filter((text) => text.includes('estimated')).map((text) => text.split(' ')[1]);
    };
    expect(await estimatesWith()).to.deep.equal(['input_tokens', 'output_tokens', 'cache_read_tokens']);
    const price = { item: nova, kind: 'input', region: null, amount: '0.0001' } as const;
    const own = {
      id: 'a',
      service: 'inference',
      discountPercent: null,
      price,
      note: '',
      setBy: 'b',
      setAt: new Date(),
    };
    expect(await estimatesWith(own as PriceOverride)).to.deep.equal(['output_tokens', 'cache_read_tokens']);
  });

  it('lines name the tier of their units', () => {
    const lines = createMonthPricer(terms).add(buildHour({ queue: 250_000_000_000n }));
    expect(lines.map(({ tier }) => tier)).to.deep.equal([
      { from: 0n, to: requestLimits[0] },
      { from: requestLimits[0], to: requestLimits[1] },
      { from: requestLimits[1], to: null },
    ]);
  });

  it('lines are estimates, with the reason, if calls were counted by another limit than that of their prices', () => {
    const sol = 'openai.gpt-5.6-sol';
    const countedBy = { model: (id: string) => ({ ...book.model(id)!, long_context_above: 300_000 }) };
    const costOf = (changed: Partial<MonthTerms>) => {
      const lines = createMonthPricer({ ...terms, ...changed }).add(buildHour({ model: sol, inputTokens: 1n }));
      const sum = new CostSum();
      sum.add([...lines, ...lines]);
      return { statuses: lines.map(({ status }) => status), ...sum.cost().services.inference };
    };
    const { statuses, status, remarks } = costOf({ countedBy });
    expect([statuses, status]).to.deep.equal([['estimated'], 'estimated']);
    expect(remarks).to.have.length(1);
    expect(remarks![0]).to.match(/above 272000 tokens have another price, but they were counted by a limit of 300000/);
    for (const sure of [{}, { countedBy, calls: {} }]) {
      const known = costOf(sure);
      expect([known.statuses, known.status]).to.deep.equal([['ok'], 'ok']);
      expect(known).not.to.have.property('remarks');
    }
  });

  it('tokens that were counted for a model with another tokenizer are estimates', async () => {
    const [exact, other] = ['openai.gpt-oss-20b-1:0', 'openai.gpt-oss-120b-1:0'];
    const isEstimate = async (counted: string, asModel: string | undefined, of = book) => {
      const row = tokens(counted, { cacheReadTokens: 0n, cacheWriteTokens: 0n, estimatedEntries: 1n });
      return (await linesOf([withTokens(row)], { asModel, book: of }))[0]?.includes('estimated');
    };
    expect(await isEstimate(exact, undefined)).to.equal(false);
    expect(await isEstimate(exact, other)).to.equal(false);
    expect(await isEstimate('no-such-model', exact)).to.equal(true);
    const multiplied = createPriceBook(
      changedBook((file) => {
        file.inference.models.find(({ id }) => id === other)!.tokenizer.multiplier = '1.1';
      }),
    );
    expect(await isEstimate(exact, other, multiplied)).to.equal(true);
    expect(await isEstimate(other, undefined, multiplied)).to.equal(false);
  });
});

const millions = (gbSeconds: bigint) => gbSeconds * 1_000_000n * gbSecond;
const limitsOf = (...billions: bigint[]) => billions.map((count) => millions(count * 1_000n));
const requestLimits = [100_000_000_000n, 200_000_000_000n];

/** Σ over tiers max(0, min(used, to) − max(from, free)) × price. */
function literalCharge(used: bigint, free: bigint, limits: readonly bigint[], prices: readonly string[], per: bigint) {
  let sum = 0n;
  for (const [index, price] of prices.entries()) {
    const from = limits[index - 1] ?? 0n;
    const to = limits[index] ?? used;
    const upper = used < to ? used : to;
    const lower = from > free ? from : free;
    if (upper > lower) sum += ((upper - lower) * parseDecimal(price, moneyDecimals)) / per;
  }
  return sum;
}
