import { expect } from 'chai';
import { seededRandom } from '../../../scripts/seeded-random.ts';
import { charge, MonthMeter, tiersOf } from '../../../shared/pricing/tiers.ts';
import { integerIn } from '../../support/random-choices.ts';

const known = [
  { to: 100n, price: 7n },
  { to: 250n, price: 5n },
];
const standIns = [
  { to: 100n, price: 70n },
  { to: 300n, price: 50n },
  { to: null, price: 30n },
];

describe('tiers', () => {
  it('charge what the published formula says', () => {
    const random = seededRandom(19);
    const tiers = tiersOf([...known, { to: null, price: 2n }]);
    const max = (a: bigint, b: bigint) => (a > b ? a : b);
    const min = (a: bigint, b: bigint) => (a < b ? a : b);
    for (let round = 0; round < 500; round += 1) {
      const [used, free] = [BigInt(integerIn(random, 0, 400)), BigInt(integerIn(random, 0, 300))];
      const expected =
        max(0n, min(used, 100n) - max(0n, free)) * 7n +
        max(0n, min(used, 250n) - max(100n, free)) * 5n +
        max(0n, used - max(250n, free)) * 2n;
      expect(charge(tiers, used, free).amount).to.equal(expected);
    }
  });

  it('hold the units above their lower limit, up to and including their upper one', () => {
    const tiers = tiersOf(known);
    expect(charge(tiers, 100n, 0n).amount).to.equal(700n);
    expect(charge(tiers, 101n, 0n).amount).to.equal(705n);
  });

  it('without a known top leave the rest unpriced', () => {
    expect(charge(tiersOf(known), 260n, 0n)).to.deep.equal({
      amount: 1_450n,
      charged: 250n,
      standIn: 0n,
      unpriced: 10n,
    });
    expect(charge(tiersOf([]), 3n, 1n)).to.deep.equal({ amount: 0n, charged: 0n, standIn: 0n, unpriced: 2n });
  });

  it('of another place stand in only above what is known', () => {
    const cost = charge(tiersOf(known, standIns), 310n, 0n);
    expect(cost).to.deep.equal({ amount: 1_450n + 50n * 50n + 10n * 30n, charged: 310n, standIn: 60n, unpriced: 0n });
    expect(charge(tiersOf([], standIns), 10n, 0n).standIn).to.equal(10n);
  });

  it('add up over the steps of a month, also while the free amount shrinks', () => {
    const random = seededRandom(23);
    const tiers = tiersOf(known, standIns);
    const meter = new MonthMeter(tiers);
    for (let month = 0; month < 50; month += 1) {
      meter.startMonth();
      let free = BigInt(integerIn(random, 0, 120));
      const sum = { amount: 0n, charged: 0n, standIn: 0n, unpriced: 0n };
      for (let step = 0; step < 12; step += 1) {
        meter.use(BigInt(integerIn(random, 0, 60)));
        if (random() < 0.4) free = free > 30n ? free - 30n : 0n;
        const cost = meter.step(free);
        for (const key of ['amount', 'charged', 'standIn', 'unpriced'] as const) sum[key] += cost[key];
      }
      expect(sum).to.deep.equal(charge(tiers, meter.used, free));
    }
  });
});
