import { Readable } from 'node:stream';
import { expect } from 'chai';
import { cutBodies } from '../../../scripts/demo/cut-bodies.ts';

const mebibyte = 1024 * 1024;

async function bodiesOf(text: string | Buffer, size: number, chunkLength = 7): Promise<[string, number][]> {
  const bytes = Buffer.from(text);
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunkLength) }, (_, at) =>
    bytes.subarray(at * chunkLength, (at + 1) * chunkLength),
  );
  const bodies: [string, number][] = [];
  for await (const body of cutBodies(Readable.from(chunks), size)) bodies.push([body.bytes.toString(), body.lines]);
  return bodies;
}

describe('the request bodies of the demo', () => {
  it('bodies contain every byte in order, and as many lines as requested', async () => {
    expect(await bodiesOf('one\ntwo\r\nthree\n\nfive', 2)).to.deep.equal([
      ['one\ntwo\r\n', 2],
      ['three\n\n', 2],
      ['five', 1],
    ]);
  });

  it('bodies end before a line that begins with no blank', async () => {
    const trace = 'failed\n    at a\n\tat b\nclosed\n';
    expect(await bodiesOf(trace.repeat(2), 2)).to.deep.equal([
      ['failed\n    at a\n\tat b\n', 3],
      ['closed\nfailed\n    at a\n\tat b\n', 4],
      ['closed\n', 1],
    ]);
  });

  it('bodies exceed 4 MiB only by the rest of a chunk', async () => {
    const text = `${'x'.repeat(mebibyte)}\n`.repeat(9) + 'y'.repeat(6 * mebibyte);
    const bodies = await bodiesOf(text, 1_000, 64 * 1024);
    expect(bodies.map(([body]) => body).join('')).to.equal(text);
    for (const [body] of bodies) expect(body.length).to.be.at.most(4 * mebibyte + 64 * 1024);
    expect(bodies.reduce((sum, [, lines]) => sum + lines, 0)).to.equal(11);
  });

  it('an empty file has no bodies', async () => {
    expect(await bodiesOf('', 10)).to.deep.equal([]);
  });
});
