import { expect } from 'chai';
import { ByteWriter } from '../../../api/http/byte-writer.ts';

describe('a writer of bytes', () => {
  it('puts parts together, however few bytes were expected', () => {
    for (const expected of [0, 1, 7, 1000]) {
      const writer = new ByteWriter(expected);
      writer.ascii('short ');
      writer.ascii('a text that is longer than a short one ');
      writer.copy(Buffer.from('größer '));
      writer.hex(Uint8Array.of(0, 1, 0x9a, 0xff), 1, 4);
      writer.copy(Buffer.alloc(0));
      writer.ascii('');
      const lines = Buffer.from('first\nsecond €\nrest');
      const newline = '\n'.charCodeAt(0);
      const first = writer.copyUntil(newline, lines, 0);
      const second = writer.copyUntil(newline, lines, first + 1);
      expect([first, second]).to.deep.equal([lines.indexOf('\n'), lines.lastIndexOf('\n')]);
      expect(writer.copyUntil(newline, lines, second + 1), 'the end of the source').to.equal(lines.length);
      const text = 'short a text that is longer than a short one größer 019afffirstsecond €rest';
      expect(writer.bytes.toString()).to.equal(text);
      expect(writer.length).to.equal(Buffer.byteLength(text));
    }
  });
});
