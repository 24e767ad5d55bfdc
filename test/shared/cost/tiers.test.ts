import { expect } from 'chai';
import { charge, MonthMeter, tiersOf } from '../../../shared/cost/tiers.ts';
import { seededRandom } from '../../../shared/seeded-random.ts';
import { randomInteger } from '../../support/random-choices.ts';

const known = [
  { to: 100n, price: 7n },
  { to: 250n, price: 5n },
];
const fallbacks = [
  { to: 100n, price: 70n },
  { to: 300n, price: 50n },
  { to: null, price: 30n },
];

describe('tiers', () => {
  it('tiers of the fallback Region, or without a price, follow the last known tier', () => {
    const own = [
      { from: 0n, to: 100n, price: 7n, isFallback: false },
      { from: 100n, to: 250n, price: 5n, isFallback: false },
    ];
    const unpriced = { to: null, price: null, isFallback: false };
    expect(tiersOf([])).to.deep.equal([{ from: 0n, ...unpriced }]);
    expect(tiersOf(known)).to.deep.equal([...own, { from: 250n, ...unpriced }]);
    expect(tiersOf(known, [{ to: 250n, price: 70n }])).to.deep.equal([...own, { from: 250n, ...unpriced }]);
    expect(tiersOf(known, fallbacks)).to.deep.equal([
      ...own,
      { from: 250n, to: 300n, price: 50n, isFallback: true },
      { from: 300n, to: null, price: 30n, isFallback: true },
    ]);
    const open = [{ to: null, price: 2n }];
    expect(tiersOf(open, fallbacks)).to.deep.equal([{ from: 0n, to: null, price: 2n, isFallback: false }]);
  });

  it('usage is charged by the published formula', () => {
    const random = seededRandom(19);
    const tiers = tiersOf([...known, { to: null, price: 2n }]);
    const max = (a: bigint, b: bigint) => (a > b ? a : b);
    const min = (a: bigint, b: bigint) => (a < b ? a : b);
    for (let round = 0; round < 500; round += 1) {
      const [used, free] = [BigInt(randomInteger(random, 0, 400)), BigInt(randomInteger(random, 0, 300))];
      const expected =
        max(0n, min(used, 100n) - max(0n, free)) * 7n +
        max(0n, min(used, 250n) - max(100n, free)) * 5n +
        max(0n, used - max(250n, free)) * 2n;
      expect(charge(tiers, used, free).amount).to.equal(expected);
    }
  });

  it('a tier has the units above its lower limit, up to and including its upper limit', () => {
    const tiers = tiersOf(known);
    expect(charge(tiers, 100n, 0n).amount).to.equal(700n);
    expect(charge(tiers, 101n, 0n).amount).to.equal(705n);
  });

  it('units above the last known tier have no price', () => {
    expect(charge(tiersOf(known), 260n, 0n)).to.deep.equal({
      amount: 1_450n,
      charged: 250n,
      atFallbackPrice: 0n,
      unpriced: 10n,
    });
    expect(charge(tiersOf([]), 3n, 1n)).to.deep.equal({ amount: 0n, charged: 0n, atFallbackPrice: 0n, unpriced: 2n });
  });

  it('tiers of the fallback Region apply above the known tiers only', () => {
    const cost = charge(tiersOf(known, fallbacks), 310n, 0n);
    expect(cost).to.deep.equal({
      amount: 1_450n + 50n * 50n + 10n * 30n,
      charged: 310n,
      atFallbackPrice: 60n,
      unpriced: 0n,
    });
    expect(charge(tiersOf([], fallbacks), 10n, 0n).atFallbackPrice).to.equal(10n);
  });

  it('the steps of a month add up, also with a shrinking free amount', () => {
    const random = seededRandom(23);
    const tiers = tiersOf(known, fallbacks);
    for (let month = 0; month < 50; month += 1) {
      const meter = new MonthMeter(tiers);
      let free = BigInt(randomInteger(random, 0, 120));
      const sum = { amount: 0n, charged: 0n, atFallbackPrice: 0n, unpriced: 0n };
      for (let step = 0; step < 12; step += 1) {
        meter.add(BigInt(randomInteger(random, 0, 60)));
        if (random() < 0.4) free = free > 30n ? free - 30n : 0n;
        const cost = meter.chargeAdded(free);
        for (const key of ['amount', 'charged', 'atFallbackPrice', 'unpriced'] as const) sum[key] += cost[key];
      }
      expect(sum).to.deep.equal(charge(tiers, meter.used, free));
    }
  });
});
