import { expect } from 'chai';
import type { Designs } from '../../../api/cost/designs.responses.ts';
import type { Projection, RegionEstimates } from '../../../api/cost/estimates.responses.ts';
import type { Metrics } from '../../../api/cost/metrics.responses.ts';
import { designsTable, metricsTables, projectionTable, regionsTable } from '../../../scripts/demo/cost-tables.ts';

function getMetrics(hours: number): Metrics {
  const first = Date.UTC(2026, 4, 1);
  return {
    region: 'eu-west-1',
    currency: 'USD',
    totals: {
      logs: 2_000,
      size_bytes: 245_012,
      pii_logs: 12,
      pii: { email: 9, payment_card: 3 },
      queue_requests: 6_000,
      function_invocations: 2_000,
      function_gb_seconds: '128.000000000000',
      input_tokens: 81_234,
      output_tokens: 200_000,
      cost: '1.234567890123',
      status: 'estimated',
      incomplete: false,
    },
    cost_breakdown: [
      { service: 'queue', usage: { requests: 6_000 }, cost: '0.002400000000', share: '0.0019', status: 'ok' },
      { service: 'inference', usage: {}, cost: null, share: null, status: 'missing' },
    ],
    timeseries: Array.from({ length: hours }, (_, index) => ({
      hour: new Date(first + index * 3_600_000).toISOString(),
      logs: index,
      size_bytes: 0,
      pii_logs: 0,
      input_tokens: 0,
      cost: { total: '0.000000000000' },
    })),
  } as unknown as Metrics;
}

describe('tables of the demo', () => {
  it('tables contain totals, the cost of each service and every hour of a day', () => {
    const text = metricsTables(getMetrics(24));
    expect(text).to.match(/With personal data\s*│ 12 entries \(findings: email 9, payment_card 3\)/);
    expect(text).to.match(/Cost \(USD\)\s*│ 1\.234567890123 \(estimated\)/);
    expect(text).to.match(/queue\s*│ 6,000 requests\s*│\s*0\.002400000000 │\s*0\.19 % │ ok/);
    expect(text).to.match(/total\s*│ 2,000 log entries\s*│\s*1\.234567890123 │\s*│ estimated/);
    expect(text.match(/2026-05-01 \d\d:00/g)).to.have.length(24);
  });

  it('an unknown price is a dash', () => {
    expect(metricsTables(getMetrics(1))).to.match(/inference\s*│\s*│\s*– │\s*– │ missing/);
  });

  it('a long series is shortened, with the number of omitted hours', () => {
    const text = metricsTables(getMetrics(1_000));
    expect(text.match(/2026-\d\d-\d\d \d\d:00/g)).to.have.length(24);
    expect(text).to.contain('2026-05-01 00:00').and.to.contain('2026-06-11 15:00');
    expect(text).to.contain('… 976 hours omitted …');
  });
});

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
  } as unknown as Projection;

  it('a projection contains the cost of a month and of twelve, and the rate', () => {
    const text = projectionTable(projection);
    expect(text).to.match(/^A month at the rate of 3,000 entries in 25 hours\n/);
    expect(text).to.match(/│ queue +│ 87,600 requests +│ +0\.03504 │ +– │/);
    expect(text).to.match(/│ total +│ 87,600 entries +│ +0\.03504 │ +– │/);
  });

  it('a projection names a volume that is not observed', () => {
    const basis = { ...projection.basis, kind: 'entries_per_month' as const, entries_per_month: '1000000' };
    expect(projectionTable({ ...projection, basis })).to.match(/^A month with 1,000,000 entries\n/);
  });

  it('designs are shown with their calls, and the cheapest is named', () => {
    const design = (name: string, cost: string, totals: object, entries = 3_000) => ({
      name,
      flow: { model_entries: entries },
      totals: { logs: 3_000, function_invocations: 3_000, cost, status: 'estimated', ...totals },
      difference: { total: { share: '-0.8700' } },
    });
    const items = [
      design('simple', '1.910000000000', {}),
      design('50 a call', '0.410000000000', { inference_calls: 60 }),
      design('errors only', '0.010000000000', { inference_calls: 0 }, 0),
    ];
    const text = designsTable({ currency: 'USD', items, cheapest: '50 a call' } as unknown as Designs);
    expect(text).to.match(/│ simple +│ +3,000 │ +3,000 │ +1\.91 │ +-87\.00 % │ estimated │/);
    expect(text).to.match(/│ 50 a call, the cheapest +│ +3,000 │ +60 │ +0\.41 │/);
    expect(text).to.match(/│ errors only \(no entry reaches the model\) +│ +3,000 │ +0 │ +0\.01 │/);
  });

  it('up to three cheaper regions are shown, and that of the scenario, without unverified prices and small savings', () => {
    const item = (region: string, share: string | null, status = 'estimated') => ({
      region,
      name: region.toUpperCase(),
      cost: { total: '1.000000000000' },
      status,
      difference: { total: share === null ? null : { amount: '-1.000000000000', share } },
    });
    const shown = (items: object[]) =>
      regionsTable({ currency: 'USD', region: 'own', items } as unknown as RegionEstimates);
    const own = item('own', '0.0000');
    const table = shown([
      ...['one', 'two', 'three', 'four'].map((region) =>
        item(region, '-0.2500', region === 'two' ? 'ok' : 'estimated'),
      ),
      item('nearly', '-0.0099'),
      own,
      item('guessed', '-0.2500', 'unverified'),
      item('partly', null, 'missing'),
    ]);
    const rows = [...table.matchAll(/^│ (\w+) +│ ([^│]+?) +│/gm)].slice(1).map(([, code, name]) => `${code} ${name}`);
    expect(rows).to.deep.equal(['one ONE', 'two TWO', 'three THREE', 'own OWN, this scenario']);
    expect(table)
      .to.match(/^The same usage in other regions\n/)
      .and.to.contain('-25.00 %');
    expect(shown([item('nearly', '-0.0099'), own, item('guessed', '-0.2500', 'unverified')])).to.equal(
      'The same usage in other regions\nNo region with verified prices costs at least 1 % less.',
    );
    expect(shown([item('one', null), item('own', null, 'missing')])).to.match(/^│ one +│ ONE +│/m);
  });
});
