import { expect } from 'chai';
import fc from 'fast-check';
import { Binary, BSON } from 'mongodb';
import { decodeUsage } from '../../../shared/usage/usage-decoder.ts';
import { isLongForm } from '../../support/long-form.ts';
import { buildHour } from '../cost/build-usage.ts';

const decodeByLibrary = (bytes: Uint8Array) => BSON.deserialize(bytes, { useBigInt64: true, promoteBuffers: true });
const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });

describe('decoded usage', () => {
  it('decoded usage is what the library decodes', () => {
    const hours = Array.from({ length: 24 }, (_, at) => buildHour({ at, mbMs: 9_007_199_254_740_993n * BigInt(at) }));
    const bytes = BSON.serialize({ _id: 'a day', forVersion: 7, hours, sum: { ...hours[0], last: new Date(-1) } });
    expect(decodeUsage(bytes)).to.deep.equal(decodeByLibrary(bytes));
  });

  it('decoded usage is what the library decodes, whatever a document contains', () => {
    const leaf = fc.oneof(
      int64,
      fc.string({ unit: 'binary', maxLength: 80 }).filter((text) => text.isWellFormed()),
      fc.double(),
      fc.integer(),
      fc.date(),
      fc.boolean(),
      fc.constant(null),
      fc.uint8Array({ maxLength: 8 }),
      fc.uint8Array({ maxLength: 8 }).map((bytes) => new Binary(bytes, Binary.SUBTYPE_USER_DEFINED)),
    );
    const name = fc.oneof(
      fc.constantFrom('hours', 'logs', '__proto__', '$ref', '$id', '', '1'),
      fc.string({ maxLength: 80 }).filter((text) => !text.includes('\0')),
    );
    const { document } = fc.letrec<{ document: object; value: unknown }>((tie) => ({
      value: fc.oneof({ depthSize: 'small' }, leaf, tie('document'), fc.array(tie('value'), { maxLength: 5 })),
      document: fc.array(fc.tuple(name, tie('value')), { maxLength: 6 }).map((fields) => new Map(fields)),
    }));
    fc.assert(
      fc.property(document, (value) => {
        const bytes = BSON.serialize(value);
        expect(decodeUsage(bytes)).to.deep.equal(decodeByLibrary(bytes));
      }),
      { numRuns: isLongForm ? 300 : 100 },
    );
  });

  it('reads bytes in the middle of others', () => {
    const bytes = BSON.serialize({ hours: [{ logs: 5n }] });
    const message = Buffer.concat([Buffer.alloc(7, 1), bytes, Buffer.alloc(9, 1)]);
    expect(decodeUsage(message.subarray(7, 7 + bytes.length))).to.deep.equal({ hours: [{ logs: 5n }] });
  });

  it('is refused as by the library if the bytes are malformed', () => {
    const bytes = BSON.serialize({ text: 'abcdef', logs: 5n });
    const broken = [bytes.subarray(0, 20), bytes.with(bytes.indexOf(0x61), 0xff), bytes.with(4, 0x7e)];
    for (const one of broken) {
      expect(() => decodeByLibrary(one)).to.throw();
      expect(() => decodeUsage(one)).to.throw();
    }
  });
});
