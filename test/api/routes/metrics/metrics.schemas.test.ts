import { expect } from 'chai';
import { metricsQuery } from '../../../../api/routes/metrics/metrics.schemas.ts';
import { check } from '../../../../api/validation/validate.ts';

describe('the query of metrics', () => {
  it('can be empty', () => {
    expect(check(metricsQuery, {})).to.deep.equal({ value: {} });
  });

  it('accepts ISO times and dates; a date means midnight UTC', () => {
    expect(check(metricsQuery, { from: '2026-05-01', to: '2026-05-02T12:30:00+02:00', interval: 'day' })).to.deep.equal(
      {
        value: {
          from: new Date('2026-05-01T00:00:00.000Z'),
          to: new Date('2026-05-02T10:30:00.000Z'),
          interval: 'day',
        },
      },
    );
  });

  it('names every invalid field', () => {
    expect(errorsOf({ from: '2026-02-30', to: 'yesterday', interval: 'week', page: '1' })).to.have.members([
      'from',
      'to',
      'interval',
      'page',
    ]);
    expect(errorsOf({ from: '1777593600' })).to.deep.equal(['from']);
    expect(errorsOf({ from: ['2026-05-01', '2026-05-02'] })).to.deep.equal(['from']);
    expect(errorsOf({ to: '' })).to.deep.equal(['to']);
  });

  it('refuses a period that ends before or at its start', () => {
    expect(check(metricsQuery, { from: '2026-05-02', to: '2026-05-01' })).to.deep.equal({
      errors: [{ field: 'from', error: 'must be before to' }],
    });
    expect(errorsOf({ from: '2026-05-01', to: '2026-05-01T00:00:00Z' })).to.deep.equal(['from']);
  });
});

function errorsOf(query: object): string[] {
  const result = check(metricsQuery, query, { whole: 'query' });
  return 'errors' in result ? result.errors.map(({ field }) => field) : [];
}
