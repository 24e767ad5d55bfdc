import { expect } from 'chai';
import fc from 'fast-check';
import { formatCursor, parseCursor } from '../../../api/cost/metrics.presenter.ts';
import { intervalLength, intervals } from '../../../shared/usage/periods.ts';

const cursor = fc.tuple(fc.constantFrom(...intervals), fc.nat({ max: 1_100_000 })).map(([interval, hours]) => ({
  interval,
  start: Math.floor((hours * 3_600_000) / intervalLength(interval)) * intervalLength(interval),
}));

describe('a cursor of the time series', () => {
  it('a cursor is read as it was written', () => {
    fc.assert(
      fc.property(cursor, (one) => {
        expect(parseCursor(formatCursor(one))).to.deep.equal(one);
      }),
    );
  });

  it('a cursor begins at a whole interval', () => {
    fc.assert(
      fc.property(cursor, fc.integer({ min: 1, max: 3_599_999 }), ({ interval, start }, rest) => {
        expect(parseCursor(formatCursor({ interval, start: start + rest }))).to.equal(undefined);
      }),
    );
    expect(parseCursor('day:2026-05-01T12:00:00.000Z')).to.equal(undefined);
    expect(parseCursor('hour:2026-05-01T12:00:00.000Z')).to.deep.equal({
      interval: 'hour',
      start: Date.UTC(2026, 4, 1, 12),
    });
  });

  it('a cursor is never read from another text', () => {
    const part = fc.constantFrom('hour', 'day', ':', '2026-05-01T12:00:00', '.000', 'Z', '+01:00', ' ', '\n', '99');
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(part).map((parts) => parts.join('')),
        ),
        (text) => {
          const parsed = parseCursor(text);
          if (parsed === undefined) return;
          expect(text.startsWith(`${parsed.interval}:`)).to.equal(true);
          expect(parsed.start).to.equal(Date.parse(text.slice(parsed.interval.length + 1)));
          expect(parsed.start % intervalLength(parsed.interval)).to.equal(0);
        },
      ),
    );
  });
});
