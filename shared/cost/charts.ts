// Usage and cost of a period as SVG: bars over time, or one bar for each service or kind of
// personal data. Amounts that are written are exact; heights are not.
import { formatNumber, formatShare, formatUsd } from '../amounts.ts';
import { day, hour } from '../durations.ts';
import type { Interval } from '../usage/periods.ts';
import { moneyDecimals } from './money.ts';
import type { PeriodCost } from './paged-cost.ts';

export const chartKinds = ['cost-over-time', 'cost-by-service', 'logs-over-time', 'pii-by-type'] as const;
export type ChartKind = (typeof chartKinds)[number];

export const chartThemes = ['light', 'dark'] as const;
export type ChartTheme = (typeof chartThemes)[number];

/** Without a name, the kind of the chart is its title. */
type ChartData = PeriodCost & { readonly scenario: { readonly name: string } };

const titles: Readonly<Record<ChartKind, string>> = {
  'cost-over-time': 'Cost over time',
  'cost-by-service': 'Cost by service',
  'logs-over-time': 'Log entries over time',
  'pii-by-type': 'Personal data by type',
};
const serviceNames = { queue: 'Queue', function: 'Function', inference: 'Inference' } as const;
const piiNames = { email: 'Email address', national_id: 'National ID', payment_card: 'Payment card' } as const;

/**
 * The series are from the palette of Okabe and Ito and from that of Tol. Text has a contrast of at
 * least 4.5 with the background, series of at least 3 (WCAG 2.2, AA).
 */
const colors = {
  light: {
    background: '#ffffff',
    text: '#1f2328',
    mutedText: '#57606a',
    line: '#d0d7de',
    series: ['#332288', '#d55e00', '#3d8fc4'],
  },
  dark: {
    background: '#14171c',
    text: '#e6e9ee',
    mutedText: '#a5adb8',
    line: '#3a414b',
    series: ['#56b4e9', '#e69f00', '#f3ecb8'],
  },
} as const satisfies Record<ChartTheme, object>;
type Colors = (typeof colors)[ChartTheme];

/** In CSS pixels. */
const width = 800;
const margin = 16;
const plot = { left: 84, right: width - 24, top: 100 };

