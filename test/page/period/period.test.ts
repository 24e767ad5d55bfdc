import { expect } from 'chai';
import {
  boundsOf,
  formatPeriod,
  isReversed,
  type Period,
  parsePeriod,
  spanWithin,
} from '../../../page/period/period.ts';

const parse = (query: string) => parsePeriod(new URLSearchParams(query));
const entries = { from: '2026-05-01T10:00:00.000Z', to: '2026-05-09T12:00:00.000Z' };

describe('the period of an address', () => {
  it('returns from its form in the address as it was', () => {
    const periods: Period[] = [
      { kind: 'all' },
      { kind: 'last', length: 'month' },
      { kind: 'own', from: '2026-05-01T10:00:00.000Z', to: '2026-05-02T00:00:00.000Z' },
      { kind: 'own', from: '', to: '2026-05-02T00:00:00.000Z' },
    ];
    for (const period of periods) {
      const written = Object.entries(formatPeriod(period)).flatMap(([name, value]) => (value ? [[name, value]] : []));
      expect(parse(new URLSearchParams(written).toString())).to.deep.equal(period);
    }
    expect(formatPeriod({ kind: 'own', from: entries.from, to: '' }).from).to.equal('2026-05-01T10:00Z');
  });

  it('is rounded outward to whole hours, as the API does', () => {
    expect(parse('from=2026-05-01T10:20Z&to=2026-05-02')).to.deep.equal({
      kind: 'own',
      from: '2026-05-01T10:00:00.000Z',
      to: '2026-05-02T00:00:00.000Z',
    });
  });

  it('is all entries where it is malformed or out of bounds', () => {
    const malformed = ['', 'period=year', 'period=constructor', 'from=yesterday', 'to=9999-01-01', 'from=2026-13-45'];
    for (const query of malformed) expect(parse(query), query).to.deep.equal({ kind: 'all' });
  });

  it('is reversed where it ends before it begins', () => {
    const reversed = parse('from=2026-05-02&to=2026-05-01');
    expect(isReversed(boundsOf(reversed, entries))).to.equal(true);
    expect(isReversed(entries)).to.equal(false);
    expect(isReversed({ from: entries.from, to: '' })).to.equal(false);
  });

  it('ends with the last entry where it is a last hour, day, week or month', () => {
    expect(boundsOf({ kind: 'last', length: 'day' }, entries)).to.deep.equal({
      from: '2026-05-08T12:00:00.000Z',
      to: entries.to,
    });
    expect(boundsOf({ kind: 'last', length: 'day' }, { from: null, to: null })).to.deep.equal({ from: '', to: '' });
  });

  it('is as long as its hours with entries', () => {
    const span = spanWithin({ from: '2026-05-09T00:00:00.000Z', to: '' }, entries);
    expect(span).to.deep.equal({ start: Date.UTC(2026, 4, 9), end: Date.UTC(2026, 4, 9, 12) });
    expect(spanWithin({ from: '2027-01-01T00:00:00.000Z', to: '' }, entries)).to.equal(null);
    expect(spanWithin({ from: '', to: '' }, { from: null, to: null })).to.equal(null);
  });
});
