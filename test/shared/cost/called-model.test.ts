import { expect } from 'chai';
import { asLong, splitCall } from '../../../shared/cost/called-model.ts';
import { formatExactMoney } from '../../../shared/cost/money.ts';
import { loadPriceBook, offersBatch } from '../../../shared/cost/price-book.ts';
import {
  hasTokenPrice,
  type InferenceTerms,
  sizeRemark,
  type TokenKind,
  tokenPrice,
} from '../../../shared/cost/token-price.ts';

const book = loadPriceBook();

const batchLine = (item: string, scope: string) =>
  ({ service: 'inference', scope, item, kind: 'batch_input' }) as const;

const sol = 'openai.gpt-5.6-sol';
const lite = 'amazon.nova-lite-v1:0';

describe('a called model', () => {
  it('has its profile after a blank', () => {
    expect(splitCall('amazon.nova-lite-v1:0')).to.deep.equal({ model: 'amazon.nova-lite-v1:0', isLong: false });
    expect(splitCall('amazon.nova-lite-v1:0 geo')).to.deep.equal({
      model: 'amazon.nova-lite-v1:0',
      profile: 'geo',
      isLong: false,
    });
    for (const call of ['openai.gpt-5.6-sol', 'openai.gpt-5.6-sol geo']) {
      expect(splitCall(asLong(asLong(call)))).to.deep.equal({ ...splitCall(call), isLong: true });
    }
  });

  it('has the prices of its profile: geo else the Region, the Region else geo, global alone', () => {
    const sonnet = 'anthropic.claude-sonnet-4-6';
    const micro = 'amazon.nova-micro-v1:0';
    const llama = 'meta.llama3-70b-instruct-v1:0';
    const scopes: [call: string, region: string, scope: string | undefined][] = [
      [sonnet, 'eu-west-1', 'geo'],
      [`${sonnet} geo`, 'eu-west-1', 'geo'],
      [`${sonnet} regional`, 'eu-west-1', 'geo'],
      [`${sonnet} global`, 'eu-west-1', 'global'],
      [micro, 'eu-central-1', 'eu-central-1'],
      [`${micro} geo`, 'eu-central-1', 'eu-central-1'],
      [`${micro} global`, 'eu-central-1', undefined],
      // Calls in another partition have a price where a Region of it has one.
      [`${llama} aws-us-gov`, 'us-east-1', 'us-gov-west-1'],
      [`${sonnet} aws-us-gov`, 'us-east-1', undefined],
      ['gpt-4o', 'us-east-1', undefined],
    ];
    const scopeOf = (call: string, region: string, terms: InferenceTerms = {}) => {
      const { line, tiers = [] } = tokenPrice(book, call, region, 'input', terms) ?? {};
      return tiers.length > 0 ? line?.scope : undefined;
    };
    for (const [call, region, scope] of scopes) expect(scopeOf(call, region), call).to.equal(scope);
    expect(scopeOf(sonnet, 'eu-west-1', { profile: 'global' })).to.equal('global');
    expect(scopeOf(`${sonnet} geo`, 'eu-west-1', { profile: 'global' }), 'the call first').to.equal('geo');
    // Own prices apply in the scope of the list price, and in those that come before it.
    const ownScopes = (call: string, region: string) => tokenPrice(book, call, region, 'input')?.scopes;
    expect(ownScopes(sonnet, 'eu-west-1')).to.deep.equal(['eu-west-1', 'geo']);
    expect(ownScopes(micro, 'eu-central-1')).to.deep.equal(['eu-central-1']);
    expect(ownScopes(sonnet, 'us-gov-west-1')).to.deep.equal(['us-gov-west-1']);
    expect(ownScopes(`${llama} aws-us-gov`, 'us-gov-east-1')).to.include.ordered.members(['us-gov-east-1']);
  });

  it('has the prices of its tier: a batch job half the price if the batch price is another Region’s', () => {
    const haiku = 'anthropic.claude-haiku-4-5-20251001-v1:0';
    const perThousand = (call: string, region: string, kind: TokenKind, terms: InferenceTerms = {}) => {
      const { tiers: [tier] = [], isEstimated } = tokenPrice(book, call, region, kind, terms) ?? {};
      return tier && `${formatExactMoney(tier.price * 1_000n)}${isEstimated ? ' estimated' : ''}`;
    };
    const batch = { tier: 'batch' } as const;
    const partly = book.models.find(
      (model) =>
        offersBatch(model) &&
        Object.keys(model.prices).some((scope) => book.tiers(batchLine(model.id, scope)).length === 0),
    )!;
    const plain = Object.keys(partly.prices).find((scope) => book.tiers(batchLine(partly.id, scope)).length === 0)!;
    const cases: [string | undefined, Parameters<typeof perThousand>][] = [
      ['0.0011', [haiku, 'us-east-1', 'input']],
      ['0.001', [haiku, 'us-east-1', 'input', { profile: 'global' }]],
      ['0.00055', [haiku, 'us-east-1', 'input', batch]],
      ['0.00275', [haiku, 'us-east-1', 'output', batch]],
      [undefined, [haiku, 'us-east-1', 'cache_read', batch]],
      [undefined, [haiku, 'us-gov-west-1', 'input', batch]],
      [undefined, ['amazon.titan-embed-text-v2:0', 'us-east-1', 'input', batch]],
      [undefined, ['no-such-model', 'us-east-1', 'input']],
      [undefined, [asLong(sol), 'us-east-1', 'input', batch]],
      ['0.0088', [asLong(sol), 'us-east-1', 'input']],
    ];
    for (const [price, call] of cases) expect(perThousand(...call), JSON.stringify(call)).to.equal(price);
    const [standard] = book.tiers({ ...batchLine(partly.id, plain), kind: 'input' });
    const half = tokenPrice(book, `${partly.id} ${plain === 'geo' ? 'geo' : 'regional'}`, plain, 'input', batch);
    expect(half).to.deep.include({ tiers: [{ to: null, price: standard!.price / 2n }], isEstimated: true });
    expect(hasTokenPrice(book, haiku, 'us-east-1', 'cache_write_1h')).to.equal(true);
    expect(hasTokenPrice(book, haiku, 'us-gov-west-1', 'input')).to.equal(false);
    expect(hasTokenPrice(book, 'no-such-model', 'us-east-1', 'input')).to.equal(false);
  });

  it('has a remark where the price of its size is not known', () => {
    const limited = (call: string, limit: number | undefined) => {
      const model = book.model(splitCall(call).model);
      return model && { ...model, ...(limit === undefined ? {} : { long_context_above: limit }) };
    };
    const cases: [counted: string, priced: string, limit: number | undefined, remark: RegExp | undefined][] = [
      [lite, lite, undefined, undefined],
      [asLong(lite), asLong(lite), undefined, /above the context window of amazon.nova-lite-v1:0, 300000 tokens/],
      // 1,000,000 tokens fit.
      [asLong(lite), asLong('amazon.nova-premier-v1:0'), undefined, undefined],
      [asLong(lite), asLong('amazon.nova-micro-v1:0'), undefined, /context window of amazon.nova-micro-v1:0, 128000/],
      [sol, sol, 272_000, undefined],
      [asLong(sol), asLong(sol), 272_000, undefined],
      // Some of these calls can be on the other side of the other limit.
      [sol, sol, 200_000, /above 200000 tokens have another price, but they were counted by a limit of 272000/],
      [asLong(sol), asLong(sol), 200_000, undefined],
      [sol, sol, 300_000, undefined],
      [asLong(sol), asLong(sol), 300_000, /above 300000 tokens have another price/],
      ['anthropic.claude-haiku-4-5-20251001-v1:0', sol, undefined, undefined],
      ['amazon.nova-premier-v1:0', sol, undefined, /above 272000 tokens .* counted by a limit of 1000000/],
      ['no.longer-sold', sol, undefined, /counted by no limit/],
      [lite, 'no.longer-sold', undefined, undefined],
    ];
    for (const [counted, priced, limit, remark] of cases) {
      const found = sizeRemark(counted, limited(priced, limit), book, false);
      if (remark) expect(found, `${counted} as ${priced}`).to.match(remark);
      else expect(found, `${counted} as ${priced}`).to.equal(undefined);
    }
  });
});
