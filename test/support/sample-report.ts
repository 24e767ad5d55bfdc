import type { CostBucket } from '../../shared/cost/bucket-page.ts';
import { loadPriceBook } from '../../shared/cost/load-price-book.ts';
import { presentServices, presentTotals } from '../../shared/cost/present-cost.ts';
import { ScenarioPricer } from '../../shared/cost/scenario-cost.ts';
import { hour } from '../../shared/durations.ts';
import { defaultAssumptions } from '../../shared/scenarios/assumptions.ts';
import type { ReportData } from '../../workers/reports/report-data.ts';

const amounts = (total: string | null) => ({
  queue: '0.000400000000',
  function: '0.000200000000',
  inference: total,
  total,
});

/** The parts of a report that follow from its designs and lines. */
export function sampleAnswer(
  total: string | null,
): Pick<ReportData, 'sentence' | 'parts' | 'designs' | 'lines' | 'untimed'> {
  const month = { ...amounts('133.090000000000'), low: null, high: null };
  const present = {
    cost: amounts(total),
    month,
    year: amounts('1597.080000000000'),
    assumptions: defaultAssumptions,
    flow: { model_entries: 1_000 },
  };
  const cheap = {
    ...present,
    month: { ...month, total: '13.309000000000' },
    assumptions: { ...defaultAssumptions, free_tier: true },
  };
  return {
    sentence: [
      { topic: 'cost', text: '$0.60 for these 1,000 entries.' },
      { topic: 'unknown', text: ' Less than a day is observed, so the month is rough.' },
    ],
    parts: [
      {
        service: 'inference',
        item: 'output_tokens',
        share: 0.91,
        name: 'the output of Claude Haiku 4.5',
        assumption: '100 tokens an entry, assumed',
      },
      { service: 'queue', item: 'requests', share: 0.0007, name: 'the requests of the queue', assumption: null },
    ],
    designs: {
      basis: 'A month of 730 hours at the rate of 1,000 entries in 3.3 hours.',
      cheapest: '50 lines a batch job',
      present,
      items: [
        { ...present, name: 'simple' },
        { ...cheap, name: '50 lines a batch job' },
      ],
    },
    lines: [
      {
        month: '2026-05',
        service: 'inference',
        item: 'output_tokens',
        of: `${defaultAssumptions.inference.model} geo`,
        quantity: '100000',
        unitPrice: '0.0000055',
        amount: '0.55',
        source: { asOf: '2026-10-01', publishers: ['Amazon Web Services'] },
      },
    ],
    untimed: 3,
  };
}

/** The data of a report with one row per hour, priced by the price book of the service. */
export function sampleReport({ rows = 2 }: { rows?: number } = {}): ReportData {
  const book = loadPriceBook();
  const region = 'eu-central-1';
  const buckets: CostBucket[] = [];
  const pricer = new ScenarioPricer({ region, book, fallback: 'us-east-1', assumptions: {} }, 'hour', (bucket) =>
    buckets.push(bucket),
  );
  const start = Date.UTC(2026, 4, 1);
  for (let index = 0; index < rows; index += 1) {
    const logs = BigInt(index % 24) * 37n + 11n;
    pricer.add({
      hour: new Date(start + index * hour),
      logs,
      sizeBytes: logs * 321n,
      piiLogs: logs / 5n,
      pii: [
        { type: 'email', count: logs / 4n },
        { type: 'payment_card', count: logs / 9n },
      ],
      queues: [{ type: 'standard', requests: logs }],
      functions: [{ architecture: 'x86_64', invocations: logs, mbMs: logs * 12_800n, otherMemoryInvocations: 0n }],
      inference: [
        {
          model: defaultAssumptions.inference.model,
          inputTokens: logs * 61n,
          outputTokens: logs * 100n,
          estimatedEntries: logs,
        },
      ],
    });
  }
  const cost = pricer.finish();
  return {
    reportId: '0b9a3c1e-5d3f-4c55-9f0a-2f6d4b1f8a11',
    title: 'Costs of the web shop',
    createdAt: new Date('2026-06-01T08:15:00Z'),
    scenario: {
      id: '5c2d8f6e-88d7-4a10-8e0e-7c1f0f0f2b22',
      name: 'Web shop',
      description: 'Logs of the web servers.',
      region: { code: region, name: book.regions.find(({ code }) => code === region)?.name ?? region },
      assumptions: defaultAssumptions,
    },
    period: cost.period,
    currency: book.currency,
    priceBook: { version: book.version, asOf: book.asOf },
    overrides: [],
    ...sampleAnswer(cost.total.amount === null ? null : presentTotals(cost).cost),
    totals: presentTotals(cost),
    breakdown: presentServices(cost),
    interval: 'hour',
    rows: buckets,
    rowsTruncated: false,
  };
}
