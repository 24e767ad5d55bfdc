import { expect } from 'chai';
import fc from 'fast-check';
import { BSON } from 'mongodb';
import { levelClasses } from '../../../shared/scenarios/pipeline.ts';
import { seededRandom } from '../../../shared/seeded-random.ts';
import {
  addSeconds,
  BatchSums,
  type BatchUsage,
  type DayCounters,
  dayOfHour,
  fieldOfModel,
  type HourCounters,
  levelsIn,
  mergeCounters,
  modelOfField,
  readSeconds,
  storeSeconds,
} from '../../../shared/usage/stored-hour.ts';
import { type EntryPii, type EntryUsage, UsageTally } from '../../../shared/usage/usage-tally.ts';
import { sumParts } from '../../support/merge-hours.ts';
import { randomInteger, shuffle } from '../../support/random-choices.ts';
import { book, buildEntryUsage, firstHour, hourMs, secondsOf } from '../cost/build-usage.ts';
import storedHour from './stored-hour.json' with { type: 'json' };

/** As it is read from the database. */
const readAgain = <Document extends object>(stored: Document): Document =>
  BSON.deserialize(BSON.serialize(stored), { useBigInt64: true, promoteBuffers: true }) as Document;

function merge<Counters extends object>(parts: readonly Counters[]): Counters {
  let sum = {} as Counters;
  for (const part of parts) {
    sum = readAgain(sum);
    mergeCounters(sum, readAgain(part));
  }
  return readAgain(sum);
}

function tally(entries: Iterable<{ usage: EntryUsage; pii?: EntryPii }>): BatchUsage {
  const sums = new UsageTally();
  for (const { usage, pii } of entries) sums.add(usage, pii);
  return sums.hours();
}

function entry(overrides: Partial<EntryUsage>): EntryUsage {
  const own = { sizeBytes: 100, model: 'a.model', inputTokens: 10, inputEstimated: true, outputTokens: 10 };
  return { ...buildEntryUsage(own), ...overrides };
}

const oddNames = ['__proto__', 'constructor', 'toString', '$set', 'a.b', 'a%2eb', 'two words', '_', '7', 'é', 'x\0y'];

