import { expect } from 'chai';
import fc from 'fast-check';
import { addSeconds, allSeconds, readSeconds, writeSeconds } from '../../../shared/usage/active-seconds.ts';
import { SequenceReader, SequenceWriter } from '../../../shared/usage/byte-sequence.ts';
import type { ActiveSeconds } from '../../../shared/usage/level-count.ts';
import { secondsOf } from '../cost/build-usage.ts';

function packed(seconds: ActiveSeconds): Uint8Array {
  const writer = new SequenceWriter();
  writeSeconds(writer, seconds);
  return writer.result();
}

const indexesOf = (bits: readonly boolean[]) => bits.flatMap((bit, index) => (bit ? [index] : []));

const second = fc.integer({ min: 0, max: 3_599 });
/** Few seconds, runs of seconds, and every second with some probability. */
const someSeconds = fc.oneof(
  fc.array(second, { maxLength: 20 }).map((active) => secondsOf(...active)),
  fc
    .array(fc.tuple(second, fc.integer({ min: 1, max: 600 })), { maxLength: 30 })
    .map((runs) =>
      secondsOf(
        ...runs.flatMap(([start, length]) =>
          Array.from({ length }, (_, index) => start + index).filter((active) => active < 3_600),
        ),
      ),
    ),
  fc.array(fc.boolean(), { minLength: 3_600, maxLength: 3_600 }).map((bits) => secondsOf(...indexesOf(bits))),
  fc.array(second, { minLength: 100, maxLength: 600 }).map((active) => secondsOf(...active)),
);

describe('the stored form of active seconds', () => {
  it('is read as it was written, in at most 451 bytes, whatever follows it', () => {
    fc.assert(
      fc.property(someSeconds, fc.uint8Array({ maxLength: 3 }), (seconds, rest) => {
        const bytes = packed(seconds);
        expect(bytes.length).to.be.at.most(451);
        const reader = new SequenceReader(Uint8Array.from([...bytes, ...rest]));
        expect(readSeconds(reader)).to.deep.equal(seconds);
        expect(reader.bytes(rest.length)).to.deep.equal(rest);
      }),
    );
  });

  it('has at most 4 bytes for no second, for one and for all of them', () => {
    expect(packed(secondsOf()).length).to.equal(1);
    for (const active of [0, 1, 200, 3_599]) expect(packed(secondsOf(active)).length).to.be.within(3, 4);
    expect(packed(allSeconds()).length).to.equal(4);
  });

  it('has all bits if there are more than 210 runs', () => {
    const everySecond = (count: number) => secondsOf(...Array.from({ length: count }, (_, index) => 2 * index));
    expect(packed(everySecond(210)).length).to.equal(422);
    expect(packed(everySecond(211)).length).to.equal(451);
    expect(packed(everySecond(1_800)).length).to.equal(451);
  });

  it('is refused if it is damaged', () => {
    const long = packed(secondsOf(...Array.from({ length: 1_800 }, (_, index) => 2 * index)));
    const beyond = Uint8Array.of(2, 0x80, 0x1c, 0x11);
    for (const bytes of [new Uint8Array(), long.subarray(0, 450), beyond]) {
      expect(() => readSeconds(new SequenceReader(bytes))).to.throw(RangeError);
    }
    expect(() => readSeconds(new SequenceReader(beyond))).to.throw('The seconds of an hour are damaged.');
  });

  it('active seconds are merged by a union', () => {
    const seconds = secondsOf(0, 7, 3_599);
    addSeconds(seconds, secondsOf(7, 8));
    expect(seconds).to.deep.equal(secondsOf(0, 7, 8, 3_599));
  });
});
