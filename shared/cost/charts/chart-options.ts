import type { BarSeriesOption, EChartsOption, LineSeriesOption } from 'echarts';
import { day, hour } from '../../durations.ts';
import { type Money, moneyDecimals } from '../money.ts';
import type { ChartColors } from './chart-colors.ts';
import type { ChartData, ChartKind } from './chart-data.ts';
import {
  describeChart,
  formatAxisAmount,
  formatCost,
  formatCount,
  formatPercent,
  formatStart,
  kindTitles,
  moneyOf,
  piiNames,
  plainText,
  serviceNames,
} from './chart-text.ts';

interface ChartSize {
  readonly width: number;
  readonly height: number;
}

const fontFamily = 'Noto Sans, Arial, Helvetica, sans-serif';

/** With more rows, bars would be narrower than a few pixels: areas with steps are drawn instead. */
const maxBars = 120;

/**
 * In CSS pixels. On a narrower picture, the entries of a legend are one below the other, and texts
 * have more lines.
 */
const narrowBelow = 560;

interface Series {
  /** Unique in its chart; with the sum or share, as the legend shows it. */
  readonly name: string;
  readonly values: readonly number[];
}

/** The options of a chart for ECharts. */
export function chartOptions(kind: ChartKind, data: ChartData, colors: ChartColors, size: ChartSize): EChartsOption {
  const isNarrow = size.width < narrowBelow;
  const body = bodies[kind](data, colors, isNarrow);
  const isEmpty = data.totals.logs === 0;
  const name = plainText(data.scenario.name);
  return {
    animation: false,
    backgroundColor: colors.background,
    color: [...colors.series],
    textStyle: { fontFamily, color: colors.text },
    title: [
      {
        text: name === '' ? kindTitles[kind] : name,
        subtext: `${name === '' ? '' : `${kindTitles[kind]} · `}${describeChart(kind, data)}`,
        left: 16,
        top: 12,
        itemGap: 6,
        textStyle: { fontFamily, color: colors.text, fontSize: 18, width: size.width - 32, overflow: 'truncate' },
        subtextStyle: { fontFamily, color: colors.mutedText, fontSize: 12, width: size.width - 32, overflow: 'break' },
      },
      ...(isEmpty
        ? [
            {
              text: 'No entries in this period',
              left: 'center',
              top: 'middle',
              textStyle: { fontFamily, color: colors.mutedText, fontSize: 16, fontWeight: 'normal' as const },
            },
          ]
        : []),
    ],
    legend: {
      // Bars name their categories themselves.
      show: !isNarrow || isOverTime(kind),
      orient: isNarrow ? 'vertical' : 'horizontal',
      left: 16,
      bottom: 10,
      itemGap: isNarrow ? 6 : 20,
      selectedMode: false,
      textStyle: { fontFamily, color: colors.text, fontSize: 12 },
    },
    grid: {
      left: isNarrow ? 16 : 28,
      right: isNarrow ? 20 : 36,
      top: isNarrow ? 128 : 96,
      bottom: isNarrow && isOverTime(kind) ? 104 : 64,
      outerBoundsMode: 'same',
      outerBoundsContain: 'all',
    },
    ...body,
  };
}

const isOverTime = (kind: ChartKind) => kind === 'cost-over-time' || kind === 'logs-over-time';

type Body = Pick<EChartsOption, 'xAxis' | 'yAxis' | 'series'>;

const bodies: Readonly<Record<ChartKind, (data: ChartData, colors: ChartColors, isNarrow: boolean) => Body>> = {
  'cost-over-time': (data, colors) =>
    overTime(
      data,
      data.breakdown.map(({ service, cost }) => ({
        name: `${serviceNames[service]}: ${formatCost(cost)}`,
        values: data.rows.map((row) => usdOf(row.cost[service])),
      })),
      { name: `USD per ${data.interval}`, format: formatAxisAmount },
      colors,
    ),
  'logs-over-time': (data, colors) => {
    const { logs, pii_logs } = data.totals;
    return overTime(
      data,
      [
        {
          name: `Without personal data: ${formatCount(logs - pii_logs)}`,
          values: data.rows.map(({ usage }) => Number(usage.logs - usage.piiLogs)),
        },
        {
          name: `With personal data: ${formatCount(pii_logs)}`,
          values: data.rows.map(({ usage }) => Number(usage.piiLogs)),
        },
      ],
      { name: `Entries per ${data.interval}`, format: formatCount, minInterval: 1 },
      colors,
    );
  },
  'cost-by-service': ({ breakdown }, colors, isNarrow) =>
    byCategory(
      breakdown.map(({ service, cost, share }) => ({
        category: serviceNames[service],
        value: cost === null ? 0 : usdOf(moneyOf(cost)),
        label: formatCost(cost) + (share === null ? '' : ` (${formatPercent(share)})`),
      })),
      { name: 'USD', format: formatAxisAmount },
      colors,
      isNarrow,
    ),
  'pii-by-type': ({ totals: { pii } }, colors, isNarrow) =>
    byCategory(
      (Object.keys(piiNames) as (keyof typeof piiNames)[]).map((type) => ({
        category: piiNames[type],
        value: pii[type],
        label: formatCount(pii[type]),
      })),
      { name: 'Findings', format: formatCount, minInterval: 1 },
      colors,
      isNarrow,
    ),
};

