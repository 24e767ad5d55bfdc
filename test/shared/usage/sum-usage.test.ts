import { expect } from 'chai';
import { chunksOfRequests, queueRequests } from '../../../shared/usage/queue-requests.ts';
import { addRows, addUsage, compare, emptyUsage, hasUsage, startOfHour } from '../../../shared/usage/usage.ts';
import { sumUsage } from '../../support/merge-hours.ts';
import { buildHour, hourMs } from '../cost/build-usage.ts';

describe('sums of usage', () => {
  it('sums have their lists in the fixed order', () => {
    const hours = [buildHour({ queue: 1n, queueType: 'fifo' }), buildHour({ queue: 2n })];
    expect(sumUsage(hours).queues.map(({ type }) => type)).to.deep.equal(['standard', 'fifo']);
    const models = ['b', 'a', 'c', 'a.b'].map((model) => buildHour({ model, inputTokens: 1n }));
    expect(sumUsage(models).inference.map(({ model }) => model)).to.deep.equal(['a', 'a.b', 'b', 'c']);
    expect([compare('a', 'b'), compare('b', 'a'), compare('a', 'a')]).to.deep.equal([-1, 1, 0]);
  });

  it('sums have what only pipelines count, where there is any', () => {
    const inference = { model: 'a', inputTokens: 1n, outputTokens: 2n, estimatedEntries: 3n };
    const plain = { ...emptyUsage(), queues: [{ type: 'standard' as const, requests: 5n }], inference: [inference] };
    const piped = {
      ...emptyUsage(),
      queues: [{ type: 'standard' as const, requests: 7n, emptyReceives: 2n }],
      inference: [{ ...inference, calls: 4n, cacheReadTokens: 5n, cacheWriteTokens: 6n }],
    };
    const sums = { inputTokens: 2n, outputTokens: 4n, estimatedEntries: 6n };
    const called = { calls: 4n, cacheReadTokens: 5n, cacheWriteTokens: 6n };
    for (const sum of [sumUsage([plain, piped]), sumUsage([piped, plain])]) {
      expect(sum.queues).to.deep.equal([{ type: 'standard', requests: 12n, emptyReceives: 2n }]);
      expect(sum.inference).to.deep.equal([{ model: 'a', ...sums, ...called }]);
    }
    expect(sumUsage([plain, plain]).inference).to.deep.equal([{ model: 'a', ...sums }]);
    expect(sumUsage([plain, plain]).queues).to.deep.equal([{ type: 'standard', requests: 10n }]);
    const twice = sumUsage([piped, piped]);
    expect(twice.queues).to.deep.equal([{ type: 'standard', requests: 14n, emptyReceives: 4n }]);
    expect(twice.inference[0]).to.include({ calls: 8n, cacheReadTokens: 10n, cacheWriteTokens: 12n });
    const onlyCalls = { ...emptyUsage(), inference: [{ ...inference, calls: 1n }] };
    expect(sumUsage([onlyCalls, onlyCalls]).inference).to.deep.equal([{ model: 'a', ...sums, calls: 2n }]);
    const cached = { ...emptyUsage(), inference: [{ ...inference, cacheWrite1hTokens: 3n }] };
    expect(sumUsage([cached, plain, cached]).inference[0]).to.include({ cacheWrite1hTokens: 6n });
  });

  it('sums add up every counter, and leave the rows that are added as they are', () => {
    const usage = {
      ...buildHour({ logs: 2n, queue: 3n, invocations: 5n, mbMs: 7n, inputTokens: 11n, outputTokens: 13n }),
      sizeBytes: 17n,
      piiLogs: 19n,
      pii: [{ type: 'email' as const, count: 23n }],
      untimed: 29n,
      usageUnread: 31n,
      unpriced: [{ name: 'gpt', calls: 37n, inputTokens: 41n, outputTokens: 43n }],
    };
    const into = emptyUsage();
    addUsage(into, usage);
    const before = structuredClone(usage);
    addUsage(into, usage);
    expect(usage).to.deep.equal(before);
    expect(into).to.deep.include({ logs: 4n, sizeBytes: 34n, piiLogs: 38n, pii: [{ type: 'email', count: 46n }] });
    expect(into).to.include({ untimed: 58n, usageUnread: 62n });
    expect(into.unpriced).to.deep.equal([{ name: 'gpt', calls: 74n, inputTokens: 82n, outputTokens: 86n }]);
    expect(into.queues).to.deep.equal([{ type: 'standard', requests: 6n }]);
    expect(into.functions[0]).to.include({ invocations: 10n, mbMs: 14n });
    expect(into.inference[0]).to.include({ inputTokens: 22n, outputTokens: 26n });
    const rows = [{ key: 'a', count: 1 }];
    expect(addRows([], rows, 'key', () => {})[0]).to.not.equal(rows[0]);
  });

  it('belongs to the hour of an instant, before 1970 too', () => {
    expect(startOfHour(Date.UTC(2026, 4, 1, 13, 59, 59, 999))).to.equal(Date.UTC(2026, 4, 1, 13));
    expect(startOfHour(-1)).to.equal(-hourMs);
  });

  it('usage is entries, or the polls of a pipeline', () => {
    expect(hasUsage(emptyUsage())).to.equal(false);
    expect(hasUsage({ ...emptyUsage(), logs: 1n })).to.equal(true);
    expect(hasUsage({ ...emptyUsage(), queues: [{ type: 'standard', requests: 1n }] })).to.equal(true);
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
