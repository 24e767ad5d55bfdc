import { expect } from 'chai';
import { formatDecimal, type Metrics, metricsTables } from '../../../scripts/demo/metrics-tables.ts';

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
  };
}

describe('tables of the demo', () => {
  it('contain totals, the cost of each service and every hour of a day', () => {
    const text = metricsTables(getMetrics(24));
    expect(text).to.match(/With personal data\s*│ 12 entries \(findings: email 9, payment_card 3\)/);
    expect(text).to.match(/Cost \(USD\)\s*│ 1\.234567890123 \(estimated\)/);
    expect(text).to.match(/queue\s*│ 6,000 requests\s*│\s*0\.002400000000 │\s*0\.19 % │ ok/);
    expect(text).to.match(/total\s*│ 2,000 log entries\s*│\s*1\.234567890123 │\s*│ estimated/);
    expect(text.match(/2026-05-01 \d\d:00/g)).to.have.length(24);
  });

  it('have a dash for an unknown price', () => {
    expect(metricsTables(getMetrics(1))).to.match(/inference\s*│\s*│\s*– │\s*– │ missing/);
  });

  it('shorten a long series, with the number of omitted hours', () => {
    const text = metricsTables(getMetrics(1_000));
    expect(text.match(/2026-\d\d-\d\d \d\d:00/g)).to.have.length(24);
    expect(text).to.contain('2026-05-01 00:00').and.to.contain('2026-06-11 15:00');
    expect(text).to.contain('… 976 hours omitted …');
  });

  it('remove trailing zeros of quantities and totals, except in the first two decimals', () => {
    const shown = ['0.002400000000', '128.000000000000', '1.500000000000', '1.234567890123', '7'].map(formatDecimal);
    expect(shown).to.deep.equal(['0.0024', '128.00', '1.50', '1.234567890123', '7']);
  });
});
