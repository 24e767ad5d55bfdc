import type { CostBucket } from '../../../shared/cost/bucket-page.ts';
import { formatCost } from '../../../shared/cost/charts/chart-text.ts';
import { type CostBreakdownLine, presentAmount } from '../../../shared/cost/present-cost.ts';
import type { CostStatus } from '../../../shared/cost/service-cost.ts';
import { hasUsage } from '../../../shared/usage/usage.ts';
import type { ReportData } from '../report-data.ts';
import { Html, html } from './html.ts';
import { pipelineFacts } from './pipeline-facts.ts';

interface ReportParts {
  /** Trusted CSS: the style sheet and the fonts. */
  styles: string;
  /** Trusted SVG, with a title and a description for readers who do not see it. */
  charts: readonly string[];
}

const serviceNames = { queue: 'Queue', function: 'Function', inference: 'Inference' } as const;

const unitNames: Readonly<Record<string, string>> = {
  requests: 'requests',
  invocations: 'invocations',
  gb_seconds: 'GB-seconds',
  input_tokens: 'input tokens',
  output_tokens: 'output tokens',
  empty_receives: 'of them empty receives',
  calls: 'calls',
  cache_read_tokens: 'tokens read from the cache',
  cache_write_tokens: 'tokens written to the cache',
};

const piiNames = { email: 'Email addresses', national_id: 'National identity numbers', payment_card: 'Payment cards' };

/** The document of a report, which contains everything it shows. Texts of callers are escaped. */
export function reportDocument(data: ReportData, { styles, charts }: ReportParts): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; font-src data:; img-src data:">
<title>${data.title}</title>
<style>${new Html(styles)}</style>
</head>
<body>
${cover(data)}
${breakdown(data)}
${chartSection(charts)}
${personalData(data)}
${assumptions(data)}
${terms()}
${rows(data)}
</body>
</html>
`.source;
}

function cover(data: ReportData): Html {
  const { title, scenario, period, totals, priceBook, overrides, currency, createdAt, reportId } = data;
  return html`<section class="cover">
<header>
<p class="kind">Cost report</p>
<h1 dir="auto">${title}</h1>
${scenario.description === '' ? [] : html`<p class="description" dir="auto">${scenario.description}</p>`}
</header>
<div class="total">
<p>Total cost</p>
<p class="amount">${formatCost(totals.cost)}</p>
${totals.cost === null ? [] : html`<p>Exactly <span class="exact">${totals.cost}</span> ${currency}</p>`}
${totals.status === 'ok' ? [] : html`<p>Status: ${status(totals.status)}</p>`}
</div>
${totals.incomplete ? html`<p class="note">Some of the usage has no price: the total is only a part of the cost.</p>` : []}
<dl class="facts">
<dt>Scenario</dt><dd><bdi class="name">${scenario.name}</bdi></dd>
<dt>Region</dt><dd>${scenario.region.name} (${scenario.region.code})</dd>
<dt>Period</dt><dd>${periodText(period)}</dd>
<dt>Price book</dt><dd>Version ${priceBook.version}, prices as of ${priceBook.asOf}</dd>
${overrides.length === 0 ? [] : html`<dt>Own prices</dt><dd>${overrides.join('; ')}</dd>`}
<dt>Log entries</dt><dd>${count(totals.logs)}, ${count(totals.size_bytes)} bytes</dd>
<dt>With personal data</dt><dd>${count(totals.pii_logs)} entries</dd>
<dt>Created</dt><dd>${minutes(createdAt)} UTC</dd>
<dt>Report</dt><dd>${reportId}</dd>
</dl>
<p class="muted">All amounts are in ${currency}, before taxes. All times are in UTC.</p>
</section>`;
}

function breakdown({ breakdown: lines, totals, currency }: ReportData): Html {
  return html`<section>
