import type { CostBucket } from '../../shared/cost/bucket-page.ts';
import { loadPriceBook } from '../../shared/cost/load-price-book.ts';
import { presentServices, presentTotals } from '../../shared/cost/present-cost.ts';
import { ScenarioPricer } from '../../shared/cost/scenario-cost.ts';
import { hour } from '../../shared/durations.ts';
import { defaultAssumptions } from '../../shared/scenarios/assumptions.ts';
import type { ReportData } from '../../workers/reports/report-data.ts';

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
    totals: presentTotals(cost),
    breakdown: presentServices(cost),
    interval: 'hour',
    rows: buckets,
    rowsTruncated: false,
  };
}
