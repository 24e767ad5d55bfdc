import { expect } from 'chai';
import { projectionTable, regionsTable } from '../../../scripts/demo/outlook-tables.ts';

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
