import { chartColors } from './chart-colors.ts';
import type { ChartData, ChartKind, ChartTheme } from './chart-data.ts';
import { chartOptions } from './chart-options.ts';
import { describeChart, formatCost, formatCount, kindTitles, piiNames, plainText, serviceNames } from './chart-text.ts';

interface ChartLook {
  readonly theme: ChartTheme;
  /** In CSS pixels. */
  readonly width?: number;
  readonly height?: number;
}

/**
 * Draws a chart as SVG. The same data give the same text. The ids and class names of kinds differ,
 * so that one HTML page can contain one chart of each kind.
 */
export async function renderChart(
  kind: ChartKind,
  data: ChartData,
  { theme, width = 800, height = 420 }: ChartLook,
): Promise<string> {
  const { init } = await loadLibrary();
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height });
  try {
    chart.setOption(chartOptions(kind, data, chartColors[theme], { width, height }));
    return label(chart.renderToSVGString(), kind, data);
  } finally {
    chart.dispose();
  }
}

/**
 * Loads the parts that are in use, with the first chart: a process without charts does not spend
 * the memory.
 */
async function loadLibrary() {
  const [core, charts, components, renderers] = await Promise.all([
    import('echarts/core'),
    import('echarts/charts'),
    import('echarts/components'),
    import('echarts/renderers'),
  ]);
  core.use([
    charts.BarChart,
    charts.LineChart,
    components.GridComponent,
    components.LegendComponent,
    components.TitleComponent,
    renderers.SVGRenderer,
  ]);
  return core;
}

/**
 * Adds title and description for screen readers, replaces the library's counter of charts in ids,
 * and removes what is for a mouse: classes, their styles and numbers of data.
 */
function label(svg: string, kind: ChartKind, data: ChartData): string {
  const name = plainText(data.scenario.name);
  const title = name === '' ? kindTitles[kind] : `${kindTitles[kind]}: ${name}`;
  const description = `${describeChart(kind, data)}. ${describeParts(kind, data)}.`;
  // No text of the scenario can match: quotes are escaped in text.
  const stable = svg
    .replaceAll(/ (?:class|ecmeta_\w+)="[^"]*"/g, '')
    .replace(/<style\b[^]*?<\/style>/, '')
    .replaceAll(/( (?:id|clip-path)="(?:url\(#)?)zr\d+-/g, `$1${kind}-`);
  return stable.replace(
    /^<svg([^>]*)>/,
    (_, attributes: string) =>
      `<svg${attributes} role="img" aria-labelledby="${kind}-title ${kind}-desc">` +
      `<title id="${kind}-title">${escapeXml(title)}</title><desc id="${kind}-desc">${escapeXml(description)}</desc>`,
  );
}

function describeParts(kind: ChartKind, { totals, breakdown }: ChartData): string {
  if (kind === 'logs-over-time') return `With personal data: ${formatCount(totals.pii_logs)}`;
  const parts =
    kind === 'pii-by-type'
      ? (Object.keys(piiNames) as (keyof typeof piiNames)[]).map(
          (type) => `${piiNames[type]}: ${formatCount(totals.pii[type])}`,
        )
      : breakdown.map(({ service, cost }) => `${serviceNames[service]}: ${formatCost(cost)}`);
  return parts.join(', ');
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escapeXml = (text: string) => text.replace(/[&<>]/g, (character) => entities[character] ?? '');
