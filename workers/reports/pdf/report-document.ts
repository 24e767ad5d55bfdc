import { formatFineUsd, formatNumber } from '../../../shared/amounts.ts';
import { splitCall } from '../../../shared/cost/called-model.ts';
import { type CostPart, reachesAllEntries, type SentencePart } from '../../../shared/cost/cost-sentence.ts';
import { descriptionOfDesign, nameOfDesign } from '../../../shared/cost/design-names.ts';
import type { PeriodCost } from '../../../shared/cost/paged-cost.ts';
import { type CostBreakdownLine, presentAmount } from '../../../shared/cost/present-cost.ts';
import type { CostBucket } from '../../../shared/cost/scenario-cost.ts';
import type { CompleteAssumptions } from '../../../shared/scenarios/assumptions.ts';
import { type CompletePipeline, levelClasses } from '../../../shared/scenarios/pipeline.ts';
import { hasUsage } from '../../../shared/usage/usage.ts';
import type { PiiFields } from '../stored-entries.ts';

/**
 * Content of a PDF report. Amounts and counts of `totals` and `breakdown` are those of the metrics
 * of the same period, to the last digit: a template prints them as they are.
 * `shared/cost/present-cost.ts` formats those of `rows`.
 */
export interface ReportData extends PeriodCost {
  readonly reportId: string;
  readonly title: string;
  /** When the report was requested. */
  readonly createdAt: Date;
  readonly scenario: {
    readonly id: string;
    readonly name: string;
    readonly description: string;
    readonly region: { readonly code: string; readonly name: string };
    /** With all defaults. */
    readonly assumptions: CompleteAssumptions;
  };
  readonly currency: string;
  readonly priceBook: { readonly version: string; readonly asOf: string };
  /** The own prices and discounts that apply to the period, in words. */
  readonly overrides: readonly string[];
  /** The cost and its reason, as the page says it. */
  readonly sentence: readonly SentencePart[];
  /** The parts of the cost, the largest first. */
  readonly parts: readonly CostPart[];
  readonly designs: ReportDesigns;
  /** The lines that the cost consists of, by month. */
  readonly lines: readonly ReportLine[];
  /** Entries that count at their arrival. */
  readonly untimed: number;
  /** Null if there is no personal data. */
  readonly piiFields: PiiFields | null;
}

type Amounts = Readonly<Record<'queue' | 'function' | 'inference' | 'total', string | null>>;

interface ReportDesign {
  readonly cost: Amounts;
  /** Null without a rate. */
  readonly month: (Amounts & { readonly low: string | null; readonly high: string | null }) | null;
  readonly year: Amounts | null;
  readonly assumptions: CompleteAssumptions;
  readonly flow: { readonly model_entries: number };
}

/** The scenario as it is, and the standard designs. */
interface ReportDesigns {
  readonly basis: string;
  readonly cheapest: string | null;
  readonly present: ReportDesign;
  readonly items: readonly (ReportDesign & { readonly name: string })[];
}

export interface ReportLine {
  /** `2026-05` */
  readonly month: string;
  readonly service: 'queue' | 'function' | 'inference';
  readonly item: string;
  /** The queue type, the architecture or the model as it is called. */
  readonly of: string;
  readonly quantity: string;
  /** Exact, in USD; null without a price. */
  readonly unitPrice: string | null;
  readonly amount: string | null;
  /** The date and the publishers of the price; null for free units and unknown prices. */
  readonly source: { readonly asOf: string; readonly publishers: readonly string[] } | null;
}

interface ReportParts {
  /** Trusted CSS: the style sheet and the fonts. */
  styles: string;
  /** Trusted SVG, with a title and a description for readers who do not see it. */
  charts: readonly string[];
}

const services = ['queue', 'function', 'inference'] as const;
const serviceNames = { queue: 'Queue', function: 'Function', inference: 'Inference', total: 'Total' } as const;
const piiNames = { email: 'E-mail addresses', national_id: 'National identifiers', payment_card: 'Payment cards' };

