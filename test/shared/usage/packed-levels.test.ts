import { expect } from 'chai';
import fc from 'fast-check';
import { BSON } from 'mongodb';
import { levelClasses } from '../../../shared/scenarios/level-class.ts';
import { allSeconds } from '../../../shared/usage/active-seconds.ts';
import { SequenceReader, SequenceWriter } from '../../../shared/usage/byte-sequence.ts';
import type { LevelCount } from '../../../shared/usage/level-count.ts';
import { packLevels, unpackLevels } from '../../../shared/usage/packed-levels.ts';
import { emptyUsage, type HourUsage, mergeHours, sumParts } from '../../../shared/usage/usage.ts';
import { book, buildEntryUsage, buildHour, firstHour, hourMs, secondsOf, usageOfEntries } from '../cost/build-usage.ts';

const models = book.models.map(({ id }) => id);
const count = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n });

describe('integers of a byte sequence', () => {
  it('are read as they were written', () => {
    const integers = fc.array(fc.oneof(count, fc.constantFrom(0n, 127n, 128n, 2n ** 49n - 1n, 2n ** 49n, 2n ** 53n)));
    fc.assert(
      fc.property(integers, (values) => {
        const writer = new SequenceWriter();
        for (const value of values) writer.integer(value);
        for (const value of values) if (value < 2n ** 49n) writer.integer(Number(value));
        const reader = new SequenceReader(writer.result());
        for (const value of values) expect(reader.integer()).to.equal(value);
        for (const value of values) if (value < 2n ** 49n) expect(reader.small()).to.equal(Number(value));
        expect(reader.isAtEnd).to.equal(true);
      }),
    );
  });
});

