import { expect } from 'chai';
import { parseTimestamp } from '../../shared/timestamp.ts';

describe('parseTimestamp', () => {
  const noon = Date.UTC(2026, 4, 1, 12);
  const accepted: [unknown, number][] = [
    ['2026-05-01T12:00:00Z', noon],
    ['2026-05-01T12:00:00.000Z', noon],
    ['2026-05-01t12:00:00z', noon],
    ['2026-05-01 12:00:00', noon],
    ['2026-05-01T12:00', noon],
    ['2026-05-01T14:00:00+02:00', noon],
    ['2026-05-01T06:30:00-0530', noon],
    ['2026-05-01 14:00:00+02', noon],
    ['2026-05-01T12:00:00,123', noon + 123],
    ['2026-05-01T12:00:00.123456789Z', noon + 123],
    ['2026-05-01', Date.UTC(2026, 4, 1)],
    ['2024-02-29', Date.UTC(2024, 1, 29)],
    [noon, noon],
    [noon / 1000, noon],
    [noon / 1000 + 0.25, noon + 250],
    [0, 0],
  ];
  for (const [value, time] of accepted)
    it(`accepts ${JSON.stringify(value)}`, () => expect(parseTimestamp(value)).to.equal(time));

  const refused = [
    ...'now 2026-02-30 2025-02-29T00:00:00Z 2026-13-01 2026-05-01T25:00:00Z 2026-05-01T12:60:00Z'.split(' '),
    ...'2026-05-01T12:00:00+99:00 05/01/2026 2026-5-1 1777636800 1969-12-31T23:59:59Z 2100-01-01'.split(' '),
  ];
  const others = ['', -1, 4_102_444_800, Number.NaN, Number.POSITIVE_INFINITY, true, null, {}, [2026]];
  for (const value of [...refused, ...others])
    it(`refuses ${JSON.stringify(value)}`, () => expect(parseTimestamp(value)).to.equal(undefined));
});
