import { expect } from 'chai';
import { formatMoney } from '../../../shared/cost/money.ts';
import { observedHours, projectMonth } from '../../../shared/cost/projection.ts';
import { book, buildHour, firstHour, hourMs, priceOf } from './build-usage.ts';

const pricing = { region: 'us-east-1', book, fallback: 'us-east-1', assumptions: {} } as const;
const freeTier = { ...pricing, assumptions: { free_tier: true } };
const nova = 'amazon.nova-lite-v1:0';
const fourEntries = buildHour({
  logs: 4n,
  queue: 12n,
  invocations: 4n,
  mbMs: 4n * 512n * 128n,
  inputTokens: 10n,
  outputTokens: 3n,
});

describe('a projected month', () => {
  it('the projection of a whole multiple of the usage costs what a month of it costs', async () => {
    const times = 25_000_000_000n;
    const expected = priceOf(
      [
        buildHour({
          logs: 4n * times,
          queue: 12n * times,
          invocations: 4n * times,
          mbMs: 4n * 512n * 128n * times,
          inputTokens: 10n * times,
          outputTokens: 3n * times,
        }),
      ],
      freeTier,
    );
    const { services, total, usage } = await projectMonth(fourEntries, { times, over: 1n }, freeTier);
    expect({ services, total, usage }).to.deep.equal({
      services: expected.services,
      total: expected.total,
      usage: expected.usage,
    });
  });

  it('has a multiple of every counter', async () => {
    const hour = buildHour({ queue: 1n, invocations: 2n, mbMs: 3n, inputTokens: 5n, outputTokens: 7n });
    const counters = { logs: 11n, sizeBytes: 13n, piiLogs: 17n };
    const usage = {
      ...hour,
      ...counters,
      pii: [{ type: 'email' as const, count: 19n }],
      functions: [{ ...hour.functions[0]!, otherMemoryInvocations: 23n }],
      inference: [{ ...hour.inference[0]!, estimatedEntries: 29n }],
    };
    const { usage: projected } = await projectMonth(usage, { times: 10n, over: 3n }, pricing);
    expect(projected).to.deep.equal({
      logs: 110n,
      sizeBytes: 130n,
      piiLogs: 170n,
      pii: [{ type: 'email', count: 190n }],
      queues: [{ type: 'standard', requests: 10n }],
      functions: [{ architecture: 'x86_64', invocations: 20n, mbMs: 30n, otherMemoryInvocations: 230n }],
      inference: [{ model: nova, inputTokens: 50n, outputTokens: 70n, estimatedEntries: 290n }],
    });
  });

  it('has the free amounts of functions in whole units, and no price where the book has none', async () => {
    const gbSecond = 1_024_000n;
    const usage = buildHour({ invocations: 3_000_003n, mbMs: 3n * 400_001n * gbSecond });
    const { services } = await projectMonth(usage, { times: 1n, over: 3n }, freeTier);
    expect(formatMoney(services.function.amount! / 3n)).to.equal('0.000016866700');
    const gone = await projectMonth(usage, { times: 1n, over: 3n }, { ...freeTier, region: 'gone' });
    expect(gone.services.function.amount).to.equal(null);
  });

  it('the projection of a fraction of the usage is exact: amounts are integers over the denominator', async () => {
    // 7/3 of four entries: 28 requests, 4,000,000,000/3 above the free amount at the same price.
    const { services, over } = await projectMonth(fourEntries, { times: 7n, over: 3n }, pricing);
    expect(over).to.equal(3n);
    expect(services.queue.amount).to.equal(12n * 7n * (40n * 10n ** 20n));
    expect(formatMoney(services.queue.amount! / over)).to.equal('0.000011200000');
  });

  it('counts tiers and free amounts in whole units', async () => {
    // A third of 300,000,000,003 requests is 100,000,000,001: one above the first tier.
    const requests = buildHour({ queue: 300_000_000_003n });
    const plain = await projectMonth(requests, { times: 1n, over: 3n }, pricing);
    expect(formatMoney(plain.services.queue.amount! / 3n)).to.equal('40000.000000300000');
    const free = await projectMonth(requests, { times: 1n, over: 3n }, freeTier);
    expect(formatMoney(free.services.queue.amount! / 3n)).to.equal('39999.600000300000');
  });

  it('rests on more than one hour', () => {
    const at = (hours: number) => new Date(firstHour + hours * hourMs);
    expect(observedHours(at(0), at(0))).to.equal(undefined);
    expect(observedHours(at(0), at(1))).to.equal(2n);
    expect(observedHours(at(0), at(9))).to.equal(10n);
  });
});
