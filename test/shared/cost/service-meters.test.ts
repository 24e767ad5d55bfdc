import { expect } from 'chai';
import { createFunctionMeter } from '../../../shared/cost/function-cost.ts';
import { addInferenceUsage, createInferenceMeter } from '../../../shared/cost/inference-cost.ts';
import { createPriceBook } from '../../../shared/cost/load-price-book.ts';
import { moneyDecimals, parseDecimal } from '../../../shared/cost/money.ts';
import { keyOf } from '../../../shared/cost/price-line.ts';
import { createQueueMeter } from '../../../shared/cost/queue-cost.ts';
import { worstStatus } from '../../../shared/cost/service-cost.ts';
import { emptyUsage, type InferenceCount } from '../../../shared/usage/usage.ts';
import { changedBook } from '../../support/changed-book.ts';
import { book, buildHour } from './build-usage.ts';

const terms = { region: 'us-east-1', book, fallback: 'us-east-1' } as const;
const usd = (text: string) => parseDecimal(text, moneyDecimals);
const gbSecond = 1_024_000n;
const nova = 'amazon.nova-lite-v1:0';
const none = { amount: 0n, charged: false, atFallbackPrice: false, estimated: false, unpriced: null };

describe('the meter of the queue', () => {
  it('charges what a bucket adds, first the type that consumes the free amount first', () => {
    const meter = createQueueMeter(terms, true);
    expect(meter.add(emptyUsage())).to.deep.equal(none);
    expect(meter.add(buildHour({ queue: 1_000_000n }))).to.deep.equal(none);
    const fifo = buildHour({ queue: 2n, queueType: 'fifo' });
    expect(meter.add(fifo)).to.deep.equal({ ...none, amount: usd('0.000001'), charged: true });
  });

  it('has the fallback price in commercial Regions, unless there is to be none', () => {
    const hour = buildHour({ queue: 5n });
    const cost = (region: string, fallback: 'us-east-1' | 'off') =>
      createQueueMeter({ region, book, fallback }, false).add(hour);
    const charged = { ...none, amount: usd('0.000002'), charged: true };
    expect(cost('us-east-1', 'off')).to.deep.equal(charged);
    expect(cost('ca-central-1', 'us-east-1')).to.deep.equal({ ...charged, atFallbackPrice: true });
    const unpriced = { ...none, unpriced: { requests: 5n } };
    expect(cost('ca-central-1', 'off')).to.deep.equal(unpriced);
    expect(cost('us-gov-west-1', 'us-east-1')).to.deep.equal(unpriced);
  });
});

describe('the meter of functions', () => {
  it('charges requests and compute, each above its own free amount', () => {
    const meter = createFunctionMeter(terms, true);
    const add = (invocations: bigint, gbSeconds: bigint, architecture: 'x86_64' | 'arm64' = 'x86_64') =>
      meter.add(buildHour({ invocations, mbMs: gbSeconds * gbSecond, architecture }));
    expect(add(0n, 0n)).to.deep.equal(none);
    expect(add(900_000n, 400_000n)).to.deep.equal(none);
    expect(add(0n, 1n)).to.deep.equal({ ...none, amount: usd('0.0000166667'), charged: true });
    expect(add(100_000n, 0n, 'arm64')).to.deep.equal(none);
    expect(add(5n, 0n, 'arm64')).to.deep.equal({ ...none, amount: usd('0.000001'), charged: true });
    expect(add(0n, 1n, 'arm64')).to.deep.equal({ ...none, amount: usd('0.0000133334'), charged: true });
  });

  it('has usage without a price in a Region without prices', () => {
    const meter = createFunctionMeter({ ...terms, region: 'gone' }, false);
    const usage = [buildHour({ mbMs: 7n }), buildHour({ invocations: 3n, architecture: 'arm64' })];
    const unpriced = (invocations: bigint, mbMs: bigint) => ({ ...none, unpriced: { invocations, mbMs } });
    expect(usage.map((hour) => meter.add(hour))).to.deep.equal([unpriced(0n, 7n), unpriced(3n, 0n)]);
    const both = [...usage[0]!.functions, ...usage[1]!.functions];
    expect(meter.add({ ...usage[0]!, functions: both })).to.deep.equal(unpriced(3n, 7n));
  });
});