const unitNames: Readonly<Record<string, string>> = {
  gb_seconds: 'GB-seconds',
  empty_receives: 'of them empty receives',
  cache_read_tokens: 'tokens read from the cache',
  cache_write_tokens: 'tokens written to the cache',
};

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
${head(data)}
${answer(data)}
${month(data)}
${parts(data)}
${designs(data)}
${chartSection(charts)}
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
<p class="muted">${name}${scenario.region.name} · ${periodText(period)} · made ${minutes(createdAt)} UTC</p>
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
${unknown === '' ? [] : html`<p class="muted">${unknown}</p>`}
</section>`;
}

function month({ breakdown, totals, designs: { basis, present } }: ReportData): Html {
  const { month: ofMonth, year } = present;
  const row = (service: keyof typeof serviceNames, cost: string | null, usage: Html | string) =>
    html`<tr class="${
      service === 'total' ? 'sum' : ''
    }"><th scope="row">${serviceNames[service]}</th><td>${usage}</td>${amount(cost)}${
      ofMonth && year ? html`${amount(ofMonth[service])}${amount(year[service])}` : []
    }</tr>`;
  const range =
    ofMonth && ofMonth.low !== null && ofMonth.high !== null
      ? ` By the thirds of the time, a month costs from ${formatFineUsd(ofMonth.low)} to ${formatFineUsd(ofMonth.high)}.`
      : '';
  return html`<section class="keep">
<h2>The entries, and a month</h2>
<table>
<thead><tr><th scope="col">Service</th><th scope="col">Usage of these entries</th>${numberHead('These entries')}${
    ofMonth ? html`${numberHead('Per month')}${numberHead('Twelve months')}` : []
  }</tr></thead>
<tbody>
${breakdown.map(({ service, cost, usage, remarks = [] }) =>
  row(service, cost, html`${usageOf(usage)}${remarks.map((remark) => html`<br><span class="muted">${remark}</span>`)}`),
)}
${row('total', totals.cost, `${formatNumber(totals.logs)} entries`)}
</tbody>
</table>
<p class="muted">${basis.replaceAll('`', '')}${range}</p>
</section>`;
}

function parts({ parts: list, totals }: ReportData): Html {
  const shown = list.filter(({ share }) => share >= 0.0005);
  if (shown.length === 0) return html``;
  return html`<section class="keep">
<h2>What decides the cost</h2>
<table>
<tbody>
${shown.map(
  ({ name, share, assumption, service }) =>
    html`<tr><th scope="row">${capitalized(name.replace(/^the /, ''))}</th><td>${
      assumption ?? ''
    }</td><td class="bar-cell"><span class="bar ${service}" style="width: ${(share * 100).toFixed(1)}%"></span></td><td class="number">${percent(
      share,
    )}</td>${amount(totals.cost === null ? null : (share * Number(totals.cost)).toFixed(12))}</tr>`,
)}
</tbody>
</table>
</section>`;
}

function designs({ designs: { present, items, cheapest } }: ReportData): Html {
  const hasMonths = present.month !== null;
  const totalOf = ({ month: ofMonth, cost }: typeof present) => (hasMonths ? (ofMonth?.total ?? null) : cost.total);
  const own = totalOf(present);
  const scale = Math.max(...[present, ...items].map((item) => Number(totalOf(item) ?? 0)));
  const key = JSON.stringify(present.assumptions);
  const others = items.filter(({ assumptions: assumed }) => JSON.stringify(assumed) !== key);
  const row = (name: string, note: string, item: typeof present) =>
    html`<tr><th scope="row">${name}${
      name === nameOfDesign(cheapest ?? '') ? html` <b>(cheapest)</b>` : []
    }<br><span class="muted">${note}</span></th><td class="bar-cell"><span class="bar inference" style="width: ${
      scale > 0 ? ((Number(totalOf(item) ?? 0) / scale) * 100).toFixed(1) : 0
    }%"></span></td>${amount(totalOf(item))}<td class="number">${item === present ? '' : item.flow.model_entries === 0 ? 'no model call' : saving(own, totalOf(item))}</td></tr>`;
  return html`<section class="keep">
<h2>Designs and what they save</h2>
<table class="designs">
<thead><tr><th scope="col">Design</th><th></th>${numberHead(hasMonths ? 'Per month' : 'These entries')}${numberHead('Saves')}</tr></thead>
<tbody>
${row('This scenario', 'As it is.', present)}
${others.map((item) =>
  row(
    nameOfDesign(item.name),
    reachesAllEntries(item.assumptions)
      ? (descriptionOfDesign(item.name) ?? '')
      : `${descriptionOfDesign(item.name) ?? ''} In this log: ${formatNumber(item.flow.model_entries)}.`,
    item,
  ),
)}
</tbody>
</table>
</section>`;
}

