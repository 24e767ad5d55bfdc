import { expect } from 'chai';
import { startOfHour } from '../../../shared/usage/periods.ts';
import { chunksOfRequests, queueRequests } from '../../../shared/usage/queue-requests.ts';
import { addUsage, emptyUsage, hasUsage } from '../../../shared/usage/stored-hour.ts';
import { sumUsage } from '../../support/merge-hours.ts';
import { buildHour, hourMs } from '../cost/build-usage.ts';

describe('sums of usage', () => {
  it('sums have what only pipelines count, where there is any', () => {
    const model = { inputTokens: 1, outputTokens: 2, estimatedEntries: 3 };
    const plain = { ...emptyUsage(), queues: { standard: 5 }, inference: { a: model } };
    const called = { calls: 4n, cacheReadTokens: 5n, cacheWriteTokens: 6n };
    const piped = {
      ...emptyUsage(),
      queues: { fifo: 7n },
      emptyReceives: 2n,
      inference: { a: { ...model, ...called } },
    };
    const sums = { inputTokens: 2, outputTokens: 4, estimatedEntries: 6 };
    for (const sum of [sumUsage([plain, piped]), sumUsage([piped, plain])]) {
      expect(sum).to.deep.include({ queues: { standard: 5, fifo: 7n }, emptyReceives: 2n });
      expect(sum.inference).to.deep.equal({ a: { ...sums, ...called } });
    }
    expect(sumUsage([plain, plain]).inference).to.deep.equal({ a: sums });
    expect(sumUsage([piped, piped])).to.deep.include({ queues: { fifo: 14n }, emptyReceives: 4n });
  });

  it('sums add up every counter but those of levels, and leave what is added as it is', () => {
    const names = Array.from({ length: 30 }, (_, index) => [
      `gpt-${index}`,
      { calls: 1, inputTokens: 2, outputTokens: 3 },
    ]);
    const usage = {
      ...buildHour({ logs: 2n, queue: 3n, invocations: 5n, mbMs: 7n, inputTokens: 11n, outputTokens: 13n }),
      sizeBytes: 17,
      piiLogs: 19,
      pii: { email: 23 },
      untimed: 29,
      usageUnread: 31,
      unpriced: Object.fromEntries(names),
      levels: {},
      timedSeconds: [1],
    };
    const into = emptyUsage();
    addUsage(into, usage);
    const before = structuredClone(usage);
    addUsage(into, usage);
    expect(usage).to.deep.equal(before);
    expect(into).to.deep.include({ logs: 4n, sizeBytes: 34, piiLogs: 38, pii: { email: 46 } });
    expect(into).to.include({ untimed: 58, usageUnread: 62 });
    expect(Object.values(into.unpriced!)).to.deep.equal(
      names.map(() => ({ calls: 2, inputTokens: 4, outputTokens: 6 })),
    );
    expect(into).to.deep.include({ queues: { standard: 6n }, functions: { x86_64: { invocations: 10n, mbMs: 14n } } });
    expect(Object.values(into.inference)[0]).to.include({ inputTokens: 22n, outputTokens: 26n });
    expect(into).not.to.have.any.keys('hour', 'levels', 'timedSeconds');
  });

  it('belongs to the hour of an instant, before 1970 too', () => {
    expect(startOfHour(Date.UTC(2026, 4, 1, 13, 59, 59, 999))).to.equal(Date.UTC(2026, 4, 1, 13));
    expect(startOfHour(-1)).to.equal(-hourMs);
  });

  it('usage is entries, or the polls of a pipeline', () => {
    expect(hasUsage(emptyUsage())).to.equal(false);
    expect(hasUsage({ ...emptyUsage(), logs: 1 })).to.equal(true);
    expect(hasUsage({ ...emptyUsage(), queues: { standard: 1n } })).to.equal(true);
  });
});

describe('requests of a queue', () => {
  it('requests are chunks of 64 KiB of the send and the receive, and one of each further action', () => {
    expect([0, 65_536, 65_537].map((bytes) => queueRequests(bytes, 1))).to.deep.equal([1, 1, 2]);
    expect([1, 2, 3, 5].map((actions) => queueRequests(65_537, actions))).to.deep.equal([2, 4, 5, 7]);
  });

  it('the chunks of messages are known from their requests', () => {
    expect(chunksOfRequests(2n * 7n + 3n * 4n, 4n, 5)).to.equal(7n);
    expect(chunksOfRequests(7n, 4n, 1)).to.equal(7n);
  });
});
