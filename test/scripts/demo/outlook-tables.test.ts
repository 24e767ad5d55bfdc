import { expect } from 'chai';
import { designsTable, projectionTable, regionsTable } from '../../../scripts/demo/outlook-tables.ts';

describe('tables of what would be', () => {
  const line = (cost: string | null) => ({
    service: 'queue',
    usage: { requests: 87_600 },
    cost,
    share: null,
    status: 'ok',
  });
  const projection = {
    currency: 'USD',
    basis: { kind: 'observed_rate', entries_per_month: '87600', observed: { entries: 3_000, hours: 25 } },
    month: { totals: { cost: '0.035040000000', status: 'ok' }, cost_breakdown: [line('0.035040000000')] },
    twelve_months: { totals: { cost: null, status: 'missing' }, cost_breakdown: [line(null)] },
  };

  it('contain the cost of a month and of twelve, and the rate', () => {
    const text = projectionTable(projection);
    expect(text).to.match(/^A month at the rate of 3,000 entries in 25 hours\n/);
    expect(text).to.match(/│ queue +│ 87,600 requests +│ +0\.03504 │ +– │/);
    expect(text).to.match(/│ total +│ 87,600 entries +│ +0\.03504 │ +– │/);
  });

  it('name a volume that is not observed', () => {
    const basis = { ...projection.basis, kind: 'entries_per_month', entries_per_month: '1000000' };
    expect(projectionTable({ ...projection, basis })).to.match(/^A month with 1,000,000 entries\n/);
  });

  it('contain each design with its calls, and name the cheapest', () => {
    const design = (name: string, cost: string, totals: object) => ({
      name,
      totals: { logs: 3_000, function_invocations: 3_000, cost, status: 'estimated', ...totals },
      difference: { total: { share: '-0.8700' } },
    });
    const items = [
      design('simple', '1.910000000000', {}),
      design('50 a call', '0.410000000000', { inference_calls: 60 }),
    ];
    const text = designsTable({ currency: 'USD', items, cheapest: '50 a call' });
    expect(text).to.match(/│ simple +│ +3,000 │ +3,000 │ +1\.91 │ +-87\.00 % │ estimated │/);
    expect(text).to.match(/│ 50 a call, the cheapest +│ +3,000 │ +60 │ +0\.41 │/);
  });

  it('contain the three cheapest regions, and that of the scenario', () => {
    const items = ['one', 'two', 'three', 'four', 'five'].map((region, index) => ({
      region,
      name: region.toUpperCase(),
      cost: { total: `${index}.000000000000` },
      status: 'ok',
      difference: { total: { amount: '-1.000000000000', share: index === 1 ? null : '-0.2500' } },
    }));
    const shown = (region: string) =>
      [...regionsTable({ currency: 'USD', region, items }).matchAll(/^│ (\w+) +│ ([^│]+?) +│/gm)]
        .slice(1)
        .map(([, code, name]) => `${code} ${name}`);
    expect(shown('five')).to.deep.equal(['one ONE', 'two TWO', 'three THREE', 'five FIVE, this scenario']);
    expect(shown('two')).to.deep.equal(['one ONE', 'two TWO, this scenario', 'three THREE']);
    expect(regionsTable({ currency: 'USD', region: 'five', items }))
      .to.contain('-25.00 %')
      .and.to.contain('–');
  });
});
