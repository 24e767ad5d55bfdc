import { formatFineUsd, formatNumber } from '../../../shared/amounts.ts';
import { splitCall } from '../../../shared/cost/called-model.ts';
import { type ChartKind, drawChart } from '../../../shared/cost/charts.ts';
import { reachesAllEntries } from '../../../shared/cost/cost-sentence.ts';
import { descriptionOfDesign, nameOfDesign } from '../../../shared/cost/pipeline/standard-designs.ts';
import { type CostBreakdownLine, presentCosts } from '../../../shared/cost/present-cost.ts';
import type { Log } from '../../../shared/process/log.ts';
import { type CompletePipeline, levelClasses } from '../../../shared/scenarios/pipeline.ts';
import { hasUsage } from '../../../shared/usage/stored-hour.ts';
import type { ReportData } from '../report-data.ts';
import { fontFaces, fontFamilies, reportStyles } from './report-styles.ts';

type ReportLine = ReportData['lines'][number];

const serviceNames = { queue: 'Queue', function: 'Function', inference: 'Inference', total: 'Total' } as const;
const serviceKeys = ['queue', 'function', 'inference', 'total'] as const;
const piiNames = { email: 'E-mail addresses', national_id: 'National identifiers', payment_card: 'Payment cards' };

const unitNames: Readonly<Record<string, string>> = {
  gb_seconds: 'GB-seconds',
  empty_receives: 'of them empty receives',
  cache_read_tokens: 'tokens read from the cache',
  cache_write_tokens: 'tokens written to the cache',
};

/**
 * The document of a report in HTML. It contains everything it shows, and texts of callers are
 * escaped.
 * @param log gets a warning for characters that no font has.
 */
export async function createDocument(data: ReportData, log: Pick<Log, 'warn'>): Promise<string> {
  const sheet = reportStyles({ footer: `Cost report ${data.reportId}`, families: fontFamilies });
  // The page has the name of the scenario already.
  const drawn = { ...data, scenario: { name: '' } };
  const charts = chartsOfReport(data).map((kind) => drawChart(kind, drawn, 'light', chartHeight));
  // The fonts depend on the characters of the document.
  const { rules, missing } = await fontFaces(documentWith(data, sheet, charts));
  if (missing.length > 0) {
    log.warn('report has characters without a glyph', { report_id: data.reportId, characters: missing.join('') });
  }
  return documentWith(data, `${rules}\n${sheet}`, charts);
}

/** In pixels, 800 of which are the width of the text. Three charts fit on a page. */
const chartHeight = 340;

/** Without charts that would be empty. The cost by service is in a table. */
function chartsOfReport({ totals }: ReportData): ChartKind[] {
  return [
    ...(totals.logs > 0 ? (['cost-over-time', 'logs-over-time'] as const) : []),
    ...(totals.pii_logs > 0 ? (['pii-by-type'] as const) : []),
  ];
}

/**
 * @param styles trusted CSS.
 * @param charts trusted SVG, with a title and a description for readers who do not see it.
 */
function documentWith(data: ReportData, styles: string, charts: readonly string[]): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; font-src data:; img-src data:">
<title>${data.title}</title>
<style>${new Html(styles)}</style>
</head>
<body>
${head(data)}
${answer(data)}
${month(data)}
${parts(data)}
${designs(data)}
${charts.length > 0 ? section('Charts', 'new-page', [charts.map((svg) => html`<figure>${new Html(svg)}</figure>`)]) : []}
${rows(data)}
${personalData(data)}
${prices(data)}
${assumptions(data)}
${exactAmounts(data)}
</body>
</html>
`.source;
}

function head({ title, scenario, period, createdAt }: ReportData): Html {
  const name = scenario.name === title ? [] : html`<bdi class="name">${scenario.name}</bdi> · `;
  return html`<header>
