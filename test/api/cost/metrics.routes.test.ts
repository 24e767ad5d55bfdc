import { expect } from 'chai';
import { metricsQuery } from '../../../api/cost/metrics.routes.ts';
import { check } from '../../../api/http/input.ts';

describe('the query of metrics', () => {
  it('an empty query is valid', () => {
    expect(check(metricsQuery, {})).to.deep.equal({ value: { limit: 744 } });
  });

  it('accepts ISO times and dates; a date means midnight UTC', () => {
    expect(check(metricsQuery, { from: '2026-05-01', to: '2026-05-02T12:30:00+02:00', interval: 'day' })).to.deep.equal(
      {
        value: {
          from: new Date('2026-05-01T00:00:00.000Z'),
          to: new Date('2026-05-02T10:30:00.000Z'),
          interval: 'day',
          limit: 744,
        },
      },
    );
  });

  const invalid: readonly (readonly [query: object, ...fields: string[]])[] = [
    [{ from: '2026-02-30', to: 'yesterday', interval: 'week', page: '1' }, 'from', 'interval', 'page', 'to'],
    [{ from: '1777593600' }, 'from'],
    [{ from: ['2026-05-01', '2026-05-02'] }, 'from'],
    [{ to: '' }, 'to'],
    [{ from: '2026-05-01', to: '2026-05-01T00:00:00Z' }, 'from'],
    ...['', 'day', 'week:2026-05-02T00:00:00Z', 'day:2026-05-02T01:00:00Z', 'hour:2026-02-30T00:00:00Z'].map(
      (cursor) => [{ cursor }, 'cursor'] as const,
    ),
    ...['0', '2001', '1.5', 'all', ''].map((limit) => [{ limit }, 'limit'] as const),
  ];
  for (const [query, ...fields] of invalid)
    it(`names the invalid fields of ${JSON.stringify(query)}`, () => {
      const result = check(metricsQuery, query, 'query');
      expect('errors' in result && result.errors.map(({ field }) => field).sort()).to.deep.equal(fields);
    });

  it('accepts the cursor of a page, of the same interval', () => {
    const cursor = 'day:2026-05-02T00:00:00.000Z';
    expect(check(metricsQuery, { cursor, limit: '10' })).to.deep.equal({
      value: { cursor: { interval: 'day', start: Date.UTC(2026, 4, 2) }, limit: 10 },
    });
    expect(check(metricsQuery, { cursor, interval: 'hour' })).to.deep.equal({
      errors: [{ field: 'cursor', error: 'is of another interval' }],
    });
  });

  it('refuses a period that ends before or at its start', () => {
    expect(check(metricsQuery, { from: '2026-05-02', to: '2026-05-01' })).to.deep.equal({
      errors: [{ field: 'from', error: 'must be before to' }],
    });
  });
});
