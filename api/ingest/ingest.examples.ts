import { totalsExample } from '../cost/metrics.examples.ts';
import { exampleScenarioId } from '../scenarios/scenarios.schema.ts';
import type { LogResponse, RejectedEntry } from './ingest.responses.ts';

export const entriesExample = [
  { message: 'mail sent to jane@example.com', source: 'mail-1' },
  { message: 'GET /cart 200', source: 'web-1', level: 'info' },
];

/** As Fluent Bit sends them. */
export const looseExample = [
  { date: 1777640400.123, log: 'GET /cart 200', stream: 'stdout', host: 'web-1' },
  { date: 1777640400.456, log: '', stream: 'stdout', host: 'web-1' },
];

export const summaryExample = { accepted: 1, timed: 1, usage_unread: 0, rejected: 0, skipped: 1, errors: [] };

const jobId = '05ea7e77-4e2b-4bed-9192-00fe4c22a3d5';
const assumed = { queue_requests: 1, function_invocations: 1, function_gb_seconds: '0.050000000000' };
const assumedCost = { queue: '0.000000400000', function: '0.000001033335' };

const mail: LogResponse = {
  id: '05ea7e77-4e2b-8bed-8192-00fe4c220000',
  scenario_id: exampleScenarioId,
  received_at: '2026-05-01T13:00:05.000Z',
  message_hash: 'bfa7ff5523d07c6a2d06b729e70589340f21f4b3186bb8dab53a83b2bbbbf48a',
  message_preview: 'mail sent to [EMAIL]',
  source: 'mail-1',
  level: null,
  size_bytes: 29,
  has_pii: true,
  pii: [{ type: 'email', count: 1 }],
  metrics: { ...assumed, input_tokens: 8, output_tokens: 100 },
  cost: { ...assumedCost, inference: '0.000558800000', total: '0.000560233335' },
};
const cart: LogResponse = {
  id: '05ea7e77-4e2b-8bed-8192-00fe4c220001',
  scenario_id: exampleScenarioId,
  received_at: '2026-05-01T13:00:05.000Z',
  message_hash: '7711373b756a2338c829e9321278d559ff4d8f5cce49de221fae6b4afb1a1c9e',
  message_preview: 'GET /cart 200',
  source: 'web-1',
  level: 'info',
  size_bytes: 13,
  has_pii: false,
  pii: [],
  metrics: { ...assumed, input_tokens: 6, output_tokens: 100 },
  cost: { ...assumedCost, inference: '0.000556600000', total: '0.000558033335' },
};

/** The response to `entriesExample`. */
export const batchExample = { accepted: 2, timed: 0, usage_unread: 0, results: [mail, cart], totals: totalsExample };

export const acceptedExample = {
  job_id: jobId,
  status: 'queued' as const,
  status_url: `/api/v1/ingest-jobs/${jobId}`,
  accepted: 2,
  timed: 0,
  usage_unread: 0,
};

const rejected: RejectedEntry = {
  index: 1,
  status: 400,
  error: {
    code: 'VALIDATION_ERROR',
    message: 'The request is not valid: message must be a string, not a number.',
    details: [{ field: 'message', error: 'must be a string, not a number' }],
  },
};

export const partialExample = {
  accepted: 1,
  timed: 0,
  usage_unread: 0,
  rejected: 1,
  results: [mail, rejected],
  totals: { logs: 1, size_bytes: mail.size_bytes, pii_logs: 1, metrics: mail.metrics, cost: mail.cost },
};
