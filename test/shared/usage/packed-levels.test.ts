import { expect } from 'chai';
import fc from 'fast-check';
import { levelClasses } from '../../../shared/scenarios/level-class.ts';
import { SequenceReader, SequenceWriter } from '../../../shared/usage/byte-sequence.ts';
import type { LevelCount } from '../../../shared/usage/level-count.ts';
import { packLevels, unpackLevels } from '../../../shared/usage/packed-levels.ts';
import { type HourUsage } from '../../../shared/usage/usage.ts';
import { mergeHours } from '../../support/merge-hours.ts';
import { buildEntryUsage, buildHour, usageOfEntries } from '../cost/build-usage.ts';

const count = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n });

describe('integers of a byte sequence', () => {
  it('integers are read as they were written', () => {
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

  it('integers and bytes are read one after the other up to the end, and no further', () => {
    const writer = new SequenceWriter();
    const bytes = Uint8Array.from({ length: 700 }, (_, index) => index % 251);
    writer.integer(2n ** 63n - 1n);
    writer.bytes(bytes);
    writer.bytes(bytes);
    writer.integer(5);
    const reader = new SequenceReader(writer.result());
    expect(reader.isAtEnd).to.equal(false);
    expect(reader.integer()).to.equal(2n ** 63n - 1n);
    expect([...reader.bytes(700), ...reader.bytes(700)]).to.deep.equal([...bytes, ...bytes]);
    expect(() => reader.bytes(2)).to.throw(RangeError, 'end too early');
    expect(reader.small()).to.equal(5);
    expect(() => reader.small()).to.throw(RangeError, 'end too early');
    expect(() => reader.integer()).to.throw(RangeError, 'end too early');
    const large = new SequenceWriter();
    large.integer(2n ** 49n);
    expect(() => new SequenceReader(large.result()).small()).to.throw(RangeError, 'too large');
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

  it('unpacked counts are those that were packed, and hours without any stay without', () => {
    fc.assert(
      fc.property(hours, (some) => {
        const stored = packLevels(some);
        expect(stored.hours.every((hour) => !('levels' in hour))).to.equal(true);
        expect('levels' in stored).to.equal(some.some((hour) => hour.levels));
        expect(unpackLevels(stored)).to.deep.equal(some);
      }),
    );
  });

  it('unpacked counts share no memory with the stored bytes, whatever type these have', () => {
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

  it('counts are refused in another form, and with other hours', () => {
    const { hours: stored, levels: bytes } = packLevels(usageOfEntries([{ usage: buildEntryUsage() }]));
    const unpack = (some: HourUsage[], levelBytes: Uint8Array) => unpackLevels({ hours: some, levels: levelBytes });
    expect(() => unpack(stored, bytes!.with(0, 9))).to.throw(RangeError, 'unknown form');
    expect(() => unpack([], bytes!)).to.throw(RangeError);
    expect(() => unpack([...stored, ...stored], bytes!)).to.throw(RangeError);
    expect(() => unpack([{ ...stored[0]!, inference: [] }], bytes!)).to.throw(RangeError, 'do not belong');
    // A second hour without levels is one more byte.
    const [hour] = stored;
    const more = packLevels([...usageOfEntries([{ usage: buildEntryUsage() }]), buildHour({ at: 1 })]).levels!;
    expect(unpack([hour!, buildHour({ at: 1 })], more)).to.have.length(2);
    expect(() => unpack([hour!], more)).to.throw(RangeError, 'more levels than hours');
  });
});