describe('stored counts by level', () => {
  const level = fc.record({
    entries: count,
    sizeBytes: count,
    chunks: count,
    functions: fc.constantFrom<LevelCount['functions']>([], [{ architecture: 'arm64', mbMs: 2n ** 60n }]),
    inference: fc.array(
      fc.record({
        model: fc.constantFrom('a', 'b', 'c'),
        entries: count,
        inputTokens: count,
        outputTokens: count,
        entriesWithoutOutput: count,
      }),
      { maxLength: 3 },
    ),
    seconds: fc.int32Array({ minLength: 113, maxLength: 113 }).map((words) => words.with(112, words[112]! & 0xffff)),
  });
  const levels = fc.dictionary(fc.constantFrom(...levelClasses), level, { noNullPrototype: true });
  const row = (model: string) => ({ model, inputTokens: 1n, outputTokens: 1n, estimatedEntries: 0n });
  const hours = fc.array(fc.option(levels), { minLength: 1, maxLength: 30 }).map((lists) =>
    lists.map((list, at): HourUsage => {
      const hour = { ...buildHour({ at }), inference: ['a', 'b', 'c'].map(row) };
      const counts = Object.entries(list ?? {});
      if (counts.length === 0) return hour;
      return { ...hour, levels: counts.map(([name, counted]) => ({ level: name as 'none', ...counted })) };
    }),
  );

  it('are those that were packed, and hours without any stay without', () => {
    fc.assert(
      fc.property(hours, (some) => {
        const stored = packLevels(some);
        expect(stored.hours.every((hour) => !('levels' in hour))).to.equal(true);
        expect('levels' in stored).to.equal(some.some((hour) => hour.levels));
        expect(unpackLevels(stored)).to.deep.equal(some);
      }),
    );
  });

  it('share no memory with the stored bytes, whatever type these have', () => {
    const entries = Array.from({ length: 1_800 }, (_, index) => ({
      usage: { ...buildEntryUsage(), second: 2 * index },
    }));
    const { hours: stored, levels: bytes } = packLevels(usageOfEntries(entries));
    const buffer = Buffer.from(bytes!);
    const unpacked = unpackLevels({ hours: stored, levels: buffer });
    const before = structuredClone(unpacked);
    buffer.fill(0);
    mergeHours([...unpacked, ...usageOfEntries([{ usage: { ...buildEntryUsage(), second: 1 } }])]);
    expect(unpacked).to.deep.equal(before);
    expect(Buffer.isBuffer(unpacked[0]!.levels![0]!.seconds)).to.equal(false);
  });

  it('are refused in another form, and with other hours', () => {
    const { hours: stored, levels: bytes } = packLevels(usageOfEntries([{ usage: buildEntryUsage() }]));
    const unpack = (some: HourUsage[], levelBytes: Uint8Array) => unpackLevels({ hours: some, levels: levelBytes });
    expect(() => unpack(stored, bytes!.with(0, 9))).to.throw(RangeError, 'unknown form');
    expect(() => unpack([], bytes!)).to.throw(RangeError);
    expect(() => unpack([...stored, ...stored], bytes!)).to.throw(RangeError);
    expect(() => unpack([{ ...stored[0]!, inference: [] }], bytes!)).to.throw(RangeError);
  });

  /** 1,000 entries, all as large as an entry can be. */
  const largestEntries = (of: (index: number) => { hour: number; second: number; model: string }) =>
    Array.from({ length: 1_000 }, (_, index) => ({
      usage: {
        ...buildEntryUsage({ sizeBytes: 2 ** 23, chunks: 128, inputTokens: 10_000_000, outputTokens: 10_000_000 }),
        mbMs: 9_216_000_000,
        outputTokens: null,
        level: levelClasses[index % 8]!,
        ...of(index),
      },
      pii: (['email', 'national_id', 'payment_card'] as const).map((type) => ({ type, count: 9 })),
    }));
  const longestModel = models.reduce((longest, model) => (model.length > longest.length ? model : longest));

  it('make a usage record of at most 600 KB: an entry in each of 1,000 hours', () => {
    const entries = largestEntries((index) => ({
      hour: firstHour + index * hourMs,
      second: 3_599,
      model: longestModel,
    }));
    const { hours: stored, levels: bytes } = packLevels(usageOfEntries(entries));
    expect(bytes!.length).to.be.lessThan(40_000);
    const size = BSON.calculateObjectSize({
      _id: 'x'.repeat(36),
      scenarioId: 'x'.repeat(36),
      open: true,
      hours: stored,
      levels: bytes,
    });
    expect(size).to.be.within(500_000, 600_000);
  });

  const everyOther = secondsOf(...Array.from({ length: 1_800 }, (_, index) => 2 * index));
  const dayOf = (modelsOfLevel: readonly string[]): HourUsage[] =>
    Array.from({ length: 24 }, (_, at) => ({
      ...emptyUsage(),
      hour: new Date(firstHour + at * hourMs),
      logs: 1n,
      functions: [{ architecture: 'x86_64', invocations: 2n ** 40n, mbMs: 2n ** 60n, otherMemoryInvocations: 0n }],
      inference: modelsOfLevel.map((model) => ({ ...row(model), entriesWithoutOutput: 1n })),
      levels: levelClasses.map((name) => ({
        level: name,
        entries: 2n ** 40n,
        sizeBytes: 2n ** 50n,
        chunks: 2n ** 41n,
        functions: [{ architecture: 'x86_64', mbMs: 2n ** 60n }],
        inference: modelsOfLevel.map((model) => ({
          model,
          entries: 2n ** 40n,
          inputTokens: 2n ** 50n,
          outputTokens: 2n ** 50n,
          entriesWithoutOutput: 2n ** 40n,
        })),
        // Every second one, which has no shorter form.
        seconds: everyOther,
      })),
    }));
  const sizeOfDay = (day: HourUsage[]) => BSON.calculateObjectSize({ ...packLevels(day), sum: sumParts(day) });

  it('make a usage day of at most 110 KB with one model, of 850 KB with all, and of 10 MB with 1,000', () => {
    expect(sizeOfDay(dayOf([longestModel]))).to.be.within(90_000, 110_000);
    expect(sizeOfDay(dayOf(models))).to.be.within(650_000, 850_000);
    const thousand = Array.from({ length: 1_000 }, (_, index) => `${longestModel}-${index}`);
    expect(sizeOfDay(dayOf(thousand))).to.be.lessThan(10_000_000);
  });

  it('of hours in which every second is active are as small as those of one second', () => {
    const every = Array.from({ length: 3_600 }, (_, second) => ({ usage: { ...buildEntryUsage(), second } }));
    const bytes = (list: HourUsage[]) => packLevels(list).levels!.length;
    expect(bytes(usageOfEntries(every)) - bytes(usageOfEntries(every.slice(-1)))).to.be.lessThan(10);
    expect(mergeHours(usageOfEntries(every))[0]!.levels![0]!.seconds).to.deep.equal(allSeconds());
  });
});
