import { useSignal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import { formatSpan, formatStart, type Interval } from '../../format/times.ts';
import type { Bounds } from '../../period/period.ts';
import { zoomInto } from '../../period/period-bar.tsx';
import { type ChartKind, colorOf, namedSeries } from './chart-kinds.ts';
import { type Bars, chosenBars, moveByKey, nothingPointed, type PointedBars, presentBars } from './pointed-bars.ts';
import { placeBars, StackedBars } from './stacked-bars.tsx';
import type { TimeRow } from './time-rows.ts';
import { lengthOf } from './time-steps.ts';

interface TimeChartProps {
  readonly kind: ChartKind;
  readonly step: Interval;
  /** At least one. */
  readonly rows: readonly TimeRow[];
}

/**
 * A chart of stacked bars. The pointer and the arrow keys show the values of a bar; what is dragged
 * over, or chosen with Shift and arrows, becomes the period. Screen readers say the values as those
 * of a slider.
 */
export function TimeChart({ kind, step, rows }: TimeChartProps) {
  // Events can follow each other before the next rendering, so they need the state at once.
  const pointed = useSignal<PointedBars>(nothingPointed);
  useLayoutEffect(() => {
    pointed.value = presentBars(pointed.value, rows.length);
  }, [rows.length]);
  const { ofBars, barAt } = placeBars(rows, step);
  const chosen = chosenBars(pointed.value);
  const row = pointed.value.index === null ? undefined : rows[pointed.value.index];

  function spanOf({ first, last }: Bars): Bounds {
    const end = (rows[last]?.start ?? 0) + lengthOf(step);
    return { from: new Date(rows[first]?.start ?? 0).toISOString(), to: new Date(end).toISOString() };
  }
  function zoom(bars: Bars): void {
    pointed.value = nothingPointed;
    zoomInto(spanOf(bars));
  }
  function onKeyDown(event: KeyboardEvent): void {
    const { index } = pointed.value;
    if (event.key === 'Enter' && index !== null) zoom(chosenBars(pointed.value) ?? { first: index, last: index });
    else {
      const next = moveByKey(pointed.value, event, rows.length);
      if (next === undefined) return;
      pointed.value = next;
    }
    event.preventDefault();
  }
  const pointAt = ({ clientX, currentTarget }: MouseEvent, anchor: 'keep' | 'here') => {
    const { left, width } = (currentTarget as Element).getBoundingClientRect();
    const index = barAt(((clientX - left) / width) * 100);
    pointed.value = { index, anchor: anchor === 'here' ? index : pointed.value.anchor };
  };
  const band = (name: string, bars: Bars | null) => {
    const place = bars && ofBars(bars.first, bars.last);
    return place && <span class={name} style={{ left: `${place.left}%`, width: `${place.width}%` }} />;
  };
  const { index: bar } = pointed.value;

  return (
    <div class="time-chart">
      <Values {...{ kind, step, rows, row }} />
      <div
        class="plot"
        role="slider"
        tabIndex={0}
        aria-label={`${kind.name}, by ${step}`}
        aria-valuemin={0}
        aria-valuemax={rows.length - 1}
        aria-valuenow={pointed.value.index ?? 0}
        aria-valuetext={row ? textOf(row, kind, step) : `${rows.length} ${step}s. The arrow keys show their values.`}
        onKeyDown={onKeyDown}
        onBlur={() => (pointed.value = nothingPointed)}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          pointAt(event, 'here');
        }}
        onPointerMove={(event) => pointAt(event, 'keep')}
        onPointerUp={() => {
          const bars = chosenBars(pointed.value);
          if (bars && bars.first < bars.last) zoom(bars);
          else pointed.value = { ...pointed.value, anchor: null };
        }}
        onPointerCancel={() => (pointed.value = nothingPointed)}
        onPointerLeave={() => {
          if (pointed.value.anchor === null) pointed.value = nothingPointed;
        }}
      >
        <StackedBars {...{ kind, step, rows }} />
        {band('pointed-bar', bar === null ? null : { first: bar, last: bar })}
        {band('chosen-bars', chosen)}
      </div>
      <ul class="visually-hidden" aria-label={`Values of ${kind.name}, by ${step}`}>
        {rows.map((one) => (
          <li key={one.start}>{textOf(one, kind, step)}</li>
        ))}
      </ul>
      <p class="hint plot-hint">
        {chosen && chosen.first < chosen.last
          ? `${formatSpan(spanOf(chosen).from, spanOf(chosen).to)}: release, or press Enter, to show this period. Escape keeps the present one.`
          : 'Drag over a part, or press Shift with the arrow keys and then Enter, to show it alone.'}
      </p>
    </div>
  );
}

interface ValuesProps extends TimeChartProps {
  /** The row that is pointed at. */
  readonly row: TimeRow | undefined;
}

/** The legend, with the values of the bar that is pointed at. */
function Values({ kind, step, rows, row }: ValuesProps) {
  return (
    <div class="plot-values" data-testid="pointed">
      <ul class="legend">
        {namedSeries(kind, rows).map(({ name, color, textOf: valueText }) => (
          <li key={name}>
            <span class="swatch" style={colorOf(color)} aria-hidden="true" />
            {name} {row && row.logs > 0 && <b>{valueText(row)}</b>}
          </li>
        ))}
      </ul>
      <p>
        {row && (
          <>
            {formatStart(row.start, step)} <b>{isGap(row) ? 'no entries' : kind.totalOf(row)}</b>
          </>
        )}
      </p>
    </div>
  );
}

/** The polls of a pipeline cost something in hours without entries, too. */
const isGap = ({ logs, cost }: TimeRow) => logs === 0 && Number(cost.total ?? 0) === 0;

function textOf(row: TimeRow, { series, totalOf }: ChartKind, step: Interval): string {
  const start = formatStart(row.start, step);
  if (isGap(row)) return `${start}: no entries`;
  const values = series.filter(({ valueOf }) => valueOf(row) !== 0).map((one) => `${one.name}: ${one.textOf(row)}`);
  return `${start}: ${totalOf(row)}. ${values.join(', ')}`;
}