/** `90 %`; `4.3 times` the cost where nothing is saved. */
function saving(own: string | null, other: string | null): string {
  if (own === null || other === null || Number(own) === 0) return 'not known';
  const ratio = Number(other) / Number(own);
  if (ratio <= 1) return `${Math.round((1 - ratio) * 100)} %`;
  return ratio < 2 ? `${Math.round((ratio - 1) * 100)} % more` : `${ratio.toFixed(1)} times`;
}

function chartSection(charts: readonly string[]): Html {
  if (charts.length === 0) return html``;
  return html`<section class="new-page">
<h2>Charts</h2>
${charts.map((svg) => html`<figure>${new Html(svg)}</figure>`)}
</section>`;
}

function rows({ rows: buckets, interval, rowsTruncated, totals }: ReportData): Html {
  const unit = interval === 'hour' ? 'Hour' : 'Day';
  if (buckets.length === 0)
    return html`<section><h2>By ${interval}</h2><p>No entries are in this period.</p></section>`;
  const used = buckets.filter((bucket) => hasUsage(bucket.usage));
  return html`<section>
<h2>By ${interval}</h2>
${used.length < buckets.length ? html`<p>${unit}s without log entries are left out.</p>` : []}
${
  rowsTruncated
    ? html`<p class="note">The table has only the first ${formatNumber(buckets.length)} ${interval}s. The totals contain the whole period.</p>`
    : []
}
<table class="small">
<thead><tr><th scope="col">${unit} (UTC)</th>${['Entries', 'Bytes', 'Personal data', ...services.map((name) => serviceNames[name]), 'Total'].map(numberHead)}</tr></thead>
<tbody>
${used.map((bucket) => bucketRow(bucket, interval))}
<tr class="sum"><th scope="row">Total</th>${[totals.logs, totals.size_bytes, totals.pii_logs].map(number)}<td></td><td></td><td></td>${amount(totals.cost)}</tr>
</tbody>
</table>
</section>`;
}

function bucketRow({ start, usage: used, cost }: CostBucket, interval: ReportData['interval']): Html {
  const time = new Date(start).toISOString();
  const shown = interval === 'hour' ? `${time.slice(0, 10)} ${time.slice(11, 16)}` : time.slice(0, 10);
  return html`<tr><th scope="row">${shown}</th>${[used.logs, used.sizeBytes, used.piiLogs].map((value) => number(Number(value)))}${[
    ...services,
    'total' as const,
  ].map((service) => amount(presentAmount(cost[service])))}</tr>
`;
}

/** Fields of a kind that are named. */
const maxShownFields = 8;

