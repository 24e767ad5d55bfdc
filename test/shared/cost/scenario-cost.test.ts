import { expect } from 'chai';
import { formatExactMoney, formatMoney } from '../../../shared/cost/money.ts';
import { createScenarioPricer, type ScenarioPricing } from '../../../shared/cost/scenario-cost.ts';
import { seededRandom } from '../../../shared/seeded-random.ts';
import { usageNeededFor } from '../../../shared/usage/periods.ts';
import { mergeHours } from '../../support/merge-hours.ts';
import { randomInteger } from '../../support/random-choices.ts';
import { buildHour, defaultPricing, firstHour, hourMs, priceOf, randomHour } from './build-usage.ts';

const freeTier: Partial<ScenarioPricing> = { assumptions: { free_tier: true } };

describe('the cost of a scenario', () => {
  it('is exactly the sum of its buckets, also across tiers and free amounts', () => {
    const random = seededRandom(3);
    for (const pricing of [{}, freeTier, { ...freeTier, fallback: 'off' as const, region: 'eu-west-1' }]) {
      const hours = Array.from({ length: 60 }, () => randomHour(random));
      const whole = priceOf(hours, pricing);
      for (const interval of ['hour', 'day'] as const) {
        const { buckets, total } = priceOf(hours, { ...pricing, interval });
        expect(buckets.reduce((sum, { cost }) => sum + (cost.total.amount ?? 0n), 0n)).to.equal(total.amount);
        expect(total).to.deep.equal(whole.total);
      }
    }
  });

  it('the costs of two adjoining periods add up to that of the whole period', () => {
    const random = seededRandom(7);
    const hours = Array.from({ length: 40 }, () => randomHour(random));
    const whole = priceOf(hours, freeTier).total.amount!;
    for (let round = 0; round < 20; round += 1) {
      const cut = new Date(firstHour + randomInteger(random, 0, 1_500) * hourMs);
      const before = priceOf(hours, { ...freeTier, to: cut }).total.amount!;
      const after = priceOf(hours, { ...freeTier, from: cut }).total.amount!;
      expect(before + after).to.equal(whole);
    }
  });

  it('free units of a period are those that its month has left, from the first hour on', () => {
    const hours = [0, 10].map((at) => buildHour({ at, queue: 1_000_000n }));
    const { services } = priceOf(hours, { ...freeTier, from: new Date(firstHour + 5 * hourMs) });
    expect(formatMoney(services.queue.amount!)).to.equal('0.400000000000');
  });

  it('is the same for all usage and for the usage that the period needs', () => {
    const random = seededRandom(9);
    const hours = mergeHours(Array.from({ length: 40 }, () => randomHour(random)));
    const period = { from: new Date(firstHour + 800.5 * hourMs), to: new Date(firstHour + 1_000.5 * hourMs) };
    const needed = usageNeededFor(period);
    expect(needed).to.deep.equal({ from: new Date(Date.UTC(2026, 5, 1)), to: new Date(firstHour + 1_001 * hourMs) });
    const enough = hours.filter(({ hour }) => hour >= needed.from! && hour < needed.to!);
    expect(enough.length).to.be.lessThan(hours.length);
    expect(priceOf(enough, { ...freeTier, ...period })).to.deep.equal(priceOf(hours, { ...freeTier, ...period }));
  });

  it('has zero buckets between the first and the last hour with entries only', () => {
    const hours = [buildHour({ at: 2, queue: 1n }), buildHour({ at: 5, queue: 1n })];
    const { buckets, period } = priceOf(hours, { from: new Date(firstHour), to: new Date(firstHour + 24 * hourMs) });
    expect(buckets.map(({ start }) => (start - firstHour) / hourMs)).to.deep.equal([2, 3, 4, 5]);
    expect(buckets.map(({ usage }) => usage.logs === 0)).to.deep.equal([false, true, true, false]);
    expect(buckets[1]!.cost.total).to.deep.equal({ amount: 0n, status: 'ok', incomplete: false });
    expect(period).to.deep.equal({ from: new Date(firstHour), to: new Date(firstHour + 24 * hourMs) });
  });

  it('rounds a period outward to whole hours', () => {
    const hours = [0, 1, 2, 3].map((at) => buildHour({ at, queue: 1n }));
    const pricing = { from: new Date(firstHour + 1.9 * hourMs), to: new Date(firstHour + 2.1 * hourMs) };
    expect(priceOf(hours, pricing).usage.logs).to.equal(2n);
    expect(priceOf(hours, { to: new Date(firstHour + 2 * hourMs) }).usage.logs).to.equal(2n);
  });

  it('has buckets of days, which begin at midnight UTC', () => {
    const hours = [5, 23, 24, 72].map((at) => buildHour({ at, queue: 10n }));
    const { buckets } = priceOf(hours, { interval: 'day' });
    expect(buckets.map(({ start }) => (start - firstHour) / (24 * hourMs))).to.deep.equal([0, 1, 2, 3]);
    expect(buckets.map(({ usage }) => Number(usage.logs))).to.deep.equal([2, 1, 0, 1]);
    const costs = buckets.map(({ cost }) => formatExactMoney(cost.services.queue.amount!));
    expect(costs).to.deep.equal(['0.000008', '0.000004', '0', '0.000004']);
  });

  it('is zero and ok without usage, even in a Region without prices', () => {
    const { total, services, period, buckets } = priceOf([], { region: 'us-gov-west-1' });
    expect(total).to.deep.equal({ amount: 0n, status: 'ok', incomplete: false });
    expect(services.queue).to.deep.equal({ amount: 0n, status: 'ok', unpriced: null });
    expect(period).to.deep.equal({ from: null, to: null });
    expect(buckets).to.deep.equal([]);
  });

  it('adds up the usage without a price', () => {
    const usage = { queue: 2n, invocations: 3n, mbMs: 5n, inputTokens: 7n, outputTokens: 11n };
    const { services } = priceOf([buildHour(usage), buildHour({ ...usage, at: 1 })], { region: 'gone' });
    const missing = { amount: null, status: 'missing' };
    expect(services).to.deep.equal({
      queue: { ...missing, unpriced: { requests: 4n } },
      function: { ...missing, unpriced: { invocations: 6n, compute: 10n } },
      inference: { ...missing, unpriced: { input_tokens: 14n, output_tokens: 22n } },
    });
  });

  it('has the period of its entries where the requested one is open', () => {
    const hours = [buildHour({ at: 2, queue: 1n }), buildHour({ at: 5, queue: 1n })];
    const at = (hour: number) => new Date(firstHour + hour * hourMs);
    expect(priceOf(hours).period).to.deep.equal({ from: at(2), to: at(6) });
    expect(priceOf(hours, { from: at(0) }).period).to.deep.equal({ from: at(0), to: at(6) });
    expect(priceOf(hours, { to: at(9) }).period).to.deep.equal({ from: at(2), to: at(9) });
    const pricer = createScenarioPricer({ ...defaultPricing, from: at(3) }, 'hour');
    expect(pricer.spanHours()).to.equal(0);
    for (const hour of [...hours, buildHour({ at: 7 })]) pricer.add(hour);
    expect(pricer.spanHours()).to.equal(3);
  });

  it('is an estimate if the scenario has a pipeline', () => {
    const hours = [buildHour({ queue: 1n })];
    const { hasPipeline, services } = priceOf(hours, { assumptions: { pipeline: {} } });
    expect([hasPipeline, services.queue.status]).to.deep.equal([true, 'estimated']);
    for (const assumptions of [{}, null, undefined]) {
      const cost = priceOf(hours, { assumptions });
      expect([cost.hasPipeline, cost.services.queue.status]).to.deep.equal([false, 'ok']);
    }
  });

  it('has the output tokens that the scenario assumes', () => {
    const hour = buildHour({ inputTokens: 1n });
    const assumptions = { inference: { output_tokens_per_entry: 1_000 } };
    const [[field, row] = []] = Object.entries(hour.inference);
    const usage = { ...hour, inference: { [field!]: { ...row!, entriesWithoutOutput: 2n } } };
    const { services } = priceOf([usage], { assumptions });
    expect(formatMoney(services.inference.amount!)).to.equal('0.000480060000');
  });

  it('has the worst status of its services, and is the sum of the known lines', () => {
    const hour = { queue: 1n, invocations: 1n, mbMs: 128n, inputTokens: 1_000n, estimatedEntries: 1n };
    expect(priceOf([buildHour(hour)]).total.status).to.equal('estimated');
    expect(priceOf([buildHour(hour)], { region: 'eu-west-2' }).total.status).to.equal('unverified');
    const { total, services } = priceOf([buildHour(hour)], { region: 'us-gov-west-1' });
    expect(services.queue.amount).to.equal(null);
    const known = services.function.amount! + services.inference.amount!;
    expect(total).to.deep.equal({ amount: known, status: 'missing', incomplete: true });
  });
});
