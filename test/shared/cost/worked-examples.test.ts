// Costs with all their digits, calculated by hand.
import { expect } from 'chai';
import { strictRules } from '../../../api/ingest/strict-entry.ts';
import { createEntryPricer, type EntryCost, type PricedUsage } from '../../../shared/cost/entry-cost.ts';
import { formatMoney, mbMsPerGbSecond, moneyDecimals, parseDecimal } from '../../../shared/cost/money.ts';
import { MonthPricer } from '../../../shared/cost/price-month.ts';
import type { ScenarioPricing } from '../../../shared/cost/scenario-cost.ts';
import { type InferenceTerms, tokenPrice } from '../../../shared/cost/token-price.ts';
import { createTokenCounter } from '../../../shared/metering/count-tokens.ts';
import { entrySize, type MeterableEntry, meterEntry } from '../../../shared/metering/meter-entry.ts';
import { readTokenRanks } from '../../../shared/metering/token-ranks.ts';
import {
  type Architecture,
  type Assumptions,
  applyDefaults,
  type QueueType,
} from '../../../shared/scenarios/assumptions.ts';
import { billedMs } from '../../../shared/usage/entry-usage.ts';
import { queueRequests } from '../../../shared/usage/queue-requests.ts';
import type { InferenceCount } from '../../../shared/usage/usage.ts';
import { book, buildEntryUsage, buildHour, firstHour, priceOf, type UsageOverrides } from './build-usage.ts';

const meterTools = {
  tokenMultipliers: book.tokenMultipliers,
  callLimits: book.callLimits,
  countTokens: createTokenCounter(readTokenRanks()),
};
const fallback = 'us-east-1';
const freeTier: Partial<ScenarioPricing> = { assumptions: { free_tier: true } };
const sonnet45 = 'anthropic.claude-sonnet-4-5-20250929-v1:0';
const haiku45 = 'anthropic.claude-haiku-4-5-20251001-v1:0';

