import Table from 'cli-table3';

export type Money = string | null;

/** Usage and cost of a service. */
export interface MetricsLine {
  service: string;
  usage: Record<string, number | string>;
  cost: Money;
  share: string | null;
  status: string;
}

/** The part of the response of GET /api/v1/scenarios/{id}/metrics that is printed. */
export interface Metrics {
  region: string;
  currency: string;
  totals: {
    logs: number;
    size_bytes: number;
    pii_logs: number;
    pii: Record<string, number>;
    queue_requests: number;
    function_invocations: number;
    function_gb_seconds: string;
    input_tokens: number;
    output_tokens: number;
    cost: Money;
    status: string;
    incomplete: boolean;
  };
  cost_breakdown: MetricsLine[];
  timeseries: {
    hour: string;
    logs: number;
    size_bytes: number;
    pii_logs: number;
    input_tokens: number;
    cost: { total: Money };
  }[];
}

/** If a series is longer, only its first and last hours are printed, `shortenedHours` in all. */
const maxHours = 36;
const shortenedHours = 24;

export const plain = { style: { head: [], border: [], compact: true } };
export const right = 'right' as const;

/** Formats totals, costs by service and hourly series as text tables. */
export function metricsTables(metrics: Metrics): string {
  return [totalsTable(metrics), breakdownTable(metrics), hoursTable(metrics)].join('\n\n');
}

function totalsTable({ region, totals, currency }: Metrics): string {
  const table = new Table(plain);
  const found = Object.entries(totals.pii).filter(([, count]) => count > 0);
  const kinds = found.map(([kind, count]) => `${kind} ${formatCount(count)}`);
  table.push(
    ['Region', region],
    ['Log entries', formatCount(totals.logs)],
    ['Size', `${formatCount(totals.size_bytes)} bytes`],
    [
      'With personal data',
      `${formatCount(totals.pii_logs)} entries${kinds.length > 0 ? ` (findings: ${kinds.join(', ')})` : ''}`,
    ],
    ['Queue requests', formatCount(totals.queue_requests)],
    [
      'Function',
      `${formatCount(totals.function_invocations)} invocations, ${formatDecimal(totals.function_gb_seconds)} GB-seconds`,
    ],
    ['Tokens', `${formatCount(totals.input_tokens)} input, ${formatCount(totals.output_tokens)} output`],
    [`Cost (${currency})`, `${formatAmount(totals.cost)}${totals.incomplete ? ', incomplete' : ''} (${totals.status})`],
  );
  return `Totals\n${table.toString()}`;
}

function breakdownTable({ cost_breakdown: services, totals, currency }: Metrics): string {
  const table = new Table({
    ...plain,
    head: ['Service', 'Usage', `Cost (${currency})`, 'Share', 'Status'],
    colAligns: ['left', 'left', right, right, 'left'],
  });
  for (const { service, usage, cost, share, status } of services)
    table.push([service, formatUsage(usage), cost ?? unknown, formatPercent(share), status]);
  const status = totals.incomplete ? `${totals.status}, incomplete` : totals.status;
  table.push(['total', `${formatCount(totals.logs)} log entries`, totals.cost ?? unknown, '', status]);
  return `Cost by service\n${table.toString()}`;
}

/**
 * `{ invocations: 2000, gb_seconds: '25.000000000000' }` becomes
 * `2,000 invocations, 25.00 GB-seconds`.
 */
export function formatUsage(usage: Record<string, number | string>): string {
  return Object.entries(usage)
    .map(([unit, quantity]) => {
      const shown = typeof quantity === 'number' ? formatCount(quantity) : formatDecimal(quantity);
      return `${shown} ${unit.replaceAll('_', ' ').replace('gb seconds', 'GB-seconds')}`;
    })
    .join(', ');
}

function hoursTable({ timeseries, currency }: Metrics): string {
  const head = ['Hour (UTC)', 'Entries', 'Bytes', 'Personal data', 'Input tokens', `Cost (${currency})`];
  const table = new Table({ ...plain, head, colAligns: ['left', right, right, right, right, right] });
  const row = (hour: Metrics['timeseries'][number]) =>
    table.push([
      hour.hour.slice(0, 16).replace('T', ' '),
      formatCount(hour.logs),
      formatCount(hour.size_bytes),
      formatCount(hour.pii_logs),
      formatCount(hour.input_tokens),
      hour.cost.total ?? unknown,
    ]);
  const omitted = timeseries.length - shortenedHours;
  if (timeseries.length <= maxHours) {
    for (const hour of timeseries) row(hour);
    return `By hour\n${table.toString()}`;
  }
  for (const hour of timeseries.slice(0, shortenedHours / 2)) row(hour);
  table.push([{ colSpan: head.length, content: `… ${formatCount(omitted)} hours omitted …`, hAlign: 'center' }]);
  for (const hour of timeseries.slice(-shortenedHours / 2)) row(hour);
  return `By hour (${formatCount(timeseries.length)} hours)\n${table.toString()}`;
}

export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}

/** Removes trailing zeros from a decimal string, except the first two decimals. */
export function formatDecimal(text: string): string {
  return text.replace(/(\.\d{2}\d*?)0+$/, '$1');
}

/** Placeholder for an amount without a price, which is not zero. */
export const unknown = '–';

function formatAmount(amount: Money): string {
  return amount === null ? unknown : formatDecimal(amount);
}

export function formatPercent(share: string | null): string {
  return share === null ? unknown : `${(Number(share) * 100).toFixed(2)} %`;
}
