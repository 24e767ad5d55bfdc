import { expect } from 'chai';
import type { Designs } from '../../../api/cost/designs.responses.ts';
import type { Metrics } from '../../../api/cost/metrics.responses.ts';
import { designsTable, metricsTables, monthTable } from '../../../scripts/demo/cost-tables.ts';

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
  it('a month is shown with twelve of them, and with what they rest on', () => {
    const costs = { queue: '0.035040000000', function: null, inference: '1.000000000000', total: '1.035040000000' };
    const basis = 'A month of 730 hours at the rate of 6,000 entries in a minute.';
    const designs = { currency: 'USD', basis, present: { month: costs, year: { ...costs, total: '12.420480000000' } } };
    const text = monthTable(designs as unknown as Designs);
    expect(text.startsWith(`${basis}\n`)).to.equal(true);
    expect(text).to.match(/│ queue +│ +0\.03504 │ +0\.03504 │/);
    expect(text).to.match(/│ function +│ +– │/);
    expect(text).to.match(/│ total +│ +1\.03504 │ +12\.42048 │/);
    expect(monthTable({ basis: 'No rate.', present: { month: null, year: null } } as unknown as Designs)).to.equal(
      'No rate.',
    );
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
});
