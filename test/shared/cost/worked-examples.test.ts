// Costs with all their digits, calculated by hand.
import { expect } from 'chai';
import { createEntryPricer, type EntryCost, type PricedUsage } from '../../../shared/cost/entry-cost.ts';
import { formatMoney, moneyDecimals, parseDecimal } from '../../../shared/cost/money.ts';
import { createMonthPricer } from '../../../shared/cost/price-month.ts';
import { type InferenceTerms, tokenPrice } from '../../../shared/cost/token-price.ts';
import { createTokenCounter } from '../../../shared/metering/count-tokens.ts';
import { billedMs, type MeterableEntry, meterEntry } from '../../../shared/metering/meter-entry.ts';
import { readTokenRanks } from '../../../shared/metering/token-ranks.ts';
import { type Architecture, applyDefaults, type QueueType } from '../../../shared/scenarios/assumptions.ts';
import { queueRequests } from '../../../shared/usage/queue-requests.ts';
import { book, buildEntryUsage, buildHour, firstHour, priceOf } from './build-usage.ts';
import examples from './worked-examples.json' with { type: 'json' };

const meterTools = {
  tokenMultipliers: book.tokenMultipliers,
  callLimits: book.callLimits,
  countTokens: createTokenCounter(readTokenRanks()),
};
const fallback = 'us-east-1';
const freeTier = { assumptions: { free_tier: true } };

function costOf(usage: PricedUsage, region = 'us-east-1'): EntryCost {
  return createEntryPricer({ region, book, fallback }).price(usage);
}

/** The usage of an entry, with the output tokens that are assumed for it. */
function meter(usage: NonNullable<MeterableEntry['usage']>, message = 'x'): PricedUsage {
  const complete = applyDefaults({});
  const metered = meterEntry({ message, timestamp: firstHour, timed: true, usage }, complete, meterTools);
  return { ...metered, outputTokens: metered.outputTokens ?? complete.inference.output_tokens_per_entry };
}

/** Usage whose counters are texts of JSON, which holds no bigints. */
const hourOf = (usage: Record<string, string | undefined>) =>
  buildHour(
    Object.fromEntries(
      Object.entries(usage).map(([name, value = '']) => [name, /^\d+$/.test(value) ? BigInt(value) : value]),
    ),
  );

