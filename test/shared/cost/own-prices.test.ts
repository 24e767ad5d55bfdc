import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { atListPrices } from '../../../api/cost/explanation.routes.ts';
import { moneyDecimals, parseDecimal } from '../../../shared/cost/money.ts';
import type { OwnPrice, PriceOverride } from '../../../shared/cost/price-books.model.ts';
import type { ChargeLine } from '../../../shared/cost/price-month.ts';
import { priceMonths, sumMonths } from '../../../shared/cost/scenario-cost.ts';
import { tokenPrice } from '../../../shared/cost/token-price.ts';
import { seededRandom } from '../../../shared/seeded-random.ts';
import type { HourCounters } from '../../../shared/usage/stored-hour.ts';
import { book, buildHour, byDay, priceOf, randomHour } from './build-usage.ts';

const nova = 'amazon.nova-lite-v1:0';
const may = new Date(Date.UTC(2026, 4));

const override = (fields: Partial<PriceOverride> & Pick<PriceOverride, 'service'>): PriceOverride => ({
  id: randomUUID(),
  discountPercent: null,
  price: null,
  note: '',
  setBy: randomUUID(),
  setAt: new Date(),
  ...fields,
});
const discount = (service: PriceOverride['service'], discountPercent: string, fields: Partial<PriceOverride> = {}) =>
  override({ service, discountPercent, ...fields });
const own = (service: PriceOverride['service'], price: OwnPrice, fields: Partial<PriceOverride> = {}) =>
  override({ service, price, ...fields });
const standard = (amount: string, region: string | null = null) =>
  own('queue', { item: 'standard', kind: 'request', region, amount });

const bookWith = (...overrides: PriceOverride[]): typeof book => ({ ...book, overrides });
const usd = (amount: string) => parseDecimal(amount, moneyDecimals);
const explain = async (hours: readonly HourCounters[], changed: typeof book, region = 'us-east-1') => {
  const usage = await sumMonths(byDay(hours), {});
  const pricing = { region, fallback: 'us-east-1', assumptions: { free_tier: true }, book: changed } as const;
  return (await priceMonths(usage, pricing)).months.flatMap(({ lines }) => lines.flatMap(atListPrices));
};
const sum = (lines: readonly ChargeLine[], service: string) =>
  lines.reduce((all, line) => all + (line.service === service ? (line.amount ?? 0n) : 0n), 0n);

describe('own prices', () => {
  it('a service is discounted exactly, in every tier, and no other service is', () => {
    const random = seededRandom(5);
    const hours = Array.from({ length: 20 }, () => randomHour(random));
    const list = priceOf(hours).services;
    const discounted = priceOf(hours, { book: bookWith(discount('function', '12.34')) }).services;
    expect(discounted.function.amount! * 10_000n).to.equal(list.function.amount! * 8_766n);
    expect(discounted.queue).to.deep.equal(list.queue);
    expect(discounted.inference).to.deep.equal(list.inference);
  });

  it('own prices apply to the part of a month after the start of a period', () => {
    const hours = [buildHour({ queue: 1_000_000n }), buildHour({ at: 10, queue: 1_000_000n })];
    const from = new Date(may.getTime() + 5 * 3_600_000);
    const { services } = priceOf(hours, { book: bookWith(discount('queue', '50')), from });
    expect(services.queue.amount).to.equal(usd('0.20'));
  });

  it('own prices replace the list price, first that of the Region, and are not discounted', () => {
    const hours = [buildHour({ queue: 1_000_000n })];
    const changed = bookWith(discount('queue', '50'), standard('0.3'), standard('0.2', 'eu-west-1'));
    expect(priceOf(hours, { book: changed }).services.queue.amount).to.equal(usd('0.30'));
    expect(priceOf(hours, { book: changed, region: 'eu-west-1' }).services.queue.amount).to.equal(usd('0.20'));
    const fifo = [buildHour({ queue: 1_000_000n, queueType: 'fifo' })];
    expect(priceOf(fifo, { book: changed }).services.queue.amount).to.equal(usd('0.25'));
  });

  it('own prices of the function apply in their Region', () => {
    const hours = [buildHour({ mbMs: 1_024_000n })];
    const price = { item: 'x86_64', kind: 'gb_second', region: 'eu-west-1', amount: '0.5' } as const;
    const changed = bookWith(own('function', price));
    const costIn = (region: string) => priceOf(hours, { book: changed, region }).services.function.amount;
    expect([costIn('eu-west-1'), costIn('us-east-1')]).to.deep.equal([usd('0.5'), usd('0.0000166667')]);
  });

  it('units without a price in the price book get their own one, in one line', async () => {
    const region = 'af-south-1';
    const hours = [buildHour({ queue: 200_000_000_000n })];
    const changed = bookWith(standard('0.25', region));
    const { queue } = priceOf(hours, { book: changed, region, fallback: 'off' }).services;
    expect(queue).to.deep.equal({ amount: usd('50000'), status: 'ok', unpriced: null });
    const lines = await explain(hours, changed, region);
    expect(lines.filter(({ isFree }) => !isFree)).to.have.length(1);
  });

  it('own prices of tokens apply to one kind in one Region, whose other prices stay', () => {
    const hours = [buildHour({ inputTokens: 1_000n, outputTokens: 1_000n })];
    const price = { item: nova, kind: 'input', region: 'ap-southeast-2', amount: '0.00001' } as const;
    const changed = bookWith(own('inference', price));
    const costIn = (region: string, of = changed) => priceOf(hours, { book: of, region }).services.inference.amount!;
    const input = tokenPrice(book, nova, 'ap-southeast-2', 'input')!.tiers[0]!.price;
    expect(costIn('ap-southeast-2', book) - costIn('ap-southeast-2')).to.equal(input * 1_000n - usd('0.00001'));
    expect(costIn('us-east-1')).to.equal(costIn('us-east-1', book));
  });

  it('own prices are two lines, list price and override, that add up to the cost', async () => {
    const random = seededRandom(17);
    const changed = bookWith(
      discount('function', '7.5'),
      discount('queue', '20'),
      standard('0.33', 'us-east-1'),
      own('inference', { item: nova, kind: 'output', region: null, amount: '0.0001' }),
    );
    for (let round = 0; round < 10; round += 1) {
      const hours = Array.from({ length: 20 }, () => randomHour(random));
      const lines = await explain(hours, changed);
      const cost = priceOf(hours, { book: changed, assumptions: { free_tier: true } });
      const list = priceOf(hours, { assumptions: { free_tier: true } });
      const listed = lines.filter(({ override: of }) => !of);
      for (const service of ['queue', 'function', 'inference'] as const) {
        expect(sum(lines, service), service).to.equal(cost.services[service].amount);
        expect(sum(listed, service), `${service} at list prices`).to.equal(list.services[service].amount);
      }
      for (const { units, price, amount } of lines) expect(amount).to.equal(units * price!);
    }
  });
});
