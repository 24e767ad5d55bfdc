import { expect } from 'chai';
import { encode, requestOf, requestType, textRecord } from '../../../test/support/otlp.ts';
import { cutPieces, type Piece, wholeBytes } from '../src/pieces.ts';

/** The pieces of a log that arrives in chunks. */
async function cut(log: string | Buffer): Promise<Piece[]> {
  const bytes = Buffer.from(log);
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += 100_003) yield bytes.subarray(at, at + 100_003);
  }
  const pieces: Piece[] = [];
  for await (const piece of cutPieces(chunks())) pieces.push(piece);
  return pieces;
}

const textOf = (pieces: readonly Piece[]) => pieces.map(({ bytes }) => bytes.toString()).join('');

describe('pieces of a log', () => {
  it('a log of at most 4 MiB is one piece', async () => {
    const text = 'a line\n'.repeat(Math.floor(wholeBytes / 7));
    expect((await cut(text)).map(({ bytes, form }) => [bytes.length, form])).to.deep.equal([[text.length, 'text']]);
  });

  it('a piece ends before a line that begins an entry', async () => {
    const trace = `2026-05-01 error\n${'\tat a.b.c (d.java)\n'.repeat(100)}`;
    const text = trace.repeat(Math.ceil((2 * wholeBytes) / trace.length));
    const pieces = await cut(text);
    expect(pieces.length).to.be.greaterThan(6);
    expect(new Set(pieces.map(({ bytes }) => bytes.toString('utf8', 0, 10)))).to.deep.equal(new Set(['2026-05-01']));
    expect(textOf(pieces) === text).to.equal(true);
  });

  it('lines that all begin with a blank are cut too', async () => {
    const text = ' a line of many\n'.repeat(wholeBytes / 8);
    expect(textOf(await cut(text)) === text).to.equal(true);
  });

  it('a piece has whole values of JSON, in any form', async () => {
    const records = Array.from({ length: 40_000 }, (_, at) => ({
      at,
      text: '], {"x":[1' + 'y'.repeat(120),
      list: [[at]],
    }));
    const forms = [
      JSON.stringify(records),
      JSON.stringify(records, null, 2),
      records.map((one) => JSON.stringify(one, null, 1)).join('\n'),
    ];
    for (const form of forms) {
      const pieces = await cut(form);
      expect(pieces.length).to.be.greaterThan(3);
      const values = pieces.flatMap(({ bytes }) => {
        const text = bytes.toString();
        return JSON.parse(/^\s*\[/.test(text) ? text : `[${text.replaceAll('\n}\n{', '\n},\n{')}]`) as { at: number }[];
      });
      expect(values.map(({ at }) => at)).to.deep.equal(records.map(({ at }) => at));
    }
  });

  it('requests of OpenTelemetry are pieces, plain or with their lengths, and one that is cut off is the last', async () => {
    const requests = Array.from({ length: 12 }, (_, at) =>
      encode(requestOf([textRecord(`${at}${'x'.repeat(200_000)}`)], { attributes: [] }), 'protobuf'),
    );
    const lengthOf = ({ length }: Buffer) => Buffer.from(Uint32Array.of(length).buffer).reverse();
    const plain = Buffer.concat(requests);
    const withLengths = Buffer.concat(requests.flatMap((request) => [lengthOf(request), request]));
    for (const file of [plain, withLengths]) {
      const pieces = await cut(file);
      expect(pieces.map(({ form }) => form)).to.deep.equal(['protobuf', 'protobuf']);
      const bodies = pieces.flatMap(
        ({ bytes }) => (requestType.decode(bytes).toJSON() as { resourceLogs: object[] }).resourceLogs,
      );
      expect(bodies).to.have.length(requests.length);
      const cutOff = await cut(file.subarray(0, file.length - 10));
      expect(cutOff).to.have.length(3);
      expect(() => requestType.decode(cutOff.at(-1)?.bytes as Buffer)).to.throw();
    }
  });

  it('text that begins with a blank line is not a request', async () => {
    for (const text of ['\n{\n  "message": "a"}', '\n\n\n\n', '\nzx\n', '\u0000\n']) {
      expect(
        (await cut(text)).map(({ form }) => form),
        JSON.stringify(text),
      ).to.not.include('protobuf');
    }
  });
});
