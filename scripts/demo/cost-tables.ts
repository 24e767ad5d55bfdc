import Table from 'cli-table3';
import type { Designs } from '../../api/cost/designs.responses.ts';
import type { Projection, RegionEstimates } from '../../api/cost/estimates.responses.ts';
import type { Metrics } from '../../api/cost/metrics.responses.ts';

/** If a series is longer, only its first and last hours are printed, `shortenedHours` in all. */
const maxHours = 36;
const shortenedHours = 24;
const shownRegions = 3;
/** The share from which a saving is worth another region. */
const leastSaving = 0.01;

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

/** Formats usage and cost of a month, and the cost of twelve. */
export function projectionTable({ currency, basis, month, twelve_months: year }: Projection): string {
  const { entries, hours } = basis.observed;
  const volume = `${formatCount(Number(basis.entries_per_month))} entries`;
  return formatTable(
    basis.kind === 'observed_rate'
      ? `A month at the rate of ${formatCount(entries)} entries in ${formatCount(hours)} hours`
      : `A month with ${volume}`,
    ['Service', 'Usage of a month', `A month (${currency})`, `Twelve months (${currency})`],
    [
      ...month.cost_breakdown.map(({ service, usage, cost }, at) => [
        service,
        formatUsage(usage),
        formatDecimal(cost),
        formatDecimal(year.cost_breakdown[at]?.cost ?? null),
      ]),
      ['total', volume, formatDecimal(month.totals.cost), formatDecimal(year.totals.cost)],
    ],
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

/**
 * Formats the cost of the same usage in the cheapest regions, and in that of the scenario. Regions
 * with unverified prices are left out, and those that save less than one per cent. If the cost in
 * the region of the scenario is not known, savings are not known either.
 */
export function regionsTable({ currency, region: own, items }: RegionEstimates): string {
  const cheapest = items
    .filter(({ status, difference: { total } }) => isVerified(status) && (total === null || isSaving(total.share)))
    .slice(0, shownRegions);
  const title = 'The same usage in other regions';
  if (cheapest.length === 0) return `${title}\nNo region with verified prices costs at least 1 % less.`;
  return formatTable(
    title,
    ['Region', 'Name', `Cost (${currency})`, 'Difference', 'Status'],
    [...cheapest, ...items.filter(({ region }) => region === own)].map(({ region, name, cost, difference, status }) => [
      region,
      region === own ? `${name}, this scenario` : name,
      cost.total ?? unknown,
      region === own ? '' : formatPercent(difference.total?.share ?? null),
      status,
    ]),
  );
}

const isSaving = (share: string | null) => Number(share) <= -leastSaving;

const isVerified = (status: string) => status !== 'unverified' && status !== 'missing';

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
