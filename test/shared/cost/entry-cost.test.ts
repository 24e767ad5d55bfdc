import { expect } from 'chai';
import { createEntryPricer, resolvePricedUsage } from '../../../shared/cost/entry-cost.ts';
import { formatMoney } from '../../../shared/cost/money.ts';
import { book, buildEntryUsage, priceOf, usageOfEntries } from './build-usage.ts';

const terms = { region: 'us-east-1', book, fallback: 'us-east-1' as const };

describe('the cost of an entry', () => {
  it('differs for entries that differ in one value', () => {
    const pricer = createEntryPricer(terms);
    const base = buildEntryUsage({ inputTokens: 10, outputTokens: 2 });
    const others = [
      { queueRequests: 2 },
      { queueType: 'fifo' as const },
      { architecture: 'arm64' as const },
      { mbMs: 129 },
      { inputTokens: 11 },
      { outputTokens: 3 },
      { model: 'amazon.nova-pro-v1:0' },
    ];
    const totals = [base, ...others.map((change) => ({ ...base, ...change }))].map(
      (usage) => pricer.price(usage).total,
    );
    expect(new Set(totals).size).to.equal(totals.length);
  });

  it('the cost of a batch is rounded once, from the exact sum', () => {
    // 128 MB·ms and one request cost 0.0000002020833375: 1,000 amounts rounded one by one would
    // have another sum.
    const usages = Array.from({ length: 1_000 }, () => buildEntryUsage({ inputTokens: 3, outputTokens: 2 }));
    const sum = createEntryPricer(terms).sum(usages);
    expect(sum.function).to.equal('0.000202083338');
    const { total } = priceOf(usageOfEntries(usages.map((usage) => ({ usage }))));
    expect(sum.total).to.equal(formatMoney(total.amount!));
  });

  it('the cost of a batch has each kind of entries at its own price', () => {
    const kinds = [
      { queueType: 'fifo' as const },
      { architecture: 'arm64' as const },
      { model: 'amazon.nova-pro-v1:0' },
      { inputTokens: 0, outputTokens: 7 },
      { inputTokens: 0, outputTokens: 0, queueRequests: 3 },
    ];
    const usages = kinds.map((kind) => buildEntryUsage({ inputTokens: 5, outputTokens: 2, ...kind }));
    const { total } = priceOf(usageOfEntries(usages.map((usage) => ({ usage }))));
    expect(createEntryPricer(terms).sum(usages).total).to.equal(formatMoney(total.amount!));
  });

  it('the cost of an entry is that of the first tier, however large it is', () => {
    const large = buildEntryUsage({ queueRequests: 200_000_000_000 });
    expect(createEntryPricer(terms).price(large).queue).to.equal('80000.000000000000');
  });

  it('a stored entry has the usage of its batch where it has none of its own', () => {
    const commonUsage = { queueRequests: 1, memoryMb: 128, billedMs: 10, model: 'a', outputTokens: 5 };
    const batch = { queueType: 'fifo', architecture: 'arm64', commonUsage } as Parameters<typeof resolvePricedUsage>[0];
    const common = { queueType: 'fifo', architecture: 'arm64', queueRequests: 1, model: 'a' };
    const assumed = 100;
    const ofBatch = { ...common, mbMs: 1_280, inputTokens: 7, outputTokens: 5 };
    expect(resolvePricedUsage(batch, { inputTokens: 7 }, assumed)).to.deep.equal(ofBatch);
    const own = { inputTokens: 8, usage: { billedMs: 20, outputTokens: null, cacheReadTokens: 3 } };
    const ofEntry = { ...common, mbMs: 2_560, inputTokens: 8, outputTokens: assumed, cacheReadTokens: 3 };
    expect(resolvePricedUsage(batch, own, assumed)).to.deep.equal(ofEntry);
  });

  it('the cost of tokens without a price is unknown, and that of no tokens zero', () => {
    const pricer = createEntryPricer({ ...terms, region: 'gone' });
    const inference = (inputTokens: number, outputTokens: number) =>
      pricer.price(buildEntryUsage({ inputTokens, outputTokens })).inference;
    expect([inference(0, 0), inference(1, 0), inference(0, 1)]).to.deep.equal(['0.000000000000', null, null]);
  });

  it('is the sum of the known costs, and null if none is known', () => {
    const pricer = createEntryPricer({ ...terms, region: 'us-gov-west-1' });
    const usage = buildEntryUsage();
    expect(pricer.price(usage)).to.deep.include({ queue: null, inference: '0.000000000000' });
    expect(pricer.price(usage).total).to.equal(pricer.price(usage).function);
    expect(pricer.sum([usage, usage]).queue).to.equal(null);
    expect(pricer.sum([]).total).to.equal('0.000000000000');
    const gone = createEntryPricer({ ...terms, region: 'gone' }).price(buildEntryUsage({ inputTokens: 1 }));
    expect(gone).to.deep.equal({ queue: null, function: null, inference: null, total: null });
  });
});