interface ValueAxis {
  readonly name: string;
  readonly format: (value: number) => string;
  readonly minInterval?: number;
}

/** Stacked series over hours or days. */
function overTime(
  { rows, interval }: ChartData,
  series: readonly Series[],
  axis: ValueAxis,
  colors: ChartColors,
): Body {
  const hasBars = rows.length <= maxBars;
  const starts = rows.map(({ start }) => start);
  // A step reaches to the next start, so the last one needs the end of its row.
  if (!hasBars) starts.push((starts.at(-1) ?? 0) + (interval === 'hour' ? hour : day));
  return {
    xAxis: {
      type: 'category',
      data: starts.map((start) => formatStart(start, interval).replace(' ', '\n')),
      boundaryGap: hasBars,
      name: interval === 'hour' ? 'Hour (UTC)' : 'Day (UTC)',
      nameLocation: 'middle',
      nameGap: interval === 'hour' ? 42 : 28,
      nameTextStyle: axisName(colors),
      axisLabel: {
        ...axisLabel(colors),
        hideOverlap: true,
        // The label of a bar is below its middle, that of a line's end would be outside of the
        // picture.
        ...(hasBars ? {} : { alignMinLabel: 'left' as const, alignMaxLabel: 'right' as const }),
      },
      axisLine: { lineStyle: { color: colors.mutedText } },
      axisTick: { show: false },
    },
    yAxis: {
      ...valueAxis(axis, colors),
      nameLocation: 'end',
      nameGap: 12,
      nameTextStyle: { ...axisName(colors), align: 'left' },
    },
    series: series.map(({ name, values }) => (hasBars ? bars(name, values, colors) : area(name, values))),
  };
}

const bars = (name: string, values: readonly number[], { background }: ChartColors): BarSeriesOption => ({
  type: 'bar',
  name,
  stack: 'all',
  silent: true,
  barCategoryGap: '20%',
  barMaxWidth: 48,
  itemStyle: { borderColor: background, borderWidth: 0.5 },
  data: [...values],
});

const area = (name: string, values: readonly number[]): LineSeriesOption => ({
  type: 'line',
  name,
  stack: 'all',
  silent: true,
  step: 'end',
  symbol: 'none',
  lineStyle: { width: 0.5 },
  areaStyle: { opacity: 1 },
  data: [...values, ...values.slice(-1)],
});

/** A horizontal bar per category, each a series of its own, so that the legend names it. */
function byCategory(
  bars: readonly { readonly category: string; readonly value: number; readonly label: string }[],
  axis: ValueAxis,
  colors: ChartColors,
  isNarrow: boolean,
): Body {
  return {
    xAxis: {
      ...valueAxis(axis, colors),
      ...(isNarrow ? { splitNumber: 3 } : {}),
      nameLocation: 'middle',
      nameGap: 28,
      nameTextStyle: axisName(colors),
      // Leaves space for the label of the longest bar.
      boundaryGap: [0, isNarrow ? '90%' : '30%'],
    },
    yAxis: {
      type: 'category',
      inverse: true,
      data: bars.map(({ category }) => category),
      axisLabel: { ...axisLabel(colors), color: colors.text },
      axisLine: { lineStyle: { color: colors.mutedText } },
      axisTick: { show: false },
    },
    series: bars.map(({ category, value, label }, index) => ({
      type: 'bar',
      name: category,
      stack: 'all',
      silent: true,
      barMaxWidth: 44,
      data: [{ value: [value, index], label: { formatter: () => label } }],
      label: { show: true, position: 'right', color: colors.text, fontFamily, fontSize: 12 },
    })),
  };
}

const valueAxis = ({ name, format, minInterval }: ValueAxis, colors: ChartColors) => ({
  type: 'value' as const,
  name,
  min: 0,
  ...(minInterval !== undefined && { minInterval }),
  splitLine: { lineStyle: { color: colors.line } },
  axisLabel: { ...axisLabel(colors), formatter: (value: number) => format(value) },
});

const axisLabel = ({ mutedText }: ChartColors) => ({ fontFamily, fontSize: 11, color: mutedText });
const axisName = ({ mutedText }: ChartColors) => ({ fontFamily, fontSize: 12, color: mutedText });

/** For drawing only: amounts that are written are exact. Usage without a price has no height. */
const usdOf = (amount: Money | null): number => (amount === null ? 0 : Number(amount) / 10 ** moneyDecimals);
