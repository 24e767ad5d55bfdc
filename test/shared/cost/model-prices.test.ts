import { expect } from 'chai';
import { batchPrices, type InferenceTerms, inferencePrices, modelPrices } from '../../../shared/cost/called-model.ts';
import { book } from './build-usage.ts';

const claude = 'anthropic.claude-haiku-4-5-20251001-v1:0';

describe('inference prices', () => {
  it("prices are the Region's own, else those of all commercial Regions", () => {
    const nova2 = book.model('amazon.nova-2-lite-v1:0')!;
    expect(inferencePrices(book, nova2.id, 'us-east-1')).to.equal(nova2.prices.get('us-east-1'));
    expect(inferencePrices(book, nova2.id, 'eu-west-1')).to.equal(nova2.prices.get('geo'));
    expect(inferencePrices(book, nova2.id, 'us-gov-east-1')).to.equal(undefined);
    expect(inferencePrices(book, 'no-such-model', 'us-east-1')).to.equal(undefined);
  });

  it('only models with prices of the global profile have them', () => {
    expect(inferencePrices(book, 'amazon.nova-pro-v1:0', 'us-east-1', 'global')).to.equal(undefined);
  });

  it('batch prices are an estimate if the model has them in other Regions only, and undefined if it has none', () => {
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

  it('batch prices are an estimate if one of them is uncertain, and half the others if one is not published', () => {
    const model = book.model(claude)!;
    const prices = { input: 10n, output: 20n, batchInput: 4n, batchOutput: 8n };
    const batch = { input: 4n, output: 8n };
    for (const name of ['batchInput', 'batchOutput'] as const) {
      expect(batchPrices(model, { ...prices, uncertain: new Set([name]) })).to.deep.equal({
        prices: batch,
        estimated: true,
      });
      const { [name]: _, ...others } = prices;
      expect(batchPrices(model, others)).to.deep.equal({ prices: { input: 5n, output: 10n }, estimated: true });
    }
    expect(batchPrices(model, { ...prices, uncertain: new Set(['input']) })).to.deep.equal({
      prices: batch,
      estimated: false,
    });
  });

  it('prices depend on how the model is called', () => {
    const { prices } = book.model(claude)!;
    const geo = prices.get('geo')!;
    const global = prices.get('global')!;
    const pricesOf = (terms: InferenceTerms, model = claude, region = 'us-east-1') =>
      modelPrices(book, model, region, terms);
    expect(pricesOf({})).to.deep.equal({ prices: geo, estimated: false });
    expect(pricesOf({ profile: 'global' })).to.deep.equal({ prices: global, estimated: false });
    expect(pricesOf({ tier: 'batch' })).to.deep.equal({
      prices: { input: geo.batchInput, output: geo.batchOutput },
      estimated: false,
    });
    expect(pricesOf({ tier: 'batch' }, 'amazon.titan-embed-text-v2:0').prices).to.equal(undefined);
    expect(pricesOf({}, 'no-such-model')).to.deep.equal({ prices: undefined, estimated: false });
    expect(pricesOf({ tier: 'batch' }, 'amazon.titan-embed-text-v2:0').estimated).to.equal(false);
    expect(pricesOf({ tier: 'batch' }, 'no-such-model').prices).to.equal(undefined);
    expect(pricesOf({ tier: 'batch' }, claude, 'us-gov-west-1').prices).to.equal(undefined);
  });
});
