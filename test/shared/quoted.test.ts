import { expect } from 'chai';
import { kindOf, mustBeOneOf, quoted, shortened } from '../../shared/quoted.ts';

describe('values in error messages', () => {
  it('sent values are short, on one line and without characters that a reader cannot see', () => {
    expect(quoted('eu-west')).to.equal('"eu-west"');
    expect(quoted('a "b" \\ c')).to.equal('"a \\"b\\" \\\\ c"');
    expect(quoted('a\0\n\u001b[31m\u0085\u200b\u202e\u2028')).to.equal(
      '"a\\u0000\\n\\u001b[31m\\u0085\\u200b\\u202e\\u2028"',
    );
    expect(quoted('x'.repeat(60))).to.equal(`"${'x'.repeat(60)}"`);
    expect(quoted('x'.repeat(61))).to.equal(`"${'x'.repeat(60)}…"`);
    expect(quoted(`${'x'.repeat(59)}😀y`)).to.equal(`"${'x'.repeat(59)}…"`);
    expect(quoted('\ud800')).to.equal('"\\ud800"');
    expect(shortened(`/a\u0007${'b'.repeat(10)}`, 5)).to.equal('/a\\u0007bb…');
  });

  it('sent values contain no API key and no token', () => {
    for (const secret of [
      'mb_0123456789ab_0123',
      'Bearer mb_0123456789ab_0123',
      'eyJhbGciOiJIUzI1NiIsInR5cCI6ImF0K2p3dCJ9.e30.x',
    ]) {
      expect(quoted(secret)).to.equal('a key or token');
    }
  });

  it('sent values are named by their kind if they are not scalar', () => {
    expect([5, true, null, [1], { a: 1 }].map(quoted)).to.deep.equal(['5', 'true', 'null', 'a list', 'an object']);
    expect([5, 'x', null].map(kindOf)).to.deep.equal(['a number', 'a string', 'null']);
    expect(mustBeOneOf(['pdf', 'csv'], 'doc')).to.equal('must be one of pdf, csv, not "doc"');
    expect(mustBeOneOf(['meterbook'], 'x')).to.equal('must be meterbook, not "x"');
  });
});