describe('worked examples', () => {
  describe('queue, single messages', () => {
    single('Q1: 0 bytes', { bytes: 0 }, 1, '0.000000400000');
    single('Q2: 1 byte', { bytes: 1 }, 1, '0.000000400000');
    single('Q3: 65,536 bytes', { bytes: 65_536 }, 1, '0.000000400000');
    single('Q4: 65,537 bytes', { bytes: 65_537 }, 2, '0.000000800000');
    single('Q5: 262,144 bytes', { bytes: 262_144 }, 4, '0.000001600000');
    single('Q6: 1,048,576 bytes', { bytes: 1_048_576 }, 16, '0.000006400000');
    single('Q7: 100,000 bytes, 3 actions, FIFO', { bytes: 100_000, actions: 3, type: 'fifo' }, 5, '0.000002500000');

    it('computes the cost of Q9: 10 messages of 10,000 bytes one by one', () => {
      const requests = 10 * queueRequests(10_000, 1);
      expect(requests).to.equal(10);
      expect(queueCost(requests, 'standard')).to.equal('0.000004000000');
    });

    function single(
      name: string,
      { bytes, actions = 1, type = 'standard' }: { bytes: number; actions?: number; type?: QueueType },
      requests: number,
      cost: string,
    ): void {
      it(`computes the cost of ${name}`, () => {
        expect(queueRequests(bytes, actions)).to.equal(requests);
        expect(queueCost(requests, type)).to.equal(cost);
      });
    }

    function queueCost(queueRequests: number, queueType: QueueType): string | null {
      return costOf(buildEntryUsage({ queueRequests, queueType }), 'us-east-1').queue;
    }
  });

  describe('queue, month totals', () => {
    month('Q10: 100,000,000,000 requests', { queue: 100_000_000_000n }, '40000.000000000000');
    month('Q11: 100,000,000,001 requests', { queue: 100_000_000_001n }, '40000.000000300000');
    month('Q12: 250,000,000,000 requests', { queue: 250_000_000_000n }, '82000.000000000000');
    month('Q13: 250,000,000,000 requests, FIFO', { queue: 250_000_000_000n, queueType: 'fifo' }, '107500.000000000000');
    month('Q14: 1,000,000 requests, free tier', { queue: 1_000_000n }, '0.000000000000', freeTier);
    month('Q15: 1,000,001 requests, free tier', { queue: 1_000_001n }, '0.000000400000', freeTier);
    month('Q16: 100,000,000,001 requests, free tier', { queue: 100_000_000_001n }, '39999.600000300000', freeTier);
  });

  describe('function, single invocations', () => {
    invocation('F1: 128 MB, 1 ms', { mb: 128, ms: 1 }, 128, '0.000000202083', '0.0000002020833375');
    invocation('F2: 512 MB, 127.4 ms', { mb: 512, ms: 127.4 }, 65_536, '0.000001266669', '0.0000012666688');
    invocation('F3: 512 MB, 127 ms exactly', { mb: 512, ms: 127 }, 65_024, '0.000001258335', '0.00000125833545');
    invocation('F4: 128 MB, 0.01 ms', { mb: 128, ms: 0.01 }, 128, '0.000000202083', '0.0000002020833375');
    invocation('F5: 10,240 MB, 900,000 ms', { mb: 10_240, ms: 900_000 }, 9_216_000_000, '0.150000500000', '0.1500005');
    invocation(
      'F6: 1,769 MB, 250 ms, arm64, ap-east-1',
      { mb: 1769, ms: 250, architecture: 'arm64', region: 'ap-east-1' },
      442_250,
      '0.000008183491',
      '0.0000081834912109375',
    );
    invocation(
      'F8: 512 MB, 310.25 + 127.4 ms',
      { mb: 512, ms: 310.25 + 127.4 },
      512 * 438,
      '0.000003850007',
      '0.0000038500073',
    );

    function invocation(
      name: string,
      { mb, ms, architecture = 'x86_64', region = 'us-east-1' }: Invocation,
      mbMs: number,
      cost: string,
      exact: string,
    ): void {
      it(`computes the cost of ${name}`, () => {
        expect(mb * billedMs(ms)).to.equal(mbMs);
        const entry = buildEntryUsage({ architecture, mbMs, memoryMb: mb, billedMs: billedMs(ms) });
        expect(costOf(entry, region).function).to.equal(cost);
        const { services } = priceOf([buildHour({ invocations: 1n, mbMs: BigInt(mbMs), architecture })], { region });
        expect(formatMoney(services.function.amount!)).to.equal(cost);
        expect(services.function.amount).to.equal(parseDecimal(exact, moneyDecimals));
      });
    }
  });

  describe('function, month totals', () => {
    const gbSeconds = (count: bigint) => count * mbMsPerGbSecond;
    month('F9: 6,000,000,000 GB-s', { mbMs: gbSeconds(6_000_000_000n) }, '100000.200000000000');
    month('F10: 6,000,000,001 GB-s', { mbMs: gbSeconds(6_000_000_001n) }, '100000.200015000000');
    month('F11: 15,000,000,001 GB-s', { mbMs: gbSeconds(15_000_000_001n) }, '235000.200013333400');
    month(
      'F12: 7,500,000,001 GB-s, arm64',
      { mbMs: gbSeconds(7_500_000_001n), architecture: 'arm64' },
      '100000.500012000100',
    );
    const f13 = { invocations: 3_000_000n, mbMs: 3_000_000n * 512n * 120n };
    month('F13: 3,000,000 invocations, 512 MB, 120 ms', f13, '3.600006000000');
    month('F14: the same with the free tier', f13, '0.400000000000', freeTier);
    month(
      'F15: 3,000,000 invocations, 1,024 MB, 600 ms, free tier',
      { invocations: 3_000_000n, mbMs: 3_000_000n * 1024n * 600n },
      '23.733380000000',
      freeTier,
    );
  });

  describe('inference', () => {
    tokens('I1: Claude Sonnet 4.5, us-east-1', sonnet45, 'us-east-1', 1_000n, 500n, '0.011550000000');
    tokens('I5: Nova Lite, us-east-1', 'amazon.nova-lite-v1:0', 'us-east-1', 1n, 0n, '0.000000060000');
    tokens(
      'I6: Nova Lite, eu-central-1',
      'amazon.nova-lite-v1:0',
      'eu-central-1',
      1_234_567n,
      89_012n,
      '0.124067970000',
    );
    tokens('I7: Titan Text Embeddings V2', 'amazon.titan-embed-text-v2:0', 'us-east-1', 7_777n, 0n, '0.000155540000');
    tokens('I8: DeepSeek-V3.1, eu-west-2', 'deepseek.v3-v1:0', 'eu-west-2', 999n, 1_001n, '0.003508544868');
    tokens('I9: Llama 3 70B, sa-east-1', 'meta.llama3-70b-instruct-v1:0', 'sa-east-1', 1_500n, 250n, '0.008145000000');

    called('I2: Claude Sonnet 4.5 through the global profile', sonnet45, { profile: 'global' }, '0.010500000000');
    called('I3: Claude Sonnet 4.5, batch', sonnet45, { tier: 'batch' }, '0.005775000000');
    const cached = { inputTokens: 200n, cacheReadTokens: 10_000n, cacheWriteTokens: 4_000n, outputTokens: 300n };
    called('I4: Claude Haiku 4.5 with a prompt cache', haiku45, {}, '0.008470000000', cached);

    it('a call above the limit of the ordinary price has the long price for each of its tokens', () => {
      // 300,000 tokens of input are above the limit of 272,000.
      const sol = 'openai.gpt-5.6-sol';
      const call = (input_tokens: number) =>
        meter(
          {
            message: 'x',
            timestamp: firstHour,
            timed: true,
            usage: { input_tokens, output_tokens: 1_000, model: sol },
          },
          {},
        );
      expect(call(272_000).model).to.equal(sol);
      const long = call(300_000);
      expect(long.model).to.equal(`${sol} long`);
      const priceOfToken = (name: string, kind: 'input' | 'output') =>
        tokenPrice(book, name, 'us-east-1', kind)!.tiers[0]!.price;
      const costOfCall = (name: string, input: bigint) =>
        formatMoney(input * priceOfToken(name, 'input') + 1_000n * priceOfToken(name, 'output'));
      expect(costOf(long, 'us-east-1').inference).to.equal(costOfCall(`${sol} long`, 300_000n));
      expect(costOf({ ...long, model: sol }, 'us-east-1').inference).to.equal('1.342000000000');
      expect(costOf(call(272_000), 'us-east-1').inference).to.equal(costOfCall(sol, 272_000n));
      const cached = { input_tokens: 1, cache_read_tokens: 272_000, output_tokens: 1, model: sol };
      expect(meter({ message: 'x', timestamp: firstHour, timed: true, usage: cached }, {}).model).to.equal(
        `${sol} long`,
      );
      // No long price is known for batch jobs.
      const pricer = new MonthPricer({ region: 'us-east-1', book, fallback, calls: { tier: 'batch' } });
      const hour = buildHour({ model: `${sol} long`, inputTokens: 1n });
      expect(pricer.add(hour).map(({ amount }) => amount)).to.deep.equal([null]);
    });

    function called(
      name: string,
      model: string,
      calls: InferenceTerms,
      cost: string,
      tokens: Partial<InferenceCount> = { inputTokens: 1_000n, outputTokens: 500n },
    ): void {
      it(`computes the cost of ${name}`, () => {
        const hour = buildHour({ model, inputTokens: 1n });
        const inference = [{ ...hour.inference[0]!, ...tokens }];
        const pricer = new MonthPricer({ region: 'us-east-1', book, fallback, calls });
        const lines = pricer.add({ ...hour, inference });
        expect(formatMoney(lines.reduce((sum, { amount }) => sum + amount!, 0n))).to.equal(cost);
      });
    }

    function tokens(name: string, model: string, region: string, input: bigint, output: bigint, cost: string): void {
      it(`computes the cost of ${name}`, () => {
        const usage = buildHour({ model, inputTokens: input, outputTokens: output });
        const { services } = priceOf([usage], { region });
        expect(services.inference).to.deep.equal({ amount: services.inference.amount, status: 'ok', unpriced: null });
        expect(formatMoney(services.inference.amount!)).to.equal(cost);
        const entry = buildEntryUsage({ model, inputTokens: Number(input), outputTokens: Number(output) });
        expect(costOf(entry, region).inference).to.equal(cost);
      });
    }
  });

  describe('all three', () => {
    const m1: MeterableEntry = {
      message: 'x'.repeat(70_000),
      timestamp: firstHour,
      timed: true,
      usage: {
        function_duration_ms: 127.4,
        function_memory_mb: 512,
        model: 'amazon.nova-lite-v1:0',
        input_tokens: 17_500,
        output_tokens: 200,
      },
    };
    const usage = meter(m1, {});
    const times = (count: bigint) =>
      buildHour({
        logs: count,
        queue: count * BigInt(usage.queueRequests),
        invocations: count,
        mbMs: count * BigInt(usage.mbMs),
        inputTokens: count * BigInt(usage.inputTokens),
        outputTokens: count * BigInt(usage.outputTokens),
      });

    it('computes the cost of M1: one entry in eu-central-1', () => {
      expect(costOf(usage, 'eu-central-1')).to.deep.equal({
        queue: '0.000000800000',
        function: '0.000001266669',
        inference: '0.001427400000',
        total: '0.001429466669',
      });
      const { total } = priceOf([times(1n)], { region: 'eu-central-1' });
      expect(total).to.deep.equal({
        amount: parseDecimal('0.0014294666688', moneyDecimals),
        status: 'ok',
        incomplete: false,
      });
    });

    it('computes the cost of M2: 2,500,000 such entries in one month', () => {
      const { services, total } = priceOf([times(2_500_000n)], { region: 'eu-central-1' });
      expect(formatMoney(services.queue.amount!)).to.equal('2.000000000000');
      expect(formatMoney(services.function.amount!)).to.equal('3.166672000000');
      expect(formatMoney(services.inference.amount!)).to.equal('3568.500000000000');
      expect(formatMoney(total.amount!)).to.equal('3573.666672000000');
    });

    it('computes the cost of M3: the same with the free tier', () => {
      const { services, total } = priceOf([times(2_500_000n)], { region: 'eu-central-1', ...freeTier });
      expect(formatMoney(services.queue.amount!)).to.equal('1.600000000000');
      expect(formatMoney(services.function.amount!)).to.equal('0.300000000000');
      expect(formatMoney(total.amount!)).to.equal('3570.400000000000');
    });
  });

  describe('other outcomes', () => {
    it('E1: the second tier of eu-west-1 is the one of us-east-1, unverified', () => {
      const { services } = priceOf([buildHour({ queue: 100_000_000_001n })], { region: 'eu-west-1' });
      expect(formatMoney(services.queue.amount!)).to.equal('40000.000000300000');
      expect(services.queue.status).to.equal('unverified');
    });

    it('E2: without a fallback the second tier has no price, and the rest is known', () => {
      const usage = [buildHour({ queue: 100_000_000_001n })];
      const { services, total } = priceOf(usage, { region: 'eu-west-1', fallback: 'off' });
      expect(formatMoney(services.queue.amount!)).to.equal('40000.000000000000');
      expect(services.queue).to.deep.include({ status: 'missing', unpriced: { requests: 1n } });
      expect(total).to.deep.include({ status: 'missing', incomplete: true });
    });

    it('E3: a Region without queue prices uses those of us-east-1, unverified', () => {
      const { services } = priceOf([buildHour({ queue: 1_000_000n })], { region: 'ca-central-1' });
      expect(formatMoney(services.queue.amount!)).to.equal('0.400000000000');
      expect(services.queue.status).to.equal('unverified');
    });

    it('E4: us-gov-west-1 has no fallback prices', () => {
      const { services, buckets } = priceOf([buildHour({ queue: 5n })], { region: 'us-gov-west-1' });
      expect(services.queue).to.deep.equal({ amount: null, status: 'missing', unpriced: { requests: 5n } });
      expect(buckets[0]!.cost.queue).to.equal(null);
      expect(costOf(buildEntryUsage(), 'us-gov-west-1').queue).to.equal(null);
    });

    it('E5: Nova Pro has no price in sa-east-1', () => {
      missing('amazon.nova-pro-v1:0', 'sa-east-1');
    });

    it('E6: the price for commercial Regions does not apply in us-gov-west-1', () => {
      missing(sonnet45, 'us-gov-west-1');
    });

    it('E7: the price for commercial Regions applies in mx-central-1', () => {
      const usage = buildHour({ model: sonnet45, inputTokens: 1_000n, outputTokens: 500n });
      const { services } = priceOf([usage], { region: 'mx-central-1' });
      expect(formatMoney(services.inference.amount!)).to.equal('0.011550000000');
      expect(services.inference.status).to.equal('ok');
    });

    it('E8: durations and memory sizes outside their limits are errors', () => {
      const errorsOf = (usage: object) => {
        const entry = { message: 'm', usage };
        const result = strictRules(book, 1024).read(entry, JSON.stringify(entry), false);
        return typeof result === 'object' && 'errors' in result ? result.errors.map(({ field }) => field) : [];
      };
      for (const function_duration_ms of [-1, 900_000.5, 'long', Number.NaN]) {
        expect(errorsOf({ function_duration_ms }), String(function_duration_ms)).to.deep.equal([
          'usage.function_duration_ms',
        ]);
      }
      for (const function_memory_mb of [127, 10_241, 512.5]) {
        expect(errorsOf({ function_memory_mb }), String(function_memory_mb)).to.deep.equal([
          'usage.function_memory_mb',
        ]);
      }
      expect(errorsOf({ function_duration_ms: 900_000, function_memory_mb: 10_240 })).to.deep.equal([]);
    });

    it('E9: the size of an attribute is its name, 6 bytes for its type, and its value', () => {
      expect(entrySize({ message: 'abc', attributes: { k: 12 } })).to.equal(12);
    });

    it('E10: the size of a message is its number of UTF-8 bytes', () => {
      expect(entrySize({ message: 'é😀' })).to.equal(6);
    });

    it('E11: with the free tier, the first hour costs nothing', () => {
      const hours = [buildHour({ at: 0, queue: 600_000n }), buildHour({ at: 1, queue: 600_000n })];
      const { buckets } = priceOf(hours, freeTier);
      expect(buckets.map(({ cost }) => formatMoney(cost.queue!))).to.deep.equal(['0.000000000000', '0.080000000000']);
    });

    it('E12: actions after the receive have no payload', () => {
      const assumptions: Assumptions = { queue: { requests_per_message: 5 } };
      const entry: MeterableEntry = { message: 'x'.repeat(100_000), timestamp: firstHour, timed: true };
      const usage = meter(entry, assumptions);
      expect(usage.queueRequests).to.equal(7);
      expect(costOf(usage, 'us-east-1').queue).to.equal('0.000002800000');
    });

    function missing(model: string, region: string): void {
      const { services } = priceOf([buildHour({ model, inputTokens: 1_000n, outputTokens: 500n })], { region });
      const unpriced = { input_tokens: 1_000n, output_tokens: 500n };
      expect(services.inference).to.deep.equal({ amount: null, status: 'missing', unpriced });
      const entry = buildEntryUsage({ model, inputTokens: 1_000, outputTokens: 500 });
      expect(costOf(entry, region).inference).to.equal(null);
    }
  });
});

interface Invocation {
  mb: number;
  ms: number;
  architecture?: Architecture;
  region?: string;
}

function month(name: string, usage: UsageOverrides, cost: string, pricing: Partial<ScenarioPricing> = {}): void {
  it(`computes the cost of ${name}`, () => {
    expect(formatMoney(priceOf([buildHour(usage)], pricing).total.amount!)).to.equal(cost);
  });
}

function costOf(usage: PricedUsage, region: string): EntryCost {
  return createEntryPricer({ region, book, fallback }).price(usage);
}

/** The usage of an entry, with the output tokens that are assumed for it. */
function meter(entry: MeterableEntry, assumptions: Assumptions): PricedUsage {
  const complete = applyDefaults(assumptions);
  const usage = meterEntry(entry, complete, meterTools);
  return { ...usage, outputTokens: usage.outputTokens ?? complete.inference.output_tokens_per_entry };
}