describe('worked examples', () => {
  for (const { name, bytes, actions = 1, type = 'standard', requests, cost } of examples.messages)
    it(`computes the cost of a message: ${name}`, () => {
      expect(queueRequests(bytes, actions)).to.equal(requests);
      const usage = buildEntryUsage({ queueRequests: requests, queueType: type as QueueType });
      expect(costOf(usage).queue).to.equal(cost);
    });

  for (const { name, mb, ms, architecture = 'x86_64', region = 'us-east-1', ...expected } of examples.invocations)
    it(`computes the cost of an invocation: ${name}`, () => {
      const { mbMs, cost, exact } = expected;
      expect(mb * billedMs(ms)).to.equal(mbMs);
      const of = { architecture: architecture as Architecture };
      expect(costOf(buildEntryUsage({ ...of, mbMs }), region).function).to.equal(cost);
      const { services } = priceOf([buildHour({ ...of, invocations: 1n, mbMs: BigInt(mbMs) })], { region });
      expect(services.function.amount).to.equal(parseDecimal(exact, moneyDecimals));
    });

  for (const { name, usage, freeTier: isFree = false, cost } of examples.months)
    it(`computes the cost of a month: ${name}`, () => {
      expect(formatMoney(priceOf([hourOf(usage)], isFree ? freeTier : {}).total.amount!)).to.equal(cost);
    });

  for (const { name, model, region, input, output, cost } of examples.tokens)
    it(`computes the cost of tokens: ${name}`, () => {
      const tokens = { input_tokens: BigInt(input), output_tokens: BigInt(output) };
      const hour = buildHour({ model, inputTokens: BigInt(input), outputTokens: BigInt(output) });
      const { amount, ...rest } = priceOf([hour], { region }).services.inference;
      expect(amount === null ? null : formatMoney(amount)).to.equal(cost);
      expect(rest).to.deep.equal(
        cost === null ? { status: 'missing', unpriced: tokens } : { status: 'ok', unpriced: null },
      );
      const entry = buildEntryUsage({ model, inputTokens: input, outputTokens: output });
      expect(costOf(entry, region).inference).to.equal(cost);
    });

  for (const { name, model, terms, tokens, cost } of examples.calls)
    it(`computes the cost of calls: ${name}`, () => {
      const hour = buildHour({ model, inputTokens: 1n });
      const counts = Object.fromEntries(Object.entries(tokens).map(([kind, count]) => [kind, BigInt(count)]));
      const pricer = createMonthPricer({ region: 'us-east-1', book, fallback, calls: terms as InferenceTerms });
      Object.assign(Object.values(hour.inference)[0]!, counts);
      const lines = pricer.add(hour);
      expect(formatMoney(lines.reduce((sum, { amount }) => sum + amount!, 0n))).to.equal(cost);
    });

  it('a call above the limit of the ordinary price has the long price for each of its tokens', () => {
    const sol = 'openai.gpt-5.6-sol';
    const call = (input_tokens: number, more = {}) =>
      meter({ input_tokens, output_tokens: 1_000, model: sol, ...more });
    // The limit is 272,000 tokens of input.
    expect(call(272_000).model).to.equal(sol);
    expect(call(1, { cache_read_tokens: 272_000 }).model).to.equal(`${sol} long`);
    const long = call(300_000);
    expect(long.model).to.equal(`${sol} long`);
    const priceOfToken = (name: string, kind: 'input' | 'output') =>
      tokenPrice(book, name, 'us-east-1', kind)!.tiers[0]!.price;
    const costOfCall = (name: string, input: bigint) =>
      formatMoney(input * priceOfToken(name, 'input') + 1_000n * priceOfToken(name, 'output'));
    expect(costOf(long).inference).to.equal(costOfCall(`${sol} long`, 300_000n));
    expect(costOf({ ...long, model: sol }).inference).to.equal('1.342000000000');
    expect(costOf(call(272_000)).inference).to.equal(costOfCall(sol, 272_000n));
    // No long price is known for batch jobs.
    const pricer = createMonthPricer({ region: 'us-east-1', book, fallback, calls: { tier: 'batch' } });
    const hour = buildHour({ model: `${sol} long`, inputTokens: 1n });
    expect(pricer.add(hour).map(({ amount }) => amount)).to.deep.equal([null]);
  });

  describe('all three services', () => {
    const metered = { function_duration_ms: 127.4, function_memory_mb: 512, input_tokens: 17_500, output_tokens: 200 };
    const usage = meter({ ...metered, model: 'amazon.nova-lite-v1:0' }, 'x'.repeat(70_000));
    const times = (count: bigint) =>
      buildHour({
        logs: count,
        queue: count * BigInt(usage.queueRequests),
        invocations: count,
        mbMs: count * BigInt(usage.mbMs),
        inputTokens: count * BigInt(usage.inputTokens),
        outputTokens: count * BigInt(usage.outputTokens),
      });
    const costsOf = (count: bigint, pricing: object = {}) => {
      const { services, total } = priceOf([times(count)], { region: 'eu-central-1', ...pricing });
      return [services.queue, services.function, services.inference, total].map(({ amount }) => formatMoney(amount!));
    };

    it('computes the cost of M1: one entry in eu-central-1', () => {
      expect(costOf(usage, 'eu-central-1')).to.deep.equal({
        queue: '0.000000800000',
        function: '0.000001266669',
        inference: '0.001427400000',
        total: '0.001429466669',
      });
      const exact = parseDecimal('0.0014294666688', moneyDecimals);
      const { total } = priceOf([times(1n)], { region: 'eu-central-1' });
      expect(total).to.deep.equal({ amount: exact, status: 'ok', incomplete: false });
    });

    it('computes the cost of M2 and M3: 2,500,000 such entries in one month, without and with the free tier', () => {
      const inference = '3568.500000000000';
      const plain = ['2.000000000000', '3.166672000000', inference, '3573.666672000000'];
      expect(costsOf(2_500_000n)).to.deep.equal(plain);
      const free = ['1.600000000000', '0.300000000000', inference, '3570.400000000000'];
      expect(costsOf(2_500_000n, freeTier)).to.deep.equal(free);
    });
  });

  describe('other outcomes', () => {
    const queueOf = (queue: bigint, pricing: Parameters<typeof priceOf>[1]) => {
      const { amount, ...rest } = priceOf([buildHour({ queue })], pricing).services.queue;
      return { amount: amount === null ? null : formatMoney(amount), ...rest };
    };
    for (const { name, queue, region, fallback, cost } of examples.outcomes)
      it(name, () => {
        const unpriced = cost.unpriced && { requests: BigInt(cost.unpriced) };
        expect(queueOf(BigInt(queue), { region, fallback: fallback as 'off' })).to.deep.equal({ ...cost, unpriced });
      });

    it('E11: with the free tier, the first hour costs nothing', () => {
      const hours = [buildHour({ at: 0, queue: 600_000n }), buildHour({ at: 1, queue: 600_000n })];
      const { buckets } = priceOf(hours, freeTier);
      expect(buckets.map(({ cost }) => formatMoney(cost.services.queue.amount!))).to.deep.equal([
        '0.000000000000',
        '0.080000000000',
      ]);
    });
  });
});