function personalData({ totals, untimed, piiFields }: ReportData): Html {
  const found = (Object.keys(piiNames) as (keyof typeof piiNames)[]).filter((kind) => totals.pii[kind] > 0);
  return html`<section class="keep">
<h2>Personal data</h2>
${
  found.length === 0
    ? html`<p>No e-mail address, national identifier or payment card was found.</p>`
    : html`<p>${formatNumber(totals.pii_logs)} of ${formatNumber(totals.logs)} entries have personal data. An entry can have several findings.</p>
<table>
<thead><tr><th scope="col">Kind</th>${numberHead('Findings')}<th scope="col" class="after-number">Fields, with their entries</th></tr></thead>
<tbody>
${found.map(
  (kind) =>
    html`<tr><th scope="row">${piiNames[kind]}</th>${number(totals.pii[kind])}<td class="after-number field">${fieldsOf(
      piiFields?.byType.get(kind) ?? [],
    )}</td></tr>`,
)}
</tbody>
</table>
${
  piiFields && piiFields.entriesRead < totals.logs
    ? html`<p class="muted">The fields are those of the newest ${formatNumber(piiFields.entriesRead)} entries.</p>`
    : []
}`
}
${untimed > 0 ? html`<p>${formatNumber(untimed)} entries had no time of their own: they count at their arrival.</p>` : []}
</section>`;
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
  return html`<section>
<h2>Prices</h2>
<p>Version ${priceBook.version} of the price book, prices as of ${priceBook.asOf}.${overrides.length === 0 ? '' : ` Own prices: ${overrides.join('; ')}.`}</p>
<table class="small">
<thead><tr><th scope="col">Price</th>${numberHead('USD per unit')}<th scope="col">As of</th><th scope="col">Published by</th></tr></thead>
<tbody>
${[...priced.values()].map(
  (line) =>
    html`<tr><th scope="row">${lineName(line)}</th><td class="number">${line.unitPrice ?? 'no price'}</td><td class="date">${line.source?.asOf ?? ''}</td><td>${
      line.source?.publishers.join(', ') ?? ''
    }</td></tr>`,
)}
</tbody>
</table>
</section>`;
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
  return html`<section class="keep">
<h2>Assumptions</h2>
<p>They apply to entries that do not report their own usage.${
    assumed.pipeline ? ' Usage is that of the pipeline, which is derived from the entries.' : ''
  } Amounts are in USD, before taxes; times are in UTC. Tiers of prices apply to a calendar month.</p>
<dl class="facts">${facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
</section>`;
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
  return html`<section>
<h2>Exact amounts</h2>
<table class="small">
<thead><tr>${hasMonths ? html`<th scope="col">Month</th>` : []}<th scope="col">For</th>${['Quantity', 'USD per unit', 'USD'].map(numberHead)}</tr></thead>
<tbody>
${lines.map(
  (line) =>
    html`<tr>${hasMonths ? html`<td>${line.month}</td>` : []}<th scope="row">${lineName(line)}</th><td class="number">${formatNumber(
      line.quantity,
      13,
    )}</td><td class="number">${line.unitPrice ?? 'no price'}</td><td class="number">${line.amount ?? 'no price'}</td></tr>`,
)}
</tbody>
</table>
<table class="small">
<thead><tr><th scope="col">Service</th>${numberHead('USD')}<th scope="col" class="after-number">Certainty</th></tr></thead>
<tbody>
${[...breakdown, { service: 'total' as const, cost: totals.cost, status: totals.status }].map(
  ({ service, cost, status }) =>
    html`<tr class="${service === 'total' ? 'sum' : ''}"><th scope="row">${serviceNames[service]}</th><td class="number">${
      cost ?? 'no price'
    }</td><td class="after-number">${statusNames[status]}</td></tr>`,
)}
</tbody>
</table>
</section>`;
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

const numberHead = (name: string) => html`<th scope="col" class="number">${name}</th>`;
const number = (value: number) => html`<td class="number">${formatNumber(value)}</td>`;
const amount = (usd: string | null) => html`<td class="number">${formatFineUsd(usd)}</td>`;

const percent = (share: number) => (share > 0 && share < 0.01 ? 'under 1 %' : `${Math.round(share * 100)} %`);

const capitalized = (word: string) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;

const minutes = (time: Date) => time.toISOString().slice(0, 16).replace('T', ' ');

function periodText({ from, to }: ReportData['period']): string {
  if (from && to) return `${minutes(from)} to ${minutes(to)} UTC`;
  if (from) return `from ${minutes(from)} UTC`;
  return to ? `to ${minutes(to)} UTC` : 'no log entries';
}

/** The assumptions of a pipeline, by name. */
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

/** HTML whose texts are escaped. */
class Html {
  readonly source: string;

  /** @param source trusted HTML. */
  constructor(source: string) {
    this.source = source;
  }
}

type Value = string | number | Html | readonly Html[];

/** Builds HTML from a template; values other than `Html` are escaped, also in quoted attributes. */
function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(String.raw({ raw: strings }, ...values.map(toSource)));
}

function toSource(value: Value): string {
  if (value instanceof Html) return value.source;
  if (typeof value === 'object') return value.map(({ source }) => source).join('');
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
