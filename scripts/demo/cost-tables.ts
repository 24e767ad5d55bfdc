import Table from 'cli-table3';
import type { Designs } from '../../api/cost/designs.responses.ts';
import type { Metrics } from '../../api/cost/metrics.responses.ts';

/** If a series is longer, only its first and last hours are printed, `shortenedHours` in all. */
const maxHours = 36;
const shortenedHours = 24;

/** Formats totals, costs by service and hourly series as text tables. */
export function metricsTables(metrics: Metrics): string {
  return [totalsTable(metrics), breakdownTable(metrics), hoursTable(metrics)].join('\n\n');
}

function totalsTable({ region, totals, currency }: Metrics): string {
  const found = Object.entries(totals.pii).filter(([, count]) => count > 0);
  const kinds = found.map(([kind, count]) => `${kind} ${formatCount(count)}`).join(', ');
  const function_ = `${formatCount(totals.function_invocations)} invocations, ${formatDecimal(totals.function_gb_seconds)} GB-seconds`;
  return formatTable(
    'Totals',
    [],
    [
      ['Region', region],
      ['Log entries', formatCount(totals.logs)],
      ['Size', `${formatCount(totals.size_bytes)} bytes`],
      ['With personal data', `${formatCount(totals.pii_logs)} entries${kinds === '' ? '' : ` (findings: ${kinds})`}`],
      ['Queue requests', formatCount(totals.queue_requests)],
      ['Function', function_],
      ['Tokens', `${formatCount(totals.input_tokens)} input, ${formatCount(totals.output_tokens)} output`],
      [
        `Cost (${currency})`,
        `${formatDecimal(totals.cost)}${totals.incomplete ? ', incomplete' : ''} (${totals.status})`,
      ],
    ],
  );
}

function breakdownTable({ cost_breakdown: services, totals, currency }: Metrics): string {
  const status = totals.incomplete ? `${totals.status}, incomplete` : totals.status;
  return formatTable(
    'Cost by service',
    ['Service', 'Usage', `Cost (${currency})`, 'Share', 'Status'],
    [
      ...services.map((line) => [
        line.service,
        formatUsage(line.usage),
        line.cost ?? unknown,
        formatPercent(line.share),
        line.status,
      ]),
      ['total', `${formatCount(totals.logs)} log entries`, totals.cost ?? unknown, '', status],
    ],
  );
}

function hoursTable({ timeseries, currency }: Metrics): string {
  const rows = timeseries.map((row) => [
    row.hour.slice(0, 16).replace('T', ' '),
    ...[row.logs, row.size_bytes, row.pii_logs, row.input_tokens].map(formatCount),
    row.cost.total ?? unknown,
  ]);
  const isLong = rows.length > maxHours;
  if (isLong) {
    const omitted = rows.length - shortenedHours;
    rows.splice(shortenedHours / 2, omitted, [`… ${formatCount(omitted)} hours omitted …`, '', '', '', '', '']);
  }
  return formatTable(
    isLong ? `By hour (${formatCount(timeseries.length)} hours)` : 'By hour',
    ['Hour (UTC)', 'Entries', 'Bytes', 'Personal data', 'Input tokens', `Cost (${currency})`],
    rows,
  );
}

/** Formats the cost of a month, and of twelve. */
export function monthTable({ currency, basis, present: { month, year } }: Designs): string {
  if (month === null || year === null) return basis;
  const services = ['queue', 'function', 'inference', 'total'] as const;
  return formatTable(
    basis,
    ['Service', `A month (${currency})`, `Twelve months (${currency})`],
    services.map((service) => [service, formatDecimal(month[service]), formatDecimal(year[service])]),
  );
}

/** Formats the cost of the same entries with other designs of the pipeline. */
export function designsTable({ currency, items, cheapest }: Designs): string {
  return formatTable(
    'The same entries with other designs of the pipeline',
    ['Design', 'Invocations', 'Model calls', `Cost (${currency})`, 'Difference', 'Status'],
    items.map(({ name, totals, flow, difference }) => [
      name === cheapest
        ? `${name}, the cheapest`
        : `${name}${flow.model_entries === 0 ? ' (no entry reaches the model)' : ''}`,
      formatCount(totals.function_invocations),
      // Without a pipeline, each entry is a call.
      formatCount(totals.inference_calls ?? totals.logs),
      formatDecimal(totals.cost),
      formatPercent(difference.total?.share ?? null),
      totals.status,
    ]),
  );
}

/** Columns of numbers are aligned to the right. */
function formatTable(title: string, head: string[], rows: string[][]): string {
  const isNumeric = (column: number) => rows.every((row) => /^[-–\d.,]*(?: %)?$/.test(row[column] ?? ''));
  const table = new Table({
    head,
    colAligns: head.map((_, column) => (isNumeric(column) ? 'right' : 'left')),
    style: { head: [], border: [], compact: true },
  });
  table.push(...rows);
  return `${title}\n${table.toString()}`;
}

/**
 * `{ invocations: 2000, gb_seconds: '25.000000000000' }` becomes
 * `2,000 invocations, 25.00 GB-seconds`.
 */
function formatUsage(usage: Record<string, number | string>): string {
  return Object.entries(usage)
    .map(([unit, quantity]) => {
      const shown = typeof quantity === 'number' ? formatCount(quantity) : formatDecimal(quantity);
      return `${shown} ${unit.replaceAll('_', ' ').replace('gb seconds', 'GB-seconds')}`;
    })
    .join(', ');
}

/** Placeholder for an amount without a price, which is not zero. */
const unknown = '–';

const formatCount = (count: number) => count.toLocaleString('en-US');

/** Removes trailing zeros, except the first two decimals. */
const formatDecimal = (text: string | null) => text?.replace(/(\.\d{2}\d*?)0+$/, '$1') ?? unknown;

const formatPercent = (share: string | null) => (share === null ? unknown : `${(Number(share) * 100).toFixed(2)} %`);