describe('the stored form of an hour', () => {
  it('names and numbers tell what an entry has used, and absent numbers are 0', () => {
    const pii = [
      { type: 'national_id', count: 1 },
      { type: 'email', count: 2 },
      { type: 'national_id', count: 4 },
    ] as const;
    const usage = entry({ queueRequests: 3, mbMs: 65_536, inputTokens: 12, outputTokens: 100, second: 1 });
    const plain = entry({ ownMemory: false, inputEstimated: false, sizeBytes: 5, outputTokens: null, timed: false });
    const stored = tally([{ usage, pii }, { usage: plain }, { usage: entry({ level: 'info', chunks: 3, second: 9 }) }]);
    expect(stored).to.deep.equal([{ hour: new Date(firstHour), ...storedHour }]);
    expect(stored.map(levelsIn)).to.deep.equal([2]);
    const [{ inference } = { inference: {} }] = tally([{ usage }]);
    expect(Object.values(inference)[0]).to.not.have.property('entriesWithoutOutput');
  });

  it('a model can have any name', () => {
    for (const name of [...oddNames, ...book.models.map(({ id }) => id)]) {
      const field = fieldOfModel(name);
      expect(modelOfField(field)).to.equal(name);
      expect(field).to.match(/^[^_.$ \0][^.$ \0]*$/);
    }
    const entries = oddNames.map((model) => ({ usage: entry({ model }) }));
    const merged = merge([...tally(entries), ...tally(entries)]);
    expect(Object.keys(merged.inference).map(modelOfField)).to.have.members(oddNames);
    for (const [field, row] of Object.entries(merged.inference)) expect(row.inputTokens, field).to.equal(20);
    const ofLevel = Object.entries(merged.levels!['none']!.inference);
    for (const [field, row] of ofLevel) expect(row.entries, field).to.equal(2);
    expect(Object.keys(Object.prototype)).to.deep.equal([]);
  });

  it('is independent of the order of the entries and of their batches, and so is the day', () => {
    const random = seededRandom(11);
    const entries = Array.from({ length: 400 }, () => randomEntry(random));
    const whole = tally(entries).map((hour) => merge([hour]));
    for (let round = 0; round < 5; round += 1) {
      const order = shuffle(random, entries);
      const hours: HourCounters[] = [];
      for (let at = 0; at < order.length; ) {
        const size = randomInteger(random, 1, 90);
        hours.push(...tally(order.slice(at, at + size)));
        at += size;
      }
      const byHour = (time: number) => hours.filter(({ hour }) => hour.getTime() === time);
      expect(whole.map(({ hour }) => merge(byHour(hour.getTime())))).to.deep.equal(whole);
      expect(merge<DayCounters>(hours.map(dayOfHour))).to.deep.equal(sumParts(whole));
    }
  });

  it('counters are exact above 2^53, and numbers below it', () => {
    const of = (mbMs: number | bigint) => ({ functions: { x86_64: { mbMs } } });
    const sumOf = (...parts: (number | bigint)[]) => merge(parts.map(of)).functions.x86_64.mbMs;
    expect(sumOf(2 ** 40, 1)).to.equal(2 ** 40 + 1);
    expect(sumOf(Number.MAX_SAFE_INTEGER, 1)).to.equal(2n ** 53n);
    expect(sumOf(Number.MAX_SAFE_INTEGER, 1, 1)).to.equal(2n ** 53n + 1n);
    expect(sumOf(1, 2n ** 62n)).to.equal(2n ** 62n + 1n);
    const largest = { usage: entry({ mbMs: 10_240 * 900_000 - 1 }) };
    const [hour] = tally(Array.from({ length: 1_000 }, () => largest));
    expect(hour!.functions['x86_64']!.mbMs).to.equal(1_000 * (10_240 * 900_000 - 1));
  });

  it('what is merged stays as it is', () => {
    const [more] = tally([{ usage: entry({}) }]);
    const before = structuredClone(more);
    const sum = {};
    for (let times = 0; times < 2; times += 1) mergeCounters(sum, more!);
    expect(more).to.deep.equal(before);
  });

  it('has the first and the last hour of what is merged', () => {
    const at = (hours: number) => new Date(firstHour + hours * hourMs);
    const days = [5, 2, 9].map((hours) => ({ first: at(hours), last: at(hours) }));
    expect(merge(days)).to.deep.equal({ first: at(2), last: at(9) });
  });

  it('has room for what other versions count: names without a price are at most 20 and others', () => {
    const of = (names: readonly string[]) => ({
      unpriced: Object.fromEntries(names.map((name) => [name, { calls: 1, inputTokens: 2, outputTokens: 3 }])),
    });
    const names = Array.from({ length: 30 }, (_, index) => `model-${index}`);
    const merged = merge([of(names.slice(0, 15)), of(names), of(names.slice(0, 25)), of(['other'])]).unpriced;
    expect(Object.keys(merged)).to.have.members([...names.slice(0, 20), 'other']);
    expect(merged['model-0']).to.deep.equal({ calls: 3, inputTokens: 6, outputTokens: 9 });
    expect(merged['model-19']!.calls).to.equal(2);
    expect(merged['other']!.calls).to.equal(10 + 5 + 1);
    const cached = { inference: { x: { cacheReadTokens: 1, cacheWrite1hTokens: 2, longCalls: 3 } }, usageUnread: 4 };
    expect(merge([cached, cached])).to.deep.equal({
      inference: { x: { cacheReadTokens: 2, cacheWrite1hTokens: 4, longCalls: 6 } },
      usageUnread: 8,
    });
  });

  it('is small: a batch has at most 1.2 MB, an hour 8 KB with one model and 110 KB with all', () => {
    const models = book.models.map(({ id }) => id);
    const longest = models.reduce((one, other) => (other.length > one.length ? other : one));
    const large = { sizeBytes: 2 ** 23, chunks: 128, inputTokens: 10_000_000, mbMs: 9_216_000_000, outputTokens: null };
    const batch = tally(
      Array.from({ length: 1_000 }, (_, index) => ({
        usage: entry({ ...large, hour: firstHour + index * hourMs, second: 3_599, model: longest }),
        pii: (['email', 'national_id', 'payment_card'] as const).map((type) => ({ type, count: 9 })),
      })),
    );
    expect(BSON.calculateObjectSize({ batch })).to.be.within(600_000, 1_200_000);
    const hourWith = (names: readonly string[]) => {
      const usages = levelClasses.flatMap((level) => names.map((model) => entry({ ...large, level, model })));
      return BSON.calculateObjectSize(merge(tally(usages.map((usage) => ({ usage })))));
    };
    expect(hourWith([longest])).to.be.within(4_000, 8_000);
    expect(hourWith(models)).to.be.within(20_000, 110_000);
  });
});

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

