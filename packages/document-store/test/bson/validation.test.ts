import { expect } from 'chai';
import { validateDocument } from '../../src/bson/validation.ts';
import { CommandError } from '../../src/errors.ts';
import { field, rawDocument, rawInt } from '../send-message.ts';

const malformed: [string, Buffer][] = [
  ['no bytes', Buffer.alloc(0)],
  ['a length that is too short', Buffer.of(4, 0, 0, 0)],
  ['a length that is too long', Buffer.of(6, 0, 0, 0, 0)],
  ['bytes after the end', Buffer.of(5, 0, 0, 0, 0, 0)],
  ['no end', Buffer.of(5, 0, 0, 0, 1)],
  ['a name without end', Buffer.of(8, 0, 0, 0, 10, 97, 97, 0)],
  ['an unknown type', rawDocument(field(0x20, 'a'))],
  ['a boolean of 2', rawDocument(field(8, 'a', Buffer.of(2)))],
  ['an integer that is cut', rawDocument(field(16, 'a', Buffer.of(1, 2)))],
  ['a string of length 0', rawDocument(field(2, 'a', rawInt(0), Buffer.of(0)))],
  ['a string that is longer than the document', rawDocument(field(2, 'a', rawInt(9), Buffer.from('b\0')))],
  ['a string without end', rawDocument(field(2, 'a', rawInt(2), Buffer.from('bc')))],
  ['a string that is not UTF-8', rawDocument(field(2, 'a', rawInt(2), Buffer.of(0xff, 0)))],
  ['a long string that is not UTF-8', rawDocument(field(2, 'a', rawInt(101), Buffer.alloc(100, 0xc3), Buffer.of(0)))],
  ['a name that is not UTF-8', rawDocument(Buffer.of(10, 0xff, 0))],
  ['a nested document that overruns', rawDocument(field(3, 'a', Buffer.of(9, 0, 0, 0, 0)))],
  ['a nested document that is malformed', rawDocument(field(4, 'a', rawDocument(field(8, '0', Buffer.of(3)))))],
  ['binary data of a negative length', rawDocument(field(5, 'a', rawInt(-1), Buffer.of(0)))],
  ['a regular expression, which is not implemented', rawDocument(field(11, 'a', Buffer.from('b\0i\0')))],
  ['a decimal, which is not implemented', rawDocument(field(19, 'a', Buffer.alloc(16)))],
];

function codeOf(bytes: Buffer): number | undefined {
  try {
    validateDocument(bytes);
    return undefined;
  } catch (error) {
    return error instanceof CommandError ? error.code : Number.NaN;
  }
}

function nested(depth: number): Buffer {
  return depth === 1 ? rawDocument() : rawDocument(field(3, 'a', nested(depth - 1)));
}

describe('document store: validation of BSON', () => {
  for (const [what, bytes] of malformed) {
    it(`refuses ${what}`, () => {
      expect(codeOf(bytes)).to.equal(22);
    });
  }

  it('accepts a value of every type that is implemented', () => {
    const text = (value: string) => Buffer.concat([rawInt(value.length + 1), Buffer.from(`${value}\0`)]);
    const bytes = rawDocument(
      field(1, 'double', Buffer.alloc(8)),
      field(2, 'string', text('b')),
      field(3, 'object', rawDocument()),
      field(4, 'array', rawDocument(field(10, '0'))),
      field(5, 'binData', rawInt(1), Buffer.of(0, 7)),
      field(7, 'objectId', Buffer.alloc(12)),
      field(8, 'bool', Buffer.of(1)),
      field(9, 'date', Buffer.alloc(8)),
      field(10, 'null'),
      field(16, 'int', rawInt(1)),
      field(18, 'long', Buffer.alloc(8)),
    );
    expect(codeOf(bytes)).to.equal(undefined);
  });

  it('accepts documents in documents up to a depth of 200', () => {
    expect(codeOf(nested(200))).to.equal(undefined);
    expect(codeOf(nested(201))).to.equal(15);
  });
});