<h2>Cost by service</h2>
<table>
<thead><tr><th scope="col">Service</th><th scope="col">Usage</th><th scope="col" class="number">Cost (${currency})</th><th scope="col" class="number">Share</th><th scope="col" class="after-number">Status</th></tr></thead>
<tbody>
${lines.map(breakdownRow)}
<tr class="sum"><th scope="row">Total</th><td></td><td class="number">${totals.cost ?? 'unknown'}</td><td></td><td class="after-number">${status(totals.status)}</td></tr>
</tbody>
</table>
</section>`;
}

function breakdownRow(line: CostBreakdownLine): Html {
  const unpriced = line.unpriced ? html`<br><span class="muted">without a price: ${usage(line.unpriced)}</span>` : [];
  const remarks = (line.remarks ?? []).map((remark) => html`<br><span class="muted">${remark}</span>`);
  return html`<tr><th scope="row">${serviceNames[line.service]}</th><td>${usage(line.usage)}${unpriced}${remarks}</td><td class="number">${
    line.cost ?? 'unknown'
  }</td><td class="number">${line.share === null ? '–' : percent(line.share)}</td><td class="after-number">${status(line.status)}</td></tr>`;
}

function chartSection(charts: readonly string[]): Html {
  if (charts.length === 0) return html``;
  return html`<section>
<h2>Charts</h2>
${charts.map((svg) => html`<figure>${new Html(svg)}</figure>`)}
</section>`;
}

function personalData({ totals }: ReportData): Html {
  const kinds = ['email', 'national_id', 'payment_card'] as const;
  return html`<section class="keep">
<h2>Personal data</h2>
<p>${count(totals.pii_logs)} of ${count(totals.logs)} log entries contain personal data. Findings are counted by kind; an entry can have several.</p>
<table>
<thead><tr><th scope="col">Kind</th><th scope="col" class="number">Findings</th></tr></thead>
<tbody>
${kinds.map((kind) => html`<tr><th scope="row">${piiNames[kind]}</th><td class="number">${count(totals.pii[kind])}</td></tr>`)}
</tbody>
</table>
</section>`;
}

function assumptions({ scenario: { assumptions: assumed } }: ReportData): Html {
  const { queue, function: fn, inference } = assumed;
  const facts: [string, string][] = [
    ['Queue', `${queue.type}, ${counted(queue.requests_per_message, 'request')} per message`],
    ['Function', `${fn.architecture}, ${fn.memory_mb} MB of memory, ${fn.duration_ms} ms per invocation`],
    ['Inference', `${inference.model}, ${counted(inference.output_tokens_per_entry, 'output token')} per entry`],
    ['Free tier', assumed.free_tier ? 'free amounts of each month are deducted' : 'not applied'],
    ...(assumed.pipeline ? pipelineFacts(assumed.pipeline) : []),
  ];
  return html`<section class="keep">
<h2>Assumptions</h2>
<p>They apply to entries that do not report their own usage.${
    assumed.pipeline ? ' Usage is that of the pipeline, which is derived from the entries.' : ''
  }</p>