<h1 dir="auto">${title}</h1>
${scenario.description === '' ? [] : html`<p class="description" dir="auto">${scenario.description}</p>`}
<p class="muted">${name}${scenario.regionName} · ${periodText(period)} · made ${minutes(createdAt)} UTC</p>
</header>`;
}

function answer({ sentence }: ReportData): Html {
  const isKnown = (topic: string) => topic !== 'unknown';
  const text = (of: (topic: string) => boolean) =>
    sentence
      .filter(({ topic }) => of(topic))
      .map((part) => part.text)
      .join('');
  const unknown = text((topic) => !isKnown(topic)).trim();
  return html`<section class="answer">
<p class="sentence">${text(isKnown)}</p>
${unknown === '' ? [] : muted(unknown)}
</section>`;
}

function month({ breakdown, totals, designs: { basis, present } }: ReportData): Html {
  const { month: ofMonth, year } = present;
  const hasMonth = ofMonth !== null && year !== null;
  const row = (service: keyof typeof serviceNames, usage: Value, cost: string | null) => [
    serviceNames[service],
    usage,
    ...[cost, ...(hasMonth ? [ofMonth[service], year[service]] : [])].map((usd) => formatFineUsd(usd)),
  ];
  const range =
    hasMonth && ofMonth.low !== null && ofMonth.high !== null
      ? ` By the thirds of the time, a month costs from ${formatFineUsd(ofMonth.low)} to ${formatFineUsd(ofMonth.high)}.`
      : '';
  return section('The entries, and a month', 'keep', [
    table(
      [
        'Service',
        'Usage of these entries',
        ...numbers('These entries', ...(hasMonth ? ['Per month', 'Twelve months'] : [])),
      ],
      breakdown.map(({ service, cost, usage, remarks = [] }) =>
        row(
          service,
          [usageOf(usage), ...remarks.map((remark) => html`<br><span class="muted">${remark}</span>`)],
          cost,
        ),
      ),
      { total: row('total', `${formatNumber(totals.logs)} entries`, totals.cost) },
    ),
    muted(`${basis.replaceAll('`', '')}${range}`),
  ]);
}

function parts({ parts: list, totals }: ReportData): Value {
  const shown = list.filter(({ share }) => share >= 0.0005);
  if (shown.length === 0) return [];
  const rowsOfParts = shown.map(({ name, share, assumption, service }) => [
    capitalized(name.replace(/^the /, '')),
    assumption ?? '',
    bar(service, share),
    percent(share),
    formatFineUsd(totals.cost === null ? null : (share * Number(totals.cost)).toFixed(12)),
  ]);
  return section('What decides the cost', 'keep', [
    table(['', '', { name: '', style: 'bar-cell' }, ...numbers('', '')], rowsOfParts),
  ]);
}

function designs({ designs: { present, items, cheapest } }: ReportData): Html {
  const hasMonths = present.month !== null;
  const totalOf = ({ month: ofMonth, cost }: typeof present) => (hasMonths ? (ofMonth?.total ?? null) : cost.total);
  const own = totalOf(present);
  const scale = Math.max(...[present, ...items].map((item) => Number(totalOf(item) ?? 0)));
  const key = JSON.stringify(present.assumptions);
  const others = items.filter(({ assumptions: assumed }) => JSON.stringify(assumed) !== key);
  const row = (name: string, note: string, item: typeof present, saved: string) => [
    html`${name}${name === nameOfDesign(cheapest ?? '') ? html` <b>(cheapest)</b>` : []}<br><span class="muted">${note}</span>`,
    bar('inference', scale > 0 ? Number(totalOf(item) ?? 0) / scale : 0),
    formatFineUsd(totalOf(item)),
    saved,
  ];
  return section('Designs and what they save', 'keep', [
    table(
      ['Design', { name: '', style: 'bar-cell' }, ...numbers(hasMonths ? 'Per month' : 'These entries', 'Saves')],
      [
        row('This scenario', 'As it is.', present, ''),
        ...others.map((item) => {
          const { model_entries: entriesOfModel } = item.flow;
          const description = descriptionOfDesign(item.name) ?? '';
          const note = `${description} In this log: ${formatNumber(entriesOfModel)}.`;
          return row(
            nameOfDesign(item.name),
            reachesAllEntries(item.assumptions) ? description : note,
            item,
            entriesOfModel === 0 ? 'no model call' : saving(own, totalOf(item)),
          );
        }),
      ],
      { style: 'designs' },
    ),
  ]);
}

/** `90 %`; `4.3 times` the cost where nothing is saved. */
function saving(own: string | null, other: string | null): string {
  if (own === null || other === null || Number(own) === 0) return 'not known';
  const ratio = Number(other) / Number(own);
  if (ratio <= 1) return `${Math.round((1 - ratio) * 100)} %`;
  return ratio < 2 ? `${Math.round((ratio - 1) * 100)} % more` : `${ratio.toFixed(1)} times`;
}

function rows({ rows: buckets, interval, rowsTruncated, totals }: ReportData): Html {
  const unit = interval === 'hour' ? 'Hour' : 'Day';
  const used = buckets.filter((bucket) => hasUsage(bucket.usage));
  if (buckets.length === 0) return section(`By ${interval}`, '', [html`<p>No entries are in this period.</p>`]);
  return section(`By ${interval}`, '', [
    used.length < buckets.length ? html`<p>${unit}s without log entries are left out.</p>` : [],
    rowsTruncated
      ? html`<p class="note">The table has only the first ${formatNumber(buckets.length)} ${interval}s. The totals contain the whole period.</p>`
      : [],
    table(
      [
        `${unit} (UTC)`,
        ...numbers('Entries', 'Bytes', 'Personal data', ...serviceKeys.map((service) => serviceNames[service])),
      ],
      used.map(({ start, usage, cost }) => [
        minutes(new Date(start)).slice(0, interval === 'hour' ? 16 : 10),
        ...[usage.logs, usage.sizeBytes, usage.piiLogs ?? 0].map((value) => formatNumber(Number(value))),
        ...serviceKeys.map((service) => formatFineUsd(presentCosts(cost)[service])),
      ]),
      {
        style: 'small',
        total: [
          'Total',
          ...[totals.logs, totals.size_bytes, totals.pii_logs].map((value) => formatNumber(value)),
          '',
          '',
          '',
          formatFineUsd(totals.cost),
        ],
      },
    ),
  ]);
}

const maxShownFields = 8;

function personalData({ totals, untimed, piiFields }: ReportData): Html {
  const found = (Object.keys(piiNames) as (keyof typeof piiNames)[]).filter((kind) => totals.pii[kind] > 0);
  const findings = [
    html`<p>${formatNumber(totals.pii_logs)} of ${formatNumber(totals.logs)} entries have personal data. An entry can have several findings.</p>`,
    table(
      ['Kind', ...numbers('Findings'), { name: 'Fields, with their entries', style: 'after-number field' }],
      found.map((kind) => [
        piiNames[kind],
        formatNumber(totals.pii[kind]),
        fieldsOf(piiFields?.byType.get(kind) ?? []),
      ]),
    ),
    piiFields && piiFields.entriesRead < totals.logs
      ? muted(`The fields are those of the newest ${formatNumber(piiFields.entriesRead)} entries.`)
      : [],
  ];
  return section('Personal data', 'keep', [
    ...(found.length > 0 ? findings : [html`<p>No e-mail address, national identifier or payment card was found.</p>`]),
    untimed > 0
      ? html`<p>${formatNumber(untimed)} entries had no time of their own: they count at their arrival.</p>`
      : [],
  ]);
}

/** `user.email (940), message (312) and 3 more`. */
function fieldsOf(fields: readonly (readonly [field: string, entries: number])[]): string {
  const shown = fields.slice(0, maxShownFields).map(([field, count]) => `${field} (${formatNumber(count)})`);
  const others = fields.length - shown.length;
  return `${shown.join(', ')}${others > 0 ? ` and ${others} more` : ''}`;
}

/** The prices of the lines, each once. */
function prices({ lines, priceBook, overrides }: ReportData): Html {
  const priced = new Map(
    lines.filter(({ source }) => source !== null).map((line) => [`${line.item} ${line.of} ${line.unitPrice}`, line]),
  );
  const own = overrides.length === 0 ? '' : ` Own prices: ${overrides.join('; ')}.`;
  return section('Prices', '', [
    html`<p>Version ${priceBook.version} of the price book, prices as of ${priceBook.asOf}.${own}</p>`,
    table(
      ['Price', ...numbers('USD per unit'), { name: 'As of', style: 'date' }, 'Published by'],
      [...priced.values()].map((line) => [
        lineName(line),
        line.unitPrice ?? 'no price',
        line.source?.asOf ?? '',
        line.source?.publishers.join(', ') ?? '',
      ]),
      { style: 'small' },
    ),
  ]);
}

function assumptions({ scenario: { assumptions: assumed } }: ReportData): Html {
  const { queue, function: fn, inference } = assumed;
  const facts: [string, string][] = [
    [
      'Queue',
      `${queue.type}, ${queue.requests_per_message} ${queue.requests_per_message === 1 ? 'request' : 'requests'} per message`,
    ],
    ['Function', `${fn.architecture}, ${fn.memory_mb} MB of memory, ${fn.duration_ms} ms per entry`],
    ['Inference', `${inference.model}, ${inference.output_tokens_per_entry} output tokens per entry`],
    ['Free tier', assumed.free_tier ? 'free amounts of each month are deducted' : 'not applied'],
    ...(assumed.pipeline ? pipelineFacts(assumed.pipeline) : []),
  ];
  const ofPipeline = assumed.pipeline ? ' Usage is that of the pipeline, which is derived from the entries.' : '';
  return section('Assumptions', 'keep', [
    html`<p>They apply to entries that do not report their own usage.${ofPipeline} Amounts are in USD, before taxes; times are in UTC. Tiers of prices apply to a calendar month.</p>`,
    html`<dl class="facts">${facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`,
  ]);
}

/** How certain an amount is. `ok` needs no words. */
const statusNames: Readonly<Record<CostBreakdownLine['status'], string>> = {
  ok: '',
  estimated: 'estimated: tokens were counted from the text, usage follows from a design, or a price is old',
  unverified: 'unverified: no price is recorded for the region, so that of us-east-1 is used',
  missing: 'missing: some of the usage has no price, and is not part of the amount',
};

function exactAmounts({ lines, breakdown, totals }: ReportData): Html {
  const hasMonths = new Set(lines.map((line) => line.month)).size > 1;
  const certainty = (service: keyof typeof serviceNames, cost: string | null, status: CostBreakdownLine['status']) => [
    serviceNames[service],
    cost ?? 'no price',
    statusNames[status],
  ];
  return section('Exact amounts', '', [
    table(
      [...(hasMonths ? ['Month'] : []), 'For', ...numbers('Quantity', 'USD per unit', 'USD')],
      lines.map((line) => [
        ...(hasMonths ? [line.month] : []),
        lineName(line),
        formatNumber(line.quantity, 13),
        line.unitPrice ?? 'no price',
        line.amount ?? 'no price',
      ]),
      { style: 'small' },
    ),
    table(
      ['Service', ...numbers('USD'), { name: 'Certainty', style: 'after-number' }],
      breakdown.map(({ service, cost, status }) => certainty(service, cost, status)),
      { style: 'small', total: certainty('total', totals.cost, totals.status) },
    ),
  ]);
}

function lineName({ service, item, of }: ReportLine): string {
  const { model, profile, isLong } = splitCall(of);
  const called = [model, ...(profile ? [`${profile} profile`] : []), ...(isLong ? ['long calls'] : [])].join(', ');
  return `${serviceNames[service]}: ${item.replaceAll('_', ' ')}, ${service === 'inference' ? called : of}`;
}

function usageOf(counts: CostBreakdownLine['usage']): string {
  return Object.entries(counts)
    .filter(([unit, value]) => value !== 0 || !Object.hasOwn(unitNames, unit))
    .map(([unit, value]) => `${formatNumber(value)} ${unitNames[unit] ?? unit.replaceAll('_', ' ')}`)
    .join(', ');
}

const percent = (share: number) => (share > 0 && share < 0.01 ? 'under 1 %' : `${Math.round(share * 100)} %`);

const capitalized = (word: string) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;

const minutes = (time: Date) => time.toISOString().slice(0, 16).replace('T', ' ');

function periodText({ from, to }: ReportData['period']): string {
  if (from && to) return `${minutes(from)} to ${minutes(to)} UTC`;
  if (from) return `from ${minutes(from)} UTC`;
  return to ? `to ${minutes(to)} UTC` : 'no log entries';
}

function pipelineFacts({ queue, function: fn, inference, ...pipeline }: CompletePipeline): [string, string][] {
  return [
    ['Sent to the queue', `${entries(pipeline)}, ${queue.send_batch} per send, ${queue.pollers} pollers`],
    [
      'Invocations',
      `up to ${fn.batch_size} messages in ${fn.window_seconds} s, ${pipeline.retry_percent}% retried; ${fn.overhead_ms} ms of overhead, ` +
        `${fn.init_ms} ms of initialisation in ${fn.cold_start_percent}%`,
    ],
    [
      'Model calls',
      `${entries(inference)}, up to ${inference.entries_per_call} per call; ${inference.prompt_tokens} tokens of instruction` +
        `${inference.cache_prompt ? ', cached' : ''}; ${inference.output_tokens_per_call ?? 'no fixed number of'} output tokens per call; ` +
        `${inference.tier} tier, ${inference.profile} profile`,
    ],
  ];
}

function entries({ levels, sample_percent: percent }: Pick<CompletePipeline, 'levels' | 'sample_percent'>): string {
  const which = levels.length === levelClasses.length ? 'all levels' : levels.join(', ');
  return percent === 100 ? which : `${percent}% of ${which}`;
}

const section = (title: string, style: string, content: readonly Value[]): Html =>
  html`<section class="${style}">
<h2>${title}</h2>
${content.map((part) => html`${part}\n`)}</section>`;

const muted = (text: string) => html`<p class="muted">${text}</p>`;

/** @param share of the width of its cell. */
const bar = (service: string, share: number) =>
  html`<span class="bar ${service}" style="width: ${(share * 100).toFixed(1)}%"></span>`;

type Column = string | { name: string; style: string };

const numbers = (...names: string[]): Column[] => names.map((name) => ({ name, style: 'number' }));

/** A table whose first column names its rows. It has no head if no column has a name. */
function table(
  named: readonly Column[],
  cells: readonly (readonly Value[])[],
  { style = '', total }: { style?: string; total?: readonly Value[] } = {},
): Html {
  const columns = named.map((column) => (typeof column === 'string' ? { name: column, style: '' } : column));
  const heads = columns.map((column) => html`<th scope="col" class="${column.style}">${column.name}</th>`);
  const row = (of: readonly Value[], rowStyle = '') => {
    const [name = '', ...others] = of;
    const values = others.map((value, index) => html`<td class="${columns[index + 1]?.style ?? ''}">${value}</td>`);
    return html`<tr class="${rowStyle}"><th scope="row">${name}</th>${values}</tr>\n`;
  };
  return html`<table class="${style}">
${columns.some(({ name }) => name !== '') ? html`<thead><tr>${heads}</tr></thead>\n` : []}<tbody>
${cells.map((of) => row(of))}${total ? row(total, 'sum') : []}</tbody>
</table>`;
}

/** HTML whose texts are escaped. */
class Html {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

type Value = string | number | Html | readonly Value[];

/** Builds HTML from a template; values other than `Html` are escaped, also in quoted attributes. */
function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(String.raw({ raw: strings }, ...values.map(toSource)));
}

function toSource(value: Value): string {
  if (value instanceof Html) return value.source;
  if (typeof value === 'object') return value.map(toSource).join('');
  return escape(String(value));
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escape = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
