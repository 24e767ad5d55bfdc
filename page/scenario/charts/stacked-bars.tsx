import type { Interval } from '../../format/times.ts';
import { axisValues, countLabel, timeLabels, usdLabel } from './axis-labels.ts';
import { type ChartKind, colorOf } from './chart-kinds.ts';
import type { TimeRow } from './time-rows.ts';
import { lengthOf } from './time-steps.ts';

/** The share of its step that is left between two bars. */
const gap = 0.1;
/** Bars with a label below them. */
const maxLabels = 7;

/** The place of a chart on its time axis: shares of its width, in per cent. */
export function placeBars(rows: readonly { readonly start: number }[], step: Interval) {
  const from = rows[0]?.start ?? 0;
  const end = (rows.at(-1)?.start ?? 0) + lengthOf(step);
  const place = (time: number) => ((time - from) / (end - from)) * 100;
  return {
    ofBars: (first: number, last: number) => {
      const left = place(rows[first]?.start ?? 0);
      return { left, width: place((rows[last]?.start ?? 0) + lengthOf(step)) - left };
    },
    /** The bar at a share of the width, or the one before it. */
    barAt: (share: number) =>
      Math.max(
        0,
        rows.findLastIndex(({ start }) => start <= from + (share / 100) * (end - from)),
      ),
  };
}

interface StackedBarsProps {
  readonly kind: ChartKind;
  readonly step: Interval;
  readonly rows: readonly TimeRow[];
}

/** The bars of a chart: one path for each series, which is as wide as its box. */
export function StackedBars({ kind: { series, unit }, step, rows }: StackedBarsProps) {
  const { ofBars } = placeBars(rows, step);
  const paths = series.map(() => '');
  const sums = rows.map((row) => series.reduce((sum, { valueOf }) => sum + (valueOf(row) ?? 0), 0));
  const values = axisValues(Math.max(...sums) || 1, unit === 'entries');
  const top = values.at(-1) ?? 1;
  for (const [bar, row] of rows.entries()) {
    const { left, width } = ofBars(bar, bar);
    let base = 0;
    for (const [index, { valueOf }] of series.entries()) {
      const height = ((valueOf(row) ?? 0) / top) * 100;
      const wide = width * (1 - gap);
      if (height > 0) paths[index] += `M${left} ${100 - base}v${-height}h${wide}v${height}z`;
      base += height;
    }
  }
  return (
    <>
      {values.map((value) => (
        <span key={value} class="plot-value" aria-hidden="true" style={{ bottom: `${(value / top) * 100}%` }}>
          <span>{unit === 'usd' ? usdLabel(value, values[1] ?? 1) : countLabel(value)}</span>
        </span>
      ))}
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
        {paths.map((path, index) => (
          <path key={series[index]?.name} style={colorOf(series[index]?.color ?? 'series-1')} d={path} />
        ))}
      </svg>
      <TimeAxis step={step} rows={rows} />
    </>
  );
}

function TimeAxis({ step, rows }: Omit<StackedBarsProps, 'kind'>) {
  const { ofBars } = placeBars(rows, step);
  const distance = Math.ceil(rows.length / maxLabels);
  const labelled = Array.from({ length: Math.ceil(rows.length / distance) }, (_, index) => index * distance);
  const labels = timeLabels(
    labelled.map((bar) => rows[bar]?.start ?? 0),
    step,
  );
  return (
    <>
      {labelled.map((bar, index) => (
        <span
          key={bar}
          class={`plot-time ${index % 2 === 1 ? 'wide-only' : ''}`}
          aria-hidden="true"
          style={{ left: `${ofBars(bar, bar).left}%` }}
        >
          {labels[index]}
        </span>
      ))}
    </>
  );
}
