import { expect } from 'chai';
import { cutLines, type LineStart } from '../../../shared/ingest/text-lines/cut-lines.ts';

const encoder = new TextEncoder();

/** Cuts a text that arrives in pieces of `size` bytes. */
async function cut(text: string, size: number, maxBytes: number, startOf?: (head: string) => LineStart) {
  const bytes = encoder.encode(text);
  async function* pieces() {
    for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
  }
  const batches: { text: string; tooLong: number }[] = [];
  for await (const batch of cutLines(pieces(), maxBytes, startOf)) {
    batches.push({ text: new TextDecoder('utf-8', { fatal: true }).decode(batch.bytes), tooLong: batch.tooLong });
  }
  return batches;
}

describe('lines of a log file', () => {
  const text = Array.from({ length: 40 }, (_, index) => `${index} ${'ä€😀'.repeat(index)}\n`).join('');

  for (const size of [1, 7, 1_000, 100_000]) {
    it(`lines are cut at their ends, whatever the pieces are (${size} bytes)`, async () => {
      const batches = await cut(text, size, 1_000);
      expect(batches.map((batch) => batch.text).join('')).to.equal(text);
      for (const batch of batches) {
        expect(batch.text.endsWith('\n')).to.equal(true);
        expect(encoder.encode(batch.text).length).to.be.at.most(1_000);
      }
    });
  }

  it('lines count as at least 64 bytes each, as the service counts them', async () => {
    const batches = await cut('a\n'.repeat(100), 10, 640);
    expect(batches.map((batch) => batch.text.length / 2)).to.deep.equal(Array(10).fill(10));
  });

  it('the last line may have no line end', async () => {
    expect(await cut('a\nb', 2, 640)).to.deep.equal([{ text: 'a\nb', tooLong: 0 }]);
  });

  it('lines that are too long for a request are left out and counted', async () => {
    const batches = await cut(`a\n${'x'.repeat(2_000)}\nb\n${'y'.repeat(3_000)}`, 100, 1_000);
    expect(batches.map((batch) => batch.text).join('')).to.equal('a\nb\n');
    expect(batches.reduce((sum, { tooLong }) => sum + tooLong, 0)).to.equal(2);
  });

  it('an empty file has no lines', async () => {
    expect(await cut('', 10, 1_000)).to.deep.equal([]);
  });

  describe('with entries of several lines', () => {
    const startOf = (head: string): LineStart =>
      head.startsWith(' ') ? 'continuation' : head.startsWith('T') ? 'time' : 'entry';
    const textsOf = async (text: string, size: number) =>
      (await cut(text, size, 640, startOf)).map((batch) => batch.text.replaceAll('\n', '|'));

    for (const size of [1, 7, 1_000]) {
      it(`lines are cut where an entry with a time begins (${size} bytes)`, async () => {
        // Ten lines are a batch.
        const text = `${'T\n'.repeat(8)}T\n \na\n b\nT\n${'T\n'.repeat(10)}`;
        expect(await textsOf(text, size)).to.deep.equal(['T|'.repeat(8), 'T| |a| b|T|T|T|T|T|T|', 'T|'.repeat(5)]);
      });

      it(`lines are cut where any entry begins if none has a time (${size} bytes)`, async () => {
        const text = `a\n${' b\n'.repeat(7)}a\n b\n b\na\n`;
        expect(await textsOf(text, size)).to.deep.equal([`a|${' b|'.repeat(7)}`, 'a| b| b|a|']);
      });
    }

    it('lines are cut within an entry that is longer than a request', async () => {
      const text = `T\n${'a\n'.repeat(9)}${' b\n'.repeat(12)}`;
      expect(await textsOf(text, 1_000)).to.deep.equal([
        `T|${'a|'.repeat(8)}`,
        `a|${' b|'.repeat(9)}`,
        ' b|'.repeat(3),
      ]);
    });

    it('lines are cut at a time that stands alone, and then anywhere', async () => {
      const text = `a\nT\n${'a\n'.repeat(20)}`;
      expect(await textsOf(text, 1_000)).to.deep.equal(['a|', `T|${'a|'.repeat(9)}`, 'a|'.repeat(10), 'a|']);
    });
  });
});
