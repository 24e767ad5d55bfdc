import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { batchLines, type LogBatch, maxMessageBytes } from '../../../scripts/demo/log-batches.ts';
import { readLines } from '../../../scripts/demo/read-lines.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';

const mebibyte = 1024 * 1024;

describe('batches of log lines', () => {
  const folder = createTemporaryFolder();

  async function batchesOf(content: string | Buffer, size: number): Promise<LogBatch[]> {
    const path = join(folder.path, 'some.log');
    await writeFile(path, content);
    const batches: LogBatch[] = [];
    for await (const batch of batchLines(readLines(path, maxMessageBytes), size)) batches.push(batch);
    return batches;
  }
  const messagesOf = (batches: LogBatch[]) => batches.flatMap(({ body }) => body.split('\n'));

  it('contain the lines in order, up to the size of a batch', async () => {
    const batches = await batchesOf('one\ntwo\r\nthree\nfour\nfive', 2);
    expect(batches.map((batch) => batch.lines)).to.deep.equal([2, 2, 1]);
    expect(messagesOf(batches)).to.deep.equal(['one', 'two', 'three', 'four', 'five']);
  });

  it('end before an entry, up to 1,000 lines', async () => {
    const trace = '2026-05-01T10:20:30Z failed\n    at a\nclosed\n';
    const batches = await batchesOf(trace.repeat(4), 2);
    expect(batches.map((batch) => batch.lines)).to.deep.equal([3, 3, 3, 3]);
    const untimed = await batchesOf('failed\n    at a\nclosed\n'.repeat(2), 2);
    expect(untimed.map((batch) => batch.lines)).to.deep.equal([2, 3, 1]);
    const long = await batchesOf(`2026-05-01T10:20:30Z failed\n${'    at a\n'.repeat(1_500)}`, 2);
    expect(long.map((batch) => batch.lines)).to.deep.equal([1_000, 501]);
  });

  it('skip and count empty lines and lines over 256 KiB', async () => {
    const longest = 'ä'.repeat(maxMessageBytes / 2);
    const batches = await batchesOf(`one\n\n \t\n${longest}x\n${longest}\nlast\n\n`, 100);
    expect(messagesOf(batches)).to.deep.equal(['one', longest, 'last']);
    expect(batches.reduce((sum, batch) => sum + batch.skipped, 0)).to.equal(4);
  });

  it('count every byte of the file', async () => {
    const content = `one\n\n${'x'.repeat(maxMessageBytes + 1)}\r\ntwo\n\n`;
    const batches = await batchesOf(content, 1);
    expect(batches.reduce((sum, batch) => sum + batch.readBytes, 0)).to.equal(content.length);
  });

  it('are at most 5 MiB', async () => {
    const batches = await batchesOf(`${'"'.repeat(200 * 1024)}\n`.repeat(40), 1_000);
    expect(batches.reduce((sum, batch) => sum + batch.lines, 0)).to.equal(40);
    for (const { body } of batches) expect(Buffer.byteLength(body)).to.be.at.most(5 * mebibyte);
    expect(batches).to.have.length(2);
  });

  it('skip and count lines with NUL, and replace bytes that are not UTF-8', async () => {
    const batches = await batchesOf(Buffer.concat([Buffer.from('a\0b\nc\n\0\n'), Buffer.from([0xff, 0xfe, 10])]), 10);
    expect(messagesOf(batches)).to.deep.equal(['c', '\ufffd\ufffd']);
    expect(batches.reduce((sum, batch) => sum + batch.skipped, 0)).to.equal(2);
  });

  it('are none for an empty file', async () => {
    expect(await batchesOf('', 10)).to.deep.equal([]);
  });
});