/** Draws a chart. Ids differ by kind, so that one HTML page can contain a chart of each kind. */
export function drawChart(kind: ChartKind, data: ChartData, theme: ChartTheme, height = 420): string {
  const { background, text, mutedText } = colors[theme];
  const name = plainText(data.scenario.name);
  const title = name === '' ? titles[kind] : `${titles[kind]}: ${name}`;
  const { body, parts } = bodies[kind](data, { ...colors[theme], bottom: height - 84 });
  const description = describeChart(kind, data);
  const subtitle = name === '' ? description : `${titles[kind]} · ${description}`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`,
    ` font-family="Noto Sans, Arial, Helvetica, sans-serif" font-size="12" role="img"`,
    ` aria-labelledby="${kind}-title ${kind}-desc">`,
    `<title id="${kind}-title">${escapeXml(title)}</title>`,
    `<desc id="${kind}-desc">${escapeXml(`${description}. ${parts.join(', ')}.`)}</desc>`,
    `<rect width="${width}" height="${height}" fill="${background}"/>`,
    label(margin, 32, shorten(name === '' ? titles[kind] : name), `fill="${text}" font-size="18" font-weight="bold"`),
    label(margin, 52, subtitle, `fill="${mutedText}"`),
    body,
    data.totals.logs === 0
      ? label(width / 2, height / 2, 'No entries in this period', `fill="${mutedText}" font-size="16" ${centered}`)
      : '',
    '</svg>',
  ].join('');
}

/** The colours, and the lower end of the plot. */
type Frame = Colors & { readonly bottom: number };

/** What is below the title, and its figures in words. */
interface Body {
  readonly body: string;
  readonly parts: readonly string[];
}

const bodies: Readonly<Record<ChartKind, (data: ChartData, frame: Frame) => Body>> = {
  'cost-over-time': (data, frame) => {
    const series = data.breakdown.map(({ service, cost }) => ({
      name: `${serviceNames[service]}: ${formatCost(cost)}`,
      values: data.rows.map((row) => Number(row.cost.services[service].amount ?? 0n) / 10 ** moneyDecimals),
    }));
    return overTime(data, series, { name: `USD per ${data.interval}`, format: formatAxisUsd, least: 0 }, frame);
  },
  'logs-over-time': (data, frame) => {
    const { logs, pii_logs } = data.totals;
    const series = [
      {
        name: `Without personal data: ${formatNumber(logs - pii_logs)}`,
        values: data.rows.map(({ usage }) => Number(usage.logs) - Number(usage.piiLogs ?? 0)),
      },
      {
        name: `With personal data: ${formatNumber(pii_logs)}`,
        values: data.rows.map(({ usage }) => Number(usage.piiLogs ?? 0)),
      },
    ];
    return overTime(data, series, { name: `Entries per ${data.interval}`, format: formatNumber, least: 1 }, frame);
  },
  'cost-by-service': ({ breakdown }, frame) => {
    const bars = breakdown.map(({ service, cost, share }) => ({
      name: serviceNames[service],
      value: Number(cost ?? 0),
      label: formatCost(cost) + (share === null ? '' : ` (${formatShare(share)})`),
    }));
    return byCategory(bars, { name: 'USD', format: formatAxisUsd, least: 0 }, frame);
  },
  'pii-by-type': ({ totals: { pii } }, frame) => {
    const bars = Object.entries(piiNames).map(([type, name]) => {
      const value = pii[type as keyof typeof piiNames];
      return { name, value, label: formatNumber(value) };
    });
    return byCategory(bars, { name: 'Findings', format: formatNumber, least: 1 }, frame);
  },
};

interface Axis {
  readonly name: string;
  readonly format: (value: number) => string;
  /** The least distance of two values. */
  readonly least: number;
}

/** Values from 0 to at least `most`, at a distance of 1, 2 or 5 times a power of ten. */
function axisValues(most: number, { least }: Axis): number[] {
  const rough = (most || 1) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(least, power * ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10));
  const count = Math.max(1, Math.ceil((most || 1) / step));
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}

interface Series {
  /** With its sum, as the legend shows it. */
  readonly name: string;
  readonly values: readonly number[];
}

/** With more bars, there is no space between them. */
const maxSeparateBars = 120;
const maxBarWidth = 48;
/** Starts of bars that fit below the plot. */
const maxStarts = 6;

/** Stacked bars by hour or day. */
function overTime({ rows, interval }: ChartData, series: readonly Series[], axis: Axis, frame: Frame): Body {
  const { bottom, line, text, mutedText } = frame;
  const sums = rows.map((_, row) => series.reduce((sum, { values }) => sum + (values[row] ?? 0), 0));
  const values = axisValues(Math.max(0, ...sums), axis);
  const scale = (bottom - plot.top) / (values.at(-1) ?? 1);
  const step = (plot.right - plot.left) / Math.max(1, rows.length);
  const barWidth = rows.length > maxSeparateBars ? step : Math.min(step * 0.8, maxBarWidth);
  const ends = rows.map(() => bottom);
  const bars = series.map(({ values: heights }, index) => {
    const path = heights.flatMap((value, row) => {
      const start = ends[row] ?? bottom;
      const end = start - value * scale;
      ends[row] = end;
      const left = plot.left + (row + 0.5) * step - barWidth / 2;
      return value === 0 ? [] : `M${round(left)} ${round(start)}V${round(end)}h${round(barWidth)}V${round(start)}z`;
    });
    return `<path fill="${frame.series[index]}" shape-rendering="crispEdges" d="${path.join('') || 'M0 0'}"/>`;
  });
  const every = Math.ceil(rows.length / maxStarts);
  const starts = rows.flatMap(({ start }, row) => {
    const middle = plot.left + (row + 0.5) * step;
    return row % every === 0 ? label(middle, bottom + 18, formatStart(start, interval), `${small} ${centered}`) : [];
  });
  const body = [
    ...values.map((value) => {
      const y = round(bottom - value * scale);
      return (
        `<path stroke="${line}" d="M${plot.left} ${y}H${plot.right}"/>` +
        label(plot.left - 8, y + 4, axis.format(value), `${small} text-anchor="end"`)
      );
    }),
    label(margin, plot.top - 16, axis.name),
    ...starts,
    label((plot.left + plot.right) / 2, bottom + 38, interval === 'hour' ? 'Hour (UTC)' : 'Day (UTC)', centered),
  ];
  const parts = series.map(({ name }) => name);
  return { body: `<g fill="${mutedText}">${body.join('')}</g>${bars.join('')}${legend(parts, frame, text)}`, parts };
}

function legend(names: readonly string[], { series, bottom }: Frame, text: string): string {
  let left = margin;
  return names
    .map((name, index) => {
      const entry =
        `<rect x="${left}" y="${bottom + 58}" width="12" height="12" fill="${series[index]}"/>` +
        label(left + 18, bottom + 68, name, `fill="${text}"`);
      left += 46 + name.length * 6.5;
      return entry;
    })
    .join('');
}

interface Bar {
  readonly name: string;
  readonly value: number;
  readonly label: string;
}

/** The longest bar leaves this part of the width to its label. */
const labelShare = 0.3;

/** A horizontal bar for each category. */
function byCategory(bars: readonly Bar[], axis: Axis, frame: Frame): Body {
  const { bottom, line, text, mutedText } = frame;
  const left = margin + 100;
  const values = axisValues(Math.max(...bars.map(({ value }) => value)), axis);
  const scale = ((plot.right - left) * (1 - labelShare)) / (values.at(-1) ?? 1);
  const step = (bottom - plot.top) / bars.length;
  const axisParts = values.map((value) => {
    const x = round(left + value * scale);
    return (
      `<path stroke="${line}" d="M${x} ${plot.top}V${bottom}"/>` +
      label(x, bottom + 18, axis.format(value), `${small} ${centered}`)
    );
  });
  const drawn = bars.map(({ name, value, label: figure }, index) => {
    const top = plot.top + index * step + step / 4;
    const end = left + value * scale;
    const middle = top + step / 4 + 4;
    return (
      `<path fill="${frame.series[index]}" d="M${left} ${round(top)}H${round(end)}v${round(step / 2)}H${left}z"/>` +
      label(margin, middle, name) +
      label(end + 8, middle, figure)
    );
  });
  const axisName = label(left, bottom + 38, axis.name);
  return {
    body: `<g fill="${mutedText}">${axisParts.join('')}${axisName}</g><g fill="${text}">${drawn.join('')}</g>`,
    parts: bars.map(({ name, label: figure }) => `${name}: ${figure}`),
  };
}

const centered = 'text-anchor="middle"';
const small = 'font-size="11"';

const round = (pixels: number) => Math.round(pixels * 100) / 100;

const label = (x: number, y: number, text: string, attributes = '') =>
  `<text x="${round(x)}" y="${round(y)}" ${attributes}>${escapeXml(text)}</text>`;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escapeXml = (text: string) => text.replace(/[&<>]/g, (character) => entities[character] ?? '');

/**
 * Characters that XML forbids, line breaks, and characters that change the direction of the text
 * after them.
 */
const unsafe = /[\p{Cc}\p{Cs}\uFFFE\uFFFF\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]+/gu;

const plainText = (name: string) => name.replace(unsafe, ' ').replace(/\s+/g, ' ').trim();

/** A title is one line. */
const maxTitle = 70;
function shorten(title: string): string {
  const characters = Array.from(title);
  return characters.length > maxTitle ? `${characters.slice(0, maxTitle - 1).join('')}…` : title;
}

/** As many decimals as tell a value of an axis from its neighbours, which can be under a cent. */
const usd = new Intl.NumberFormat('en', { maximumSignificantDigits: 6 });
const formatAxisUsd = (value: number): string => usd.format(value);

const formatCost = (amount: string | null): string =>
  amount === null ? 'no price' : `${formatUsd(amount).replace('$', '')} USD`;

/** Start of an hour or day in UTC: `2026-05-01 13:00`, `2026-05-01`. */
function formatStart(start: number | Date, interval: Interval): string {
  const text = new Date(start).toISOString();
  return interval === 'day' ? text.slice(0, 10) : `${text.slice(0, 10)} ${text.slice(11, 16)}`;
}

/** The chart in a line: period, unit and total. */
function describeChart(kind: ChartKind, { period, totals, interval, rows, rowsTruncated }: ChartData): string {
  const last = rows.at(-1);
  const from = period.from ?? rows[0]?.start;
  const to = period.to ?? (last && last.start + (interval === 'hour' ? hour : day));
  const span =
    from === undefined || to === undefined
      ? 'no entries'
      : `${formatStart(from, 'hour')} to ${formatStart(to, 'hour')} UTC`;
  const isCut = rowsTruncated && kind.endsWith('-over-time');
  const cut = isCut ? ` · only the first ${formatNumber(rows.length)} ${interval}s are shown` : '';
  return `${span} · ${describeTotal(kind, totals)}${cut}`;
}

function describeTotal(kind: ChartKind, { cost, status, incomplete, ...totals }: ChartData['totals']): string {
  if (kind === 'logs-over-time') return `${formatNumber(totals.logs)} entries`;
  if (kind === 'pii-by-type') {
    return `${formatNumber(totals.pii_logs)} of ${formatNumber(totals.logs)} entries have personal data`;
  }
  const part = incomplete && cost !== null ? ', some usage has no price' : '';
  return `total ${formatCost(cost)} (${status}${part})`;
}
