import { expect } from 'chai';
import { batchPrices, inferencePrices, tokenCost } from '../../../shared/cost/inference-cost.ts';
import { book } from './build-usage.ts';

describe('inference prices', () => {
  it("are the Region's own, else those of all commercial Regions", () => {
    const nova2 = book.model('amazon.nova-2-lite-v1:0')!;
    expect(inferencePrices(book, nova2.id, 'us-east-1')).to.equal(nova2.prices.get('us-east-1'));
    expect(inferencePrices(book, nova2.id, 'eu-west-1')).to.equal(nova2.prices.get('geo'));
    expect(inferencePrices(book, nova2.id, 'us-gov-east-1')).to.equal(undefined);
    expect(inferencePrices(book, 'no-such-model', 'us-east-1')).to.equal(undefined);
  });

  it('of the global profile are those of models that have them', () => {
    expect(inferencePrices(book, 'amazon.nova-pro-v1:0', 'us-east-1', 'global')).to.equal(undefined);
  });

  it('of a batch are an estimate if the model has batch prices in other Regions only, and undefined if it has none', () => {
    const isPriced = (entry: { batchInput?: bigint }) => entry.batchInput !== undefined;
    const partly = book.models.find(({ prices }) => {
      const priced = [...prices.values()].filter(isPriced).length;
      return priced > 0 && priced < prices.size;
    })!;
    const plain = [...partly.prices.values()].find((entry) => !isPriced(entry))!;
    expect(batchPrices(partly, plain)).to.deep.equal({
      prices: { input: plain.input / 2n, output: plain.output / 2n },
      estimated: true,
    });
    const never = book.models.find(({ prices }) => ![...prices.values()].some(isPriced))!;
    expect(batchPrices(never, [...never.prices.values()][0]!)).to.equal(undefined);
  });

  it('of cached tokens are null if the model has none', () => {
    const prices = { input: 1n, output: 2n };
    expect(tokenCost(prices, { inputTokens: 3n, outputTokens: 4n })).to.equal(11n);
    expect(tokenCost(prices, { inputTokens: 3n, outputTokens: 4n, cacheReadTokens: 1n })).to.equal(null);
    expect(tokenCost(prices, { inputTokens: 3n, outputTokens: 4n, cacheWriteTokens: 1n })).to.equal(null);
  });
});
