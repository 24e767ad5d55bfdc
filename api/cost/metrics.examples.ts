import { exampleScenarioId } from '../scenarios/scenarios.schema.ts';
import type { Metrics } from './metrics.responses.ts';

/** The entries of the example of `ingestEntries`, as the example of metrics has them too. */
export const totalsExample = {
  logs: 2,
  size_bytes: 42,
  pii_logs: 1,
  metrics: {
    queue_requests: 2,
    function_invocations: 2,
    function_gb_seconds: '0.100000000000',
    input_tokens: 14,
    output_tokens: 200,
  },
  cost: {
    queue: '0.000000800000',
    function: '0.000002066670',
    inference: '0.001115400000',
    total: '0.001118266670',
  },
};

const { logs, size_bytes, pii_logs, metrics, cost } = totalsExample;
const usage = { logs, size_bytes, pii_logs, ...metrics };

/** The metrics after the example of `ingestEntries`. */
export const metricsExample: Metrics = {
  scenario_id: exampleScenarioId,
  region: 'eu-west-1',
  currency: 'USD',
  price_book: { version: '2026-10-01-0f3a5c7e9b1d', as_of: '2026-10-01' },
  period: { from: '2026-05-01T13:00:00.000Z', to: '2026-05-01T14:00:00.000Z' },
  totals: {
    ...usage,
    pii: { email: 1, national_id: 0, payment_card: 0 },
    cost: cost.total,
    status: 'estimated',
    incomplete: false,
    pending_entries: 0,
    failed_entries: 0,
    untimed: 2,
    usage_unread: 0,
    unpriced: [],
  },
  cost_breakdown: [
    { service: 'queue', usage: { requests: 2 }, cost: cost.queue, share: '0.0007', status: 'ok' },
    {
      service: 'function',
      usage: { invocations: 2, gb_seconds: metrics.function_gb_seconds },
      cost: cost.function,
      share: '0.0018',
      status: 'ok',
    },
    {
      service: 'inference',
      usage: { input_tokens: metrics.input_tokens, output_tokens: metrics.output_tokens },
      cost: cost.inference,
      share: '0.9974',
      status: 'estimated',
    },
  ],
  interval: 'hour',
  timeseries: [{ hour: '2026-05-01T13:00:00.000Z', ...usage, cost }],
  next: null,
};