describe('the meter of inference', () => {
  const row = (fields: Partial<InferenceCount>): InferenceCount => ({
    model: nova,
    inputTokens: 0n,
    outputTokens: 0n,
    estimatedEntries: 0n,
    ...fields,
  });
  const costOf = (rows: InferenceCount[], of = book, asModel?: string) =>
    createInferenceMeter({ ...terms, book: of }, { asModel }).add({ ...emptyUsage(), inference: rows });

  it('has no cost without tokens, whatever the model', () => {
    expect(costOf([])).to.deep.equal(none);
    expect(costOf([row({ estimatedEntries: 1n })])).to.deep.equal(none);
    const unpriced = { inputTokens: 1n, outputTokens: 0n };
    const unknown = row({ model: 'no-such-model', inputTokens: 1n });
    expect(costOf([row({}), unknown])).to.deep.equal({ ...none, unpriced });
    expect(costOf([row({ model: 'no-such-model' })])).to.deep.equal(none);
  });

  it('charges each kind of tokens, also where there are no others', () => {
    const priced = (fields: Partial<InferenceCount>, amount: string) =>
      expect(costOf([row(fields)])).to.deep.equal({ ...none, amount: usd(amount), charged: true });
    priced({ inputTokens: 1n }, '0.00000006');
    priced({ outputTokens: 1n }, '0.00000024');
    priced({ cacheReadTokens: 1n }, '0.000000015');
    expect(costOf([row({ cacheWriteTokens: 2n })])).to.deep.include({
      amount: 0n,
      unpriced: { inputTokens: 0n, outputTokens: 0n, cacheReadTokens: 0n, cacheWriteTokens: 2n },
    });
  });

  it('adds up the tokens without a price, with cached ones where there are any', () => {
    const tokens = { inputTokens: 1n, outputTokens: 2n };
    expect(addInferenceUsage(null, tokens)).to.deep.equal(tokens);
    expect(addInferenceUsage(tokens, tokens)).to.deep.equal({ inputTokens: 2n, outputTokens: 4n });
    const cached = { ...tokens, cacheReadTokens: 3n, cacheWriteTokens: 3n };
    expect(addInferenceUsage(tokens, cached)).to.deep.equal({
      inputTokens: 2n,
      outputTokens: 4n,
      cacheReadTokens: 3n,
      cacheWriteTokens: 3n,
    });
    expect(addInferenceUsage(cached, cached)).to.deep.include({ cacheReadTokens: 6n, cacheWriteTokens: 6n });
    const unknown = ['a', 'b'].map((model) => row({ ...tokens, model }));
    expect(costOf(unknown).unpriced).to.deep.equal({ inputTokens: 2n, outputTokens: 4n });
  });

  it('estimates at a price that is stale, of the tokens that there are', () => {
    const line = { service: 'inference', scope: 'us-east-1', item: nova, kind: 'cache_read' } as const;
    const stale = createPriceBook(
      changedBook((file) => {
        const { as_of, sources } = file.inference.models.find(({ id }) => id === nova)!;
        file.evidence = { [keyOf(line)]: { effective_from: null, as_of, sources, stale: true } };
      }),
    );
    const isEstimate = (fields: Partial<InferenceCount>) => costOf([row(fields)], stale).estimated;
    expect(isEstimate({ inputTokens: 1n })).to.equal(false);
    expect(isEstimate({ inputTokens: 1n, cacheReadTokens: 0n })).to.equal(false);
    expect(isEstimate({ inputTokens: 1n, cacheReadTokens: 1n })).to.equal(true);
  });

  it('estimates tokens that were counted for a model with another tokenizer', () => {
    const [exact, other] = ['openai.gpt-oss-20b-1:0', 'openai.gpt-oss-120b-1:0'];
    const isEstimate = (counted: string, asModel: string | undefined, of = book) =>
      costOf([row({ model: counted, inputTokens: 1n, estimatedEntries: 1n })], of, asModel).estimated;
    expect(isEstimate(exact, undefined)).to.equal(false);
    expect(isEstimate(exact, other)).to.equal(false);
    expect(isEstimate('no-such-model', exact)).to.equal(true);
    const multiplied = createPriceBook(
      changedBook((file) => {
        file.inference.models.find(({ id }) => id === other)!.tokenizer.multiplier = '1.1';
      }),
    );
    expect(isEstimate(exact, other, multiplied)).to.equal(true);
    expect(isEstimate(other, undefined, multiplied)).to.equal(false);
    expect(costOf([row({ model: 'no-such-model', inputTokens: 1n, estimatedEntries: 1n })]).estimated).to.equal(false);
  });
});

describe('the status of a total', () => {
  it('the status of a total is the worst of its lines', () => {
    expect(worstStatus([])).to.equal('ok');
    expect(worstStatus(['ok', 'estimated', 'ok'])).to.equal('estimated');
    expect(worstStatus(['unverified', 'estimated'])).to.equal('unverified');
    expect(worstStatus(['missing', 'ok'])).to.equal('missing');
  });
});
