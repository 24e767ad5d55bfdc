import { expect } from 'chai';
import fc from 'fast-check';
import { type MetricsQuery, pageOf } from '../../../api/cost/metrics.routes.ts';
import type { Metrics } from '../../../api/cost/metrics.schema.ts';
import { formatCursor, parseCursor, presentMetrics } from '../../../api/cost/metrics.schema.ts';
import { priceByPage } from '../../../shared/cost/paged-cost.ts';
import { intervalLength, intervals } from '../../../shared/usage/periods.ts';
import type { HourCounters } from '../../../shared/usage/stored-hour.ts';
import { book, buildHour, byDay, defaultPricing } from '../../shared/cost/build-usage.ts';
import expected from './metrics.json' with { type: 'json' };

const id = '0b7f4a8e-8d0b-4a86-9c0e-0d6f1f6f3c11';

describe('metrics', () => {
  it('metrics show totals, the breakdown by service and every hour', async () => {
    const first: HourCounters = {
      ...buildHour({
        logs: 3n,
        queue: 9n,
        invocations: 3n,
        mbMs: 196_608n,
        inputTokens: 1_000n,
        outputTokens: 50n,
        estimatedEntries: 2n,
      }),
      sizeBytes: 345n,
      piiLogs: 2n,
      pii: { email: 2n, payment_card: 1n },
    };
    const metrics = await present([first, buildHour({ at: 2, queue: 1n })]);
    const price_book = { version: book.version, as_of: '2026-10-01' };
    // The cost is 0.000004 + 0.0000038000064 + 0.000072.
    expect(metrics).to.deep.equal({ ...expected, price_book });
  });

  it('usage without a price has the cost null, with the unpriced amounts', async () => {
    const usage = buildHour({
      queue: 7n,
      inputTokens: 5n,
      model: 'anthropic.claude-sonnet-4-6',
      invocations: 1n,
      mbMs: 1n,
    });
    const { totals, cost_breakdown, timeseries } = await present([usage], {}, 'us-gov-west-1');
    const [queue, fn, inference] = cost_breakdown;
    const nothing = { cost: null, share: null, status: 'missing' };
    expect(queue).to.deep.equal({ service: 'queue', usage: { requests: 7 }, ...nothing, unpriced: { requests: 7 } });
    expect(inference).to.deep.include({ ...nothing, unpriced: { input_tokens: 5, output_tokens: 0 } });
    expect(fn).to.deep.include({ share: '1.0000', status: 'ok' }).and.not.to.have.property('unpriced');
    expect(totals).to.deep.include({ cost: fn!.cost, status: 'missing', incomplete: true });
    expect(timeseries[0]!.cost).to.deep.equal({ queue: null, function: fn!.cost, inference: null, total: fn!.cost });
  });

  it('a page goes on with the cursor of the page before', async () => {
    const hours = [buildHour({ at: 0 }), buildHour({ at: 1 }), buildHour({ at: 4 })];
    const first = await present(hours, { limit: 2 });
    expect(first.timeseries.map(({ logs }) => logs)).to.deep.equal([1, 1]);
    const second = await present(hours, { limit: 2, ...cursorOf(first) });
    expect(second.timeseries.map(({ hour, logs }) => [hour, logs])).to.deep.equal([['2026-05-01T04:00:00.000Z', 1]]);
    expect(second.next).to.equal(null);
    expect(second.totals).to.deep.equal(first.totals);
  });

  it('a cursor is read as it was written, and refused within an interval', () => {
    const hour = fc.nat({ max: 1_100_000 });
    fc.assert(
      fc.property(
        fc.constantFrom(...intervals),
        hour,
        fc.integer({ min: 1, max: 3_599_999 }),
        (interval, hours, rest) => {
          const start = Math.floor((hours * 3_600_000) / intervalLength(interval)) * intervalLength(interval);
          expect(parseCursor(formatCursor({ interval, start }))).to.deep.equal({ interval, start });
          expect(parseCursor(formatCursor({ interval, start: start + rest }))).to.equal(undefined);
        },
      ),
    );
  });
});

function cursorOf({ next }: Metrics): Pick<MetricsQuery, 'cursor'> {
  return { cursor: parseCursor(next!)! };
}

type Query = { [Key in keyof MetricsQuery]?: MetricsQuery[Key] | undefined };

async function present(hours: HourCounters[], query: Query = {}, region = 'us-east-1'): Promise<Metrics> {
  const { from, to, ...page } = { interval: 'hour', limit: 2_000, ...query } as MetricsQuery;
  const pricing = { ...defaultPricing, region, from, to };
  const cost = await priceByPage(byDay(hours), pricing, pageOf(page));
  return presentMetrics(id, pricing, cost, { pending: 3, failed: 2 });
}