describe('the counters of a stored hour', () => {
  const hour = new Date(firstHour);
  const stored: HourCounters = {
    hour,
    logs: 3,
    sizeBytes: 30,
    queues: { standard: 3 },
    functions: {},
    inference: {},
    untimed: 1,
    usageUnread: 2,
    unpriced: { [fieldOfModel('gpt-4.1')]: { calls: 1, inputTokens: 10, outputTokens: 5 } },
    timedSeconds: [7, 8],
  };

  it('of several batches are summed by hour and by day', () => {
    const sums = new BatchSums();
    for (const at of [0, 0, 1]) sums.add({ ...stored, hour: new Date(firstHour + at * hourMs) });
    expect([...sums.hours.values()].map(({ logs }) => logs)).to.deep.equal([6, 3]);
    const [day] = sums.days.values();
    expect(day).to.deep.include({ first: hour, last: new Date(firstHour + hourMs), logs: 9, untimed: 3 });
  });

  it('have the seconds of lists and of bits', () => {
    const bits = new Uint8Array(450);
    bits[449] = 0x80;
    const sum: Partial<HourCounters> = { timedSeconds: new Uint8Array(450) };
    for (const timedSeconds of [bits, [0, 7]]) mergeCounters(sum, { timedSeconds });
    expect(readSeconds(sum.timedSeconds!)).to.deep.equal(secondsOf(0, 7, 3_599));
  });
});

const second = fc.integer({ min: 0, max: 3_599 });

describe('the stored form of active seconds', () => {
  it('is read as it was written: a list of at most 50 seconds, or 450 bytes', () => {
    fc.assert(
      fc.property(fc.uniqueArray(second, { maxLength: 120, size: 'max' }), (active) => {
        const seconds = secondsOf(...active);
        const stored = storeSeconds(seconds);
        if (active.length > 50) expect(stored).to.be.instanceOf(Uint8Array).with.length(450);
        else expect(stored).to.deep.equal([...active].sort((a, b) => a - b));
        expect(readSeconds(stored)).to.deep.equal(seconds);
      }),
    );
    const all = secondsOf(...Array.from({ length: 3_600 }, (_, index) => index));
    expect(readSeconds(storeSeconds(all))).to.deep.equal(all);
  });

  it('has second 0 as the lowest bit of the first byte', () => {
    const stored = storeSeconds(secondsOf(...Array.from({ length: 60 }, (_, index) => index)));
    expect(Array.from(stored.slice(0, 9))).to.deep.equal([255, 255, 255, 255, 255, 255, 255, 15, 0]);
  });

  it('active seconds are merged by a union', () => {
    const seconds = secondsOf(0, 7, 3_599);
    addSeconds(seconds, secondsOf(7, 8));
    expect(seconds).to.deep.equal(secondsOf(0, 7, 8, 3_599));
  });
});
