import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import {
  encryptBatch,
  type LogEntryInput,
  openBatch,
  openShortBatch,
  shortBytes,
} from '../../../shared/ingest/batch-text.ts';

const key = randomBytes(32);
const text = fc.string({ unit: 'grapheme', maxLength: 200 });
const optional = { requiredKeys: ['message'] as ['message'] };
const entry = fc.record(
  {
    message: fc.oneof(
      text,
      fc.nat({ max: 30_000 }).map((length) => 'x'.repeat(length)),
    ),
    index: fc.nat(),
    timestamp: fc.nat(),
    source: text,
    level: fc.constantFrom('error', 'warn', 'info'),
    attributeBytes: fc.nat(),
    usage: fc.record({ input_tokens: fc.nat(), model: text }, { requiredKeys: [] }),
  },
  optional,
);
const batch = fc.record({ receivedAt: fc.nat(), entries: fc.array(entry, { maxLength: 40 }) });

/** Entries as they are read: with their positions and times, and whether these are their own. */
const complete = (entries: readonly LogEntryInput[], receivedAt: number) =>
  entries.map((one, index) => ({
    index,
    timestamp: receivedAt,
    ...one,
    timed: one.timestamp !== undefined,
  }));

describe('the text of a batch', () => {
  it('is read as it was written, by each of its keys, and as a short one only if it is short', async () => {
    await fc.assert(
      fc.asyncProperty(batch, async ({ receivedAt, entries }) => {
        const encrypted = await encryptBatch(key, { receivedAt, entries }, 'the id');
        const expected = { receivedAt, entries: complete(entries, receivedAt) };
        expect(openBatch([randomBytes(32), key], encrypted, 'the id')).to.deep.equal(expected);
        const short = openShortBatch([key], encrypted, 'the id');
        if (short) expect(short).to.deep.equal(expected);
        else expect(JSON.stringify(entries).length * 4).to.be.greaterThan(shortBytes);
      }),
      { numRuns: 60 },
    );
  });

  it('has the fields of entries, and once those that they share', async () => {
    const entries = [
      { message: 'a', fields: String.raw`{"to":"\u0040 \"ö`, originFields: '{"owner":"o"}{"scope":1}' },
      { message: 'b' },
      { message: '{"c":1}', messagePath: '', originFields: '{"owner":"o"}{"scope":1}' },
      { message: 'd', fields: '{"d":1}', originFields: '{"owner":"p"}' },
    ];
    const { origins, ...read } = openBatch([key], await encryptBatch(key, { receivedAt: 1, entries }, 'id'), 'id');
    expect(origins).to.deep.equal(['{"owner":"o"}{"scope":1}', '{"owner":"p"}']);
    const parts = read.entries.map(({ message, fields, origin, messagePath }) => ({
      message,
      fields,
      origin,
      messagePath,
    }));
    expect(parts).to.deep.equal([
      { message: 'a', fields: String.raw`{"to":"\u0040 \"ö`, origin: 0, messagePath: undefined },
      { message: 'b', fields: undefined, origin: undefined, messagePath: undefined },
      { message: '{"c":1}', fields: undefined, origin: 0, messagePath: '' },
      { message: 'd', fields: '{"d":1}', origin: 1, messagePath: undefined },
    ]);
  });

  it('is not opened under another id, by another key, or with a changed byte', async () => {
    const encrypted = await encryptBatch(key, { receivedAt: 1, entries: [{ message: 'one' }] }, 'the id');
    expect(() => openBatch([key], encrypted, 'another id')).to.throw();
    expect(() => openBatch([randomBytes(32)], encrypted, 'the id')).to.throw();
    for (const at of encrypted.keys()) {
      const changed = Buffer.from(encrypted);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => openBatch([key], changed, 'the id'), `byte ${at}`).to.throw();
    }
  });
});
