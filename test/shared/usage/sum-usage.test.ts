import { expect } from 'chai';
import { addRows, compare } from '../../../shared/usage/add-rows.ts';
import { chunksOfRequests, queueRequests } from '../../../shared/usage/queue-requests.ts';
import {
  addUsage,
  emptyUsage,
  HourSums,
  hasUsage,
  lastHourOf,
  sumParts,
  sumUsage,
} from '../../../shared/usage/usage.ts';
import { buildHour, firstHour, hourMs } from '../cost/build-usage.ts';

const at = (hours: number) => new Date(firstHour + hours * hourMs);
const day = 24 * hourMs;

describe('sums of usage', () => {
  it('sums of parts have their first and last hour, in any order, without hours that have no entries', () => {
    const [one, two, three] = [2, 5, 9].map((hour) => buildHour({ at: hour, queue: 1n, queueType: 'fifo' }));
    const empty = { ...emptyUsage(), hour: at(0) };
    const sum = sumParts([two!, one!, three!, empty, { ...empty, hour: at(20) }]);
    expect(sum).to.deep.equal({ ...sumUsage([one!, two!, three!]), hour: at(2), last: at(9) });
    expect(sumParts([one!])).to.deep.equal({ ...sumUsage([one!]), hour: at(2), last: at(2) });
    expect(sumParts([sum!, buildHour({ at: 4 })]))
      .to.include({ logs: 4n })
      .and.deep.include({ last: at(9) });
    expect(sumParts([])).to.equal(undefined);
    expect(sumParts([empty])).to.equal(undefined);
    expect([lastHourOf(sum!), lastHourOf(one!)]).to.deep.equal([at(9), at(2)]);
  });

  it('sums have their lists in the fixed order', () => {
    const hours = [buildHour({ queue: 1n, queueType: 'fifo' }), buildHour({ queue: 2n })];
    for (const sum of [sumUsage(hours), sumParts(hours)]) {
      expect(sum?.queues.map(({ type }) => type)).to.deep.equal(['standard', 'fifo']);
    }
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
    for (const order of [
      [plain, piped],
      [piped, plain],
    ]) {
      const sum = sumUsage(order);
      expect(sum.queues).to.deep.equal([{ type: 'standard', requests: 12n, emptyReceives: 2n }]);
      expect(sum.inference).to.deep.equal([{ model: 'a', ...sums, ...called }]);
    }
    expect(sumUsage([plain, plain]).inference).to.deep.equal([{ model: 'a', ...sums }]);
    expect(sumUsage([plain, plain]).queues).to.deep.equal([{ type: 'standard', requests: 10n }]);
    const twice = sumUsage([piped, piped]);
    expect(twice.queues).to.deep.equal([{ type: 'standard', requests: 14n, emptyReceives: 4n }]);
    expect(twice.inference[0]).to.include({ calls: 8n, cacheReadTokens: 10n, cacheWriteTokens: 12n });
    const onlyCalls = { ...emptyUsage(), inference: [{ ...inference, calls: 1n }] };
    expect(sumUsage([onlyCalls, onlyCalls]).inference[0]).to.include({
      calls: 2n,
      cacheReadTokens: 0n,
      cacheWriteTokens: 0n,
    });
  });

  it('sums add up every counter, and leave the rows that are added as they are', () => {
    const usage = {
      ...buildHour({ logs: 2n, queue: 3n, invocations: 5n, mbMs: 7n, inputTokens: 11n, outputTokens: 13n }),
      sizeBytes: 17n,
      piiLogs: 19n,
      pii: [{ type: 'email' as const, count: 23n }],
    };
    const into = emptyUsage();
    addUsage(into, usage);
    const before = structuredClone(usage);
    addUsage(into, usage);
    expect(usage).to.deep.equal(before);
    expect(into).to.deep.include({ logs: 4n, sizeBytes: 34n, piiLogs: 38n, pii: [{ type: 'email', count: 46n }] });
    expect(into.queues).to.deep.equal([{ type: 'standard', requests: 6n }]);
    expect(into.functions[0]).to.include({ invocations: 10n, mbMs: 14n });
    expect(into.inference[0]).to.include({ inputTokens: 22n, outputTokens: 26n });
    const rows = [{ key: 'a', count: 1 }];
    expect(addRows([], rows, 'key', () => {})[0]).to.not.equal(rows[0]);
  });

  it('usage is entries, or the polls of a pipeline', () => {
    expect(hasUsage(emptyUsage())).to.equal(false);
    expect(hasUsage({ ...emptyUsage(), logs: 1n })).to.equal(true);
    expect(hasUsage({ ...emptyUsage(), queues: [{ type: 'standard', requests: 1n }] })).to.equal(true);
  });

  it('sums by hour are taken day by day, in order of time, and are fewer then', () => {
    const sums = new HourSums();
    for (const hour of [50, 3, 3, 26, 0, 10 * 24]) sums.add(buildHour({ at: hour }));
    expect(sums.size).to.equal(5);
    expect([...sums.days()]).to.deep.equal([0, 1, 2, 10].map((days) => firstHour + days * day));
    expect(sums.takeDay(firstHour).map(({ hour, logs }) => [hour, logs])).to.deep.equal([
      [at(0), 1n],
      [at(3), 2n],
    ]);
    expect(sums.size).to.equal(3);
    expect([...sums.days()]).to.have.length(3);
    expect(sums.takeDay(firstHour)).to.deep.equal([]);
    expect(sums.size).to.equal(3);
    expect(sums.takeDay(firstHour + day).every((hour) => !('levels' in hour))).to.equal(true);
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
