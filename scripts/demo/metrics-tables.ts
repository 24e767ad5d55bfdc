import Table from 'cli-table3';

type Money = string | null;

/** The part of GET /api/v1/scenarios/{id}/metrics that is shown. */
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
  cost_breakdown: {
    service: string;
    usage: Record<string, number | string>;
    cost: Money;
    share: string | null;
    status: string;
  }[];
  timeseries: {
    hour: string;
    logs: number;
    size_bytes: number;
    pii_logs: number;
    input_tokens: number;
    cost: { total: Money };
  }[];
}

/** A series of more hours than this is shortened to its first and last ones. */
const mostHours = 36;
const hoursShown = 24;

const plain = { style: { head: [], border: [], compact: true } };
const right = 'right' as const;

/** Totals, cost breakdown and hourly series as text tables. */
export function metricsTables(metrics: Metrics): string {
  return [totalsTable(metrics), breakdownTable(metrics), hoursTable(metrics)].join('\n\n');
}

function totalsTable({ region, totals, currency }: Metrics): string {
  const table = new Table(plain);
  const found = Object.entries(totals.pii).filter(([, count]) => count > 0);
  const kinds = found.map(([kind, count]) => `${kind} ${whole(count)}`);
  table.push(
    ['Region', region],
    ['Log entries', whole(totals.logs)],
    ['Size', `${whole(totals.size_bytes)} bytes`],
    ['With personal data', `${whole(totals.pii_logs)}${kinds.length > 0 ? ` (${kinds.join(', ')})` : ''}`],
    ['Queue requests', whole(totals.queue_requests)],
    ['Function', `${whole(totals.function_invocations)} calls, ${decimal(totals.function_gb_seconds)} GB-seconds`],
    ['Tokens', `${whole(totals.input_tokens)} in, ${whole(totals.output_tokens)} out`],
    [`Cost (${currency})`, `${money(totals.cost)}${totals.incomplete ? ', incomplete' : ''} (${totals.status})`],
  );
  return `Totals\n${table.toString()}`;
}

function breakdownTable({ cost_breakdown: services, currency }: Metrics): string {
  const table = new Table({
    ...plain,
    head: ['Service', `Cost (${currency})`, 'Share', 'Prices'],
    colAligns: ['left', right, right, 'left'],
  });
  for (const { service, cost, share, status } of services) table.push([service, money(cost), percent(share), status]);
  return `Cost by service\n${table.toString()}`;
}

function hoursTable({ timeseries, currency }: Metrics): string {
  const head = ['Hour (UTC)', 'Entries', 'Bytes', 'Personal data', 'Tokens in', `Cost (${currency})`];
  const table = new Table({ ...plain, head, colAligns: ['left', right, right, right, right, right] });
  const row = (hour: Metrics['timeseries'][number]) =>
    table.push([
      hour.hour.slice(0, 16).replace('T', ' '),
      whole(hour.logs),
      whole(hour.size_bytes),
      whole(hour.pii_logs),
      whole(hour.input_tokens),
      money(hour.cost.total),
    ]);
  const left = timeseries.length - hoursShown;
  if (timeseries.length <= mostHours) {
    for (const hour of timeseries) row(hour);
    return `By hour\n${table.toString()}`;
  }
  for (const hour of timeseries.slice(0, hoursShown / 2)) row(hour);
  table.push([{ colSpan: head.length, content: `… ${whole(left)} more hours, not shown here …`, hAlign: 'center' }]);
  for (const hour of timeseries.slice(-hoursShown / 2)) row(hour);
  return `By hour (${whole(timeseries.length)} hours)\n${table.toString()}`;
}

function whole(count: number): string {
  return count.toLocaleString('en-US');
}

/** A decimal string without the zeros at its end that say nothing; at least two places stay. */
export function decimal(text: string): string {
  return text.replace(/(\.\d{2}\d*?)0+$/, '$1');
}

/** An amount that is not known is a dash, never a zero. */
function money(amount: Money): string {
  return amount === null ? '–' : decimal(amount);
}

function percent(share: string | null): string {
  return share === null ? '–' : `${(Number(share) * 100).toFixed(2)} %`;
}
