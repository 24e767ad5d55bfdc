import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { useMemo } from 'preact/hooks';
import { addressQuery, changeQuery } from '../../app/address.ts';
import { Loaded } from '../../components/states.tsx';
import { Switch } from '../../components/switch.tsx';
import type { Interval } from '../../format/times.ts';
import type { Bounds } from '../../period/period.ts';
import { type ChartKind, type ChartName, chartKinds, chartNames, isChartName, namedSeries } from './chart-kinds.ts';
import type { TimeRow } from './sum-months.ts';
import { TimeChart } from './time-chart.tsx';
import { readRows } from './time-rows.ts';
import { stepFor, stepsFor } from './time-steps.ts';
import { TimeTable } from './time-table.tsx';

interface TimePartProps {
  readonly scenarioId: string;
  readonly bounds: Bounds;
  /** In ms, from the first to the last hour with entries of the period. */
  readonly length: number;
  readonly version: string;
}

/** Cost and entries over time, as a chart and as a table. */
export function TimePart({ scenarioId, bounds, length, version }: TimePartProps) {
  const query = addressQuery();
  const step = stepFor(length, query.get('by'));
  const shown = query.get('show');
  const name: ChartName = isChartName(shown) ? shown : 'cost';
  const hasLevels = name === 'levels';
  const rows = useQuery({
    queryKey: ['scenario', scenarioId, 'rows', step, hasLevels, bounds, version],
    // The shown rows stay until the next ones are there.
    placeholderData: keepPreviousData,
    // A version that is not shown any more is not shown again.
    gcTime: 10_000,
    queryFn: async ({ signal }) => ({
      step,
      rows: await readRows(scenarioId, { bounds, step, hasLevels }, signal),
      hasLevels,
    }),
  });
  return (
    <section>
      <div class="section-head">
        <h2>Over time</h2>
        <div class="buttons">
          <Switch
            legend="Shown"
            name="show"
            choices={chartNames.map((value) => ({ value, text: chartKinds[value].name }))}
            value={name}
            choose={(value) => changeQuery({ show: value === 'cost' ? undefined : value })}
          />
          <Switch
            legend="Group by"
            name="by"
            choices={stepsFor(length).map((value) => ({ value, text: `By ${value}` }))}
            value={step}
            choose={(value) => changeQuery({ by: value })}
          />
        </div>
      </div>
      <Loaded query={rows} what="the chart">
        {(data) =>
          data.rows.length === 0 ? (
            <p>No entries in this period.</p>
          ) : (
            <div aria-busy={rows.isPlaceholderData}>
              <ChartWithTable kind={chartKinds[hasLevels && !data.hasLevels ? 'cost' : name]} {...data} />
            </div>
          )
        }
      </Loaded>
    </section>
  );
}

interface ChartWithTableProps {
  readonly kind: ChartKind;
  readonly step: Interval;
  readonly rows: readonly TimeRow[];
}

function ChartWithTable({ kind, step, rows }: ChartWithTableProps) {
  const named = useMemo(() => namedSeries(kind, rows), [kind, rows]);
  return (
    <>
      <TimeChart {...{ kind, named, step, rows }} />
      <TimeTable {...{ kind, named, step, rows }} />
    </>
  );
}
