import { expect } from 'chai';
import { localOf, readBounds } from '../../../page/period/typed-bounds.ts';

const read = (from: string, to: string, isUtc = true) => readBounds({ from, to }, isUtc);

describe('the typed bounds of a period', () => {
  it('typed bounds are times of the chosen zone, or an open end', () => {
    expect(read('2026-05-01T10:00', '')).to.deep.equal({ from: '2026-05-01T10:00:00.000Z', to: '' });
    const local = { from: '', to: new Date('2026-05-01T10:00').toISOString() };
    expect(read('', '2026-05-01T10:00', false)).to.deep.equal(local);
  });

  it('typed bounds return to their fields as they were typed', () => {
    for (const isUtc of [true, false]) {
      const bounds = read('2026-05-01T10:00', '', isUtc);
      expect(typeof bounds === 'string' ? bounds : localOf(bounds.from, isUtc)).to.equal('2026-05-01T10:00');
    }
    expect(localOf('', true)).to.equal('');
  });

  it('typed bounds are refused with a reason where they are not a period', () => {
    const years = 'Give times from 1970 to 2099.';
    expect(read('0002-11-25T10:00', '')).to.equal(years);
    expect(read('', '275760-11-25T10:00')).to.equal(years);
    expect(read('12026-05-01T10:00', '')).to.equal(years);
    expect(read('2026-05-02T00:00', '2026-05-01T00:00')).to.equal('The first time must be before the second.');
    expect(read('', '')).to.equal('Give one of the two times, or choose All.');
  });
});
