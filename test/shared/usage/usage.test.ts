import { expect } from 'chai';
import { levelClasses } from '../../../shared/scenarios/level-class.ts';
import { seededRandom } from '../../../shared/seeded-random.ts';
import type { EntryUsage } from '../../../shared/usage/entry-usage.ts';
import { packLevels, unpackLevels } from '../../../shared/usage/packed-levels.ts';
import { type HourUsage, startOfHour } from '../../../shared/usage/usage.ts';
import { type EntryPii } from '../../../shared/usage/usage-tally.ts';
import { mergeHours } from '../../support/merge-hours.ts';
import { randomInteger, shuffle } from '../../support/random-choices.ts';
import { buildEntryUsage, firstHour, hourMs, secondsOf, usageOfEntries } from '../cost/build-usage.ts';

describe('usage counters', () => {
  it('counters name entries without output tokens where there are any', () => {
    const countOf = (outputTokens: number | null) =>
      usageOfEntries([{ usage: entry({ outputTokens }) }])[0]?.inference[0];
    expect(countOf(5)).to.not.have.property('entriesWithoutOutput');
    expect(countOf(null)).to.have.property('entriesWithoutOutput', 1n);
  });

  it('every kind of usage of an entry is counted in its hour', () => {
    const hours = usageOfEntries([
      {
        usage: entry({ queueRequests: 3, mbMs: 65_536, inputTokens: 12, outputTokens: 100, second: 1 }),
        pii: [
          { type: 'national_id', count: 1 },
          { type: 'email', count: 2 },
          { type: 'national_id', count: 4 },
        ],
      },
      { usage: entry({ ownMemory: false, mbMs: 128, inputEstimated: false, sizeBytes: 5, outputTokens: null }) },
      { usage: entry({ level: 'info', chunks: 3, second: 3_599 }) },
    ]);
    expect(hours).to.deep.equal([
      {
        hour: new Date(firstHour),
        logs: 3n,
        sizeBytes: 205n,
        piiLogs: 1n,
        pii: [
          { type: 'email', count: 2n },
          { type: 'national_id', count: 5n },
        ],
        queues: [{ type: 'standard', requests: 5n }],
        functions: [{ architecture: 'x86_64', invocations: 3n, mbMs: 65_792n, otherMemoryInvocations: 1n }],
        inference: [
          { model: 'a.model', inputTokens: 32n, outputTokens: 110n, entriesWithoutOutput: 1n, estimatedEntries: 2n },
        ],
        levels: [
          {
            level: 'info',
            entries: 1n,
            sizeBytes: 100n,
            chunks: 3n,
            functions: [{ architecture: 'x86_64', mbMs: 128n }],
            inference: [
              { model: 'a.model', entries: 1n, inputTokens: 10n, outputTokens: 10n, entriesWithoutOutput: 0n },
            ],
            seconds: secondsOf(3_599),
          },
          {
            level: 'none',
            entries: 2n,
            sizeBytes: 105n,
            chunks: 2n,
            functions: [{ architecture: 'x86_64', mbMs: 65_664n }],
            inference: [
              { model: 'a.model', entries: 2n, inputTokens: 22n, outputTokens: 100n, entriesWithoutOutput: 1n },
            ],
            seconds: secondsOf(0, 1),
          },
        ],
      },
    ]);
  });

  it('counters separate queue types, architectures and models, in a fixed order', () => {
    const [hour] = usageOfEntries([
      { usage: entry({ queueType: 'fifo', architecture: 'arm64', model: 'z' }) },
      { usage: entry({ queueType: 'standard', architecture: 'x86_64', model: 'b' }) },
    ]);
    expect(hour!.queues.map(({ type }) => type)).to.deep.equal(['standard', 'fifo']);
    expect(hour!.functions.map(({ architecture }) => architecture)).to.deep.equal(['x86_64', 'arm64']);
    expect(hour!.inference.map(({ model }) => model)).to.deep.equal(['b', 'z']);
  });

  it('counters are independent of the order of the entries and of their batches', () => {
    const random = seededRandom(11);
    const entries = Array.from({ length: 400 }, () => randomEntry(random));
    const whole = usageOfEntries(entries);
    for (let round = 0; round < 5; round += 1) {
      const order = shuffle(random, entries);
      const batches: HourUsage[][] = [];
      for (let start = 0; start < order.length; ) {
        const size = randomInteger(random, 1, 90);
        const stored = packLevels(usageOfEntries(order.slice(start, start + size)));
        batches.push(unpackLevels(stored));
        start += size;
      }
      expect(mergeHours(batches.flat())).to.deep.equal(whole);
      expect(unpackLevels(packLevels(whole))).to.deep.equal(whole);
    }
  });

  it('merging does not change the usage that is merged', () => {
    const hours = usageOfEntries([{ usage: entry({}) }]);
    const before = structuredClone(hours);
    mergeHours([...hours, ...hours]);
    expect(hours).to.deep.equal(before);
  });

  it('counters are exact above 2^53', () => {
    const big: HourUsage = {
      ...usageOfEntries([{ usage: entry({}) }])[0]!,
      functions: [{ architecture: 'x86_64', invocations: 1n, mbMs: 2n ** 53n, otherMemoryInvocations: 0n }],
    };
    const [merged] = mergeHours([big, ...usageOfEntries([{ usage: entry({ mbMs: 1 }) }])]);
    expect(merged!.functions[0]!.mbMs).to.equal(2n ** 53n + 1n);
  });

  it('counters are exact for a batch of the largest entries', () => {
    const largest = { usage: entry({ mbMs: 10_240 * 900_000 - 1 }) };
    const [hour] = usageOfEntries(Array.from({ length: 1_000 }, () => largest));
    expect(hour!.functions[0]!.mbMs).to.equal(1_000n * (10_240n * 900_000n - 1n));
    expect(hour!.logs).to.equal(1_000n);
  });

  it('counters belong to the hour of an instant, before 1970 too', () => {
    expect(startOfHour(Date.UTC(2026, 4, 1, 13, 59, 59, 999))).to.equal(Date.UTC(2026, 4, 1, 13));
    expect(startOfHour(-1)).to.equal(-hourMs);
  });
});

function entry(overrides: Partial<EntryUsage>): EntryUsage {
  const own = { sizeBytes: 100, model: 'a.model', inputTokens: 10, inputEstimated: true, outputTokens: 10 };
  return { ...buildEntryUsage(own), ...overrides };
}

function randomEntry(random: () => number): { usage: EntryUsage; pii: EntryPii } {
  return {
    usage: entry({
      hour: firstHour + randomInteger(random, 0, 5) * hourMs,
      queueType: random() < 0.5 ? 'standard' : 'fifo',
      architecture: random() < 0.5 ? 'x86_64' : 'arm64',
      model: `model-${randomInteger(random, 0, 3)}`,
      mbMs: randomInteger(random, 128, 9_216_000_000),
      ownMemory: random() < 0.5,
      inputTokens: randomInteger(random, 0, 10_000_000),
      outputTokens: random() < 0.5 ? null : randomInteger(random, 0, 10_000),
      level: levelClasses[randomInteger(random, 0, 3)]!,
      second: randomInteger(random, 0, 3_599),
      chunks: randomInteger(random, 1, 16),
    }),
    pii:
      random() < 0.2 ? [{ type: random() < 0.5 ? 'email' : 'payment_card', count: randomInteger(random, 1, 9) }] : [],
  };
}
