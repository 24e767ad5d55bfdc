import { expect } from 'chai';
import { cutLines } from '../../../page/scenario/cut-lines.ts';

const encoder = new TextEncoder();

/** Cuts a text that arrives in pieces of `size` bytes. */
async function cut(text: string, size: number, maxBytes: number) {
  const bytes = encoder.encode(text);
  async function* pieces() {
    for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
  }
  const batches: { text: string; tooLong: number }[] = [];
  for await (const batch of cutLines(pieces(), maxBytes)) {
    batches.push({ text: new TextDecoder('utf-8', { fatal: true }).decode(batch.bytes), tooLong: batch.tooLong });
  }
  return batches;
}

describe('lines of a log file', () => {
  const text = Array.from({ length: 40 }, (_, index) => `${index} ${'ä€😀'.repeat(index)}\n`).join('');

  for (const size of [1, 7, 1_000, 100_000]) {
    it(`are cut at their ends, whatever the pieces are (${size} bytes)`, async () => {
      const batches = await cut(text, size, 1_000);
      expect(batches.map((batch) => batch.text).join('')).to.equal(text);
      for (const batch of batches) {
        expect(batch.text.endsWith('\n')).to.equal(true);
        expect(encoder.encode(batch.text).length).to.be.at.most(1_000);
      }
    });
  }

  it('count as at least 64 bytes each, as the service counts them', async () => {
    const batches = await cut('a\n'.repeat(100), 10, 640);
    expect(batches.map((batch) => batch.text.length / 2)).to.deep.equal(Array(10).fill(10));
  });

  it('include the last one without a line end', async () => {
    expect(await cut('a\nb', 2, 640)).to.deep.equal([{ text: 'a\nb', tooLong: 0 }]);
  });

  it('are left out and counted where they are too long for a request', async () => {
    const batches = await cut(`a\n${'x'.repeat(2_000)}\nb\n${'y'.repeat(3_000)}`, 100, 1_000);
    expect(batches.map((batch) => batch.text).join('')).to.equal('a\nb\n');
    expect(batches.reduce((sum, { tooLong }) => sum + tooLong, 0)).to.equal(2);
  });

  it('are none in an empty file', async () => {
    expect(await cut('', 10, 1_000)).to.deep.equal([]);
  });
});
