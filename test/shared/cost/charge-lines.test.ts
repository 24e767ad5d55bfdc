import { expect } from 'chai';
import type { ChargeLine } from '../../../shared/cost/charge-line.ts';
import { explainMonths } from '../../../shared/cost/charge-lines.ts';
import { createPriceBook } from '../../../shared/cost/load-price-book.ts';
import { priceMonths, sumMonths } from '../../../shared/cost/monthly-usage.ts';
import type { PriceBookFile } from '../../../shared/cost/price-book-file.ts';
import { keyOf } from '../../../shared/cost/price-line.ts';
import type { PricingTerms } from '../../../shared/cost/service-cost.ts';
import { seededRandom } from '../../../shared/seeded-random.ts';
import type { Period } from '../../../shared/usage/periods.ts';
import type { HourUsage } from '../../../shared/usage/usage.ts';
import { changedBook } from '../../support/changed-book.ts';
import { randomInteger } from '../../support/random-choices.ts';
import { book, buildHour, byDay, firstHour, hourMs, priceOf, randomHour } from './build-usage.ts';

type Pricing = Pick<PricingTerms, 'region' | 'fallback'> & { freeTier: boolean; asModel?: string };

const nova = 'amazon.nova-lite-v1:0';
const usEast: Pricing = { region: 'us-east-1', fallback: 'us-east-1', freeTier: false };

async function explain(
  hours: readonly HourUsage[],
  pricing: Partial<Pricing & Pick<PricingTerms, 'book'>> = {},
  period: Period = {},
) {
  const usage = await sumMonths(byDay(hours), period);
  return [...explainMonths(usage, { ...usEast, book, ...pricing })];
}

const amountOf = (lines: readonly ChargeLine[], service: string) =>
  lines.filter((line) => line.service === service).reduce((sum, { amount }) => sum + (amount ?? 0n), 0n);

describe('the lines of a cost', () => {
  it('lines add up to the cost of the same period, in every region, with and without free tier', async () => {
    const random = seededRandom(11);
    const variants: Pricing[] = [
      usEast,
      { ...usEast, freeTier: true },
      { region: 'eu-west-1', fallback: 'off', freeTier: true },
      {
        region: 'eu-west-1',
        fallback: 'us-east-1',
        freeTier: false,
        asModel: 'anthropic.claude-haiku-4-5-20251001-v1:0',
      },
      { region: 'us-gov-west-1', fallback: 'us-east-1', freeTier: true },
    ];
    for (let round = 0; round < 20; round += 1) {
      const hours = Array.from({ length: 30 }, () => randomHour(random));
      const cut = (from: number, to: number) => new Date(firstHour + randomInteger(random, from, to) * hourMs);
      const period = round === 0 ? {} : { from: cut(0, 800), to: cut(900, 1_500) };
      for (const { freeTier, ...pricing } of variants) {
        const assumptions = { free_tier: freeTier };
        const expected = priceOf(hours, { ...pricing, ...period, assumptions });
        const lines = (await explain(hours, { freeTier, ...pricing }, period)).flatMap((month) => month.lines);
        for (const service of ['queue', 'function', 'inference'] as const) {
          expect(amountOf(lines, service)).to.equal(expected.lines[service].amount ?? 0n);
          const isUnpriced = lines.some((line) => line.service === service && line.amount === null);
          expect(isUnpriced).to.equal(expected.lines[service].unpriced !== null);
          const isEstimated = lines.some((line) => line.service === service && line.isEstimated);
          const { status } = expected.lines[service];
          if (status === 'ok' || status === 'estimated') expect(isEstimated).to.equal(status === 'estimated');
        }
        const months = await priceMonths(await sumMonths(byDay(hours), period), { ...pricing, book, assumptions });
        expect(months.total).to.deep.equal(expected.total);
        expect(months.lines).to.deep.equal(expected.lines);
        expect(months.usage).to.deep.equal(expected.usage);
      }
    }
  });

  it('a month is split by its tiers, with the source of every price', async () => {
    const [month] = await explain([buildHour({ queue: 100_000_000_001n })], { region: 'eu-west-1' });
    expect(month?.month).to.equal(firstHour);
    const queueOrigin = (scope: string) => book.origin({ service: 'queue', scope, item: 'standard', kind: 'request' });
    const [first, second] = month!.lines;
    expect(first).to.deep.include({
      units: 100_000_000_000n,
      tier: { from: 0n, to: 100_000_000_000n },
      isFallback: false,
    });
    expect(first?.origin).to.deep.equal({ region: 'eu-west-1', ...queueOrigin('eu-west-1') });
    // Above the tier that is known for eu-west-1, the price of us-east-1 stands in.
    expect(second).to.deep.include({ units: 1n, isFallback: true, price: 3n * 10n ** 21n, amount: 3n * 10n ** 21n });
    expect(second?.origin).to.deep.equal({ region: 'us-east-1', ...queueOrigin('us-east-1') });
    expect(month?.lines).to.have.length(2);
  });

  it('free units have a line, first those of the type that comes first', async () => {
    const hours = [buildHour({ queue: 900_000n }), buildHour({ at: 1, queue: 400_001n, queueType: 'fifo' })];
    const [month] = await explain(hours, { freeTier: true });
    expect(month?.lines.map(({ of, units, isFree }) => ({ of, units, isFree }))).to.deep.equal([
      { of: 'standard', units: 900_000n, isFree: true },
      { of: 'fifo', units: 100_000n, isFree: true },
      { of: 'fifo', units: 300_001n, isFree: false },
    ]);
  });

  it('lines are estimates at a price that is stale, or of a second source', async () => {
    const line = { service: 'inference', scope: 'us-east-1', item: nova } as const;
    const stale = changedBook((file) => {
      const { as_of, sources } = file.inference.models.find(({ id }) => id === nova)!;
      const evidence = { effective_from: null, as_of, sources, stale: true } as const;
      file.evidence = { [keyOf({ ...line, kind: 'cache_read' })]: evidence };
    });
    const second = changedBook((file) => {
      file.inference.models.find(({ id }) => id === nova)!.status = 'second_source';
    });
    const hour = buildHour({ model: nova, inputTokens: 5n, outputTokens: 5n });
    const [row] = hour.inference;
    const cached = { ...hour, inference: [{ ...row!, cacheReadTokens: 5n }] };
    const estimated = async (file: PriceBookFile, of: HourUsage) => {
      const changed = createPriceBook(file);
      const lines = (await explain([of], { book: changed })).flatMap((month) => month.lines);
      const { status } = priceOf([of], { book: changed }).lines.inference;
      return [status, lines.filter(({ isEstimated }) => isEstimated).map(({ item }) => item)];
    };
    expect(await estimated(stale, hour)).to.deep.equal(['ok', []]);
    expect(await estimated(stale, cached)).to.deep.equal(['estimated', ['cache_read_tokens']]);
    expect(await estimated(second, hour)).to.deep.equal(['estimated', ['input_tokens', 'output_tokens']]);
  });

  it('a model without a price has a line without an amount', async () => {
    const [month] = await explain([buildHour({ inputTokens: 7n, model: 'amazon.nova-pro-v1:0' })], {
      region: 'sa-east-1',
    });
    expect(month?.lines).to.have.length(1);
    expect(month?.lines[0]).to.deep.include({ units: 7n, price: null, amount: null, origin: null });
  });
});