<dl class="facts">${facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
<p>Tiers of prices apply to the usage of a calendar month (UTC). The cost of an hour or a day is what it adds to the cost of its month, so that the rows add up to the total.</p>
</section>`;
}

function terms(): Html {
  const meanings: [CostStatus, string][] = [
    ['ok', 'Quantity and price are known.'],
    [
      'estimated',
      'A quantity or a price is estimated, such as tokens that were counted from the text because the entry did not report them.',
    ],
    [
      'unverified',
      'No price is recorded for the region; the price of us-east-1 is used instead. The cost can be different.',
    ],
    [
      'missing',
      'Some of the usage has no price, and nothing is used instead. The amount is unknown, or only that of the part with a price.',
    ],
  ];
  return html`<section class="keep">
<h2>Meaning of the statuses</h2>
<dl class="terms">${meanings.map(([name, meaning]) => html`<dt>${status(name)}</dt><dd>${meaning}</dd>`)}</dl>
<p>A total has the worst status of its services: missing, unverified, estimated, ok.</p>
</section>`;
}

function rows({ rows: buckets, interval, rowsTruncated, currency, totals }: ReportData): Html {
  const heading = interval === 'hour' ? 'Cost by hour' : 'Cost by day';
  if (buckets.length === 0)
    return html`<section><h2>${heading}</h2><p>There are no log entries in this period.</p></section>`;
  const unit = interval === 'hour' ? 'hours' : 'days';
  const used = buckets.filter((bucket) => hasUsage(bucket.usage));
  const notes = [
    ...(used.length < buckets.length ? [html`<p>${capitalized(unit)} without log entries are left out.</p>`] : []),
    ...(rowsTruncated
      ? [
          html`<p class="note">The table has only the first ${count(buckets.length)} ${unit}. The totals contain the whole period.</p>`,
        ]
      : []),
  ];
  return html`<section>
<h2>${heading}</h2>
${notes}
<table class="small">
<thead><tr><th scope="col">${interval === 'hour' ? 'Hour (UTC)' : 'Day (UTC)'}</th><th scope="col" class="number">Entries</th><th scope="col" class="number">Bytes</th><th scope="col" class="number">Personal data</th><th scope="col" class="number">Queue (${currency})</th><th scope="col" class="number">Function (${currency})</th><th scope="col" class="number">Inference (${currency})</th><th scope="col" class="number">Total (${currency})</th></tr></thead>
<tbody>
${used.map((bucket) => row(bucket, interval))}
<tr class="sum"><th scope="row">Total</th><td class="number">${count(totals.logs)}</td><td class="number">${count(totals.size_bytes)}</td><td class="number">${count(totals.pii_logs)}</td><td></td><td></td><td></td><td class="number">${totals.cost ?? 'unknown'}</td></tr>
</tbody>
</table>
</section>`;
}

function row({ start, usage: used, cost }: CostBucket, interval: ReportData['interval']): Html {
  const time = new Date(start).toISOString();
  const shown = interval === 'hour' ? `${time.slice(0, 10)} ${time.slice(11, 16)}` : time.slice(0, 10);
  return html`<tr><th scope="row">${shown}</th>${[used.logs, used.sizeBytes, used.piiLogs].map(
    (value) => html`<td class="number">${count(value)}</td>`,
  )}${[cost.queue, cost.function, cost.inference, cost.total].map(
    (value) => html`<td class="number">${presentAmount(value) ?? 'unknown'}</td>`,
  )}</tr>
`;
}

const status = (name: CostStatus) => html`<span class="status ${name}">${name}</span>`;

const counted = (value: number, unit: string) => `${count(value)} ${unit}${value === 1 ? '' : 's'}`;

const count = (value: number | bigint) => value.toLocaleString('en-US');

function usage(counts: CostBreakdownLine['usage']): Html {
  return html`${Object.entries(counts).map(
    ([unit, value], index) =>
      html`${index === 0 ? '' : ', '}${typeof value === 'number' ? count(value) : value} ${unitNames[unit] ?? unit}`,
  )}`;
}

/**
 * @param share a fraction with 4 decimals, such as `0.1234`, shown as `12.34%` without rounding.
 */
function percent(share: string): string {
  const [whole = '0', decimals = ''] = share.split('.');
  const digits = decimals.padEnd(4, '0');
  return `${Number(whole + digits.slice(0, 2))}.${digits.slice(2)}%`;
}

const capitalized = (word: string) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;

const minutes = (time: Date) => time.toISOString().slice(0, 16).replace('T', ' ');

function periodText({ from, to }: ReportData['period']): string {
  if (from && to) return `${minutes(from)} to ${minutes(to)} UTC`;
  if (from) return `from ${minutes(from)} UTC`;
  return to ? `to ${minutes(to)} UTC` : 'no log entries';
}
