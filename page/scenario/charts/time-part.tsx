import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { addressQuery, changeQuery } from '../../app/address.ts';
import { Select } from '../../components/form.tsx';
import { Loaded } from '../../components/states.tsx';
import type { Bounds } from '../../period/period.ts';
import { type ChartName, chartKinds, chartNames, isChartName } from './chart-kinds.ts';
import { TimeChart } from './time-chart.tsx';
import { readRows } from './time-rows.ts';
import { stepFor, stepsFor } from './time-steps.ts';

interface TimePartProps {
  readonly scenarioId: string;
  readonly bounds: Bounds;
  /** In ms, from the first to the last hour with entries of the period. */
  readonly length: number;
  readonly version: string;
}

/** A chart of the cost, the levels or the personal data over time. */
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
      rows: await readRows(scenarioId, { bounds, interval: step, hasLevels }, signal),
      hasLevels,
    }),
  });
  return (
    <section>
      <div class="section-head">
        <h2>Over time</h2>
        <div class="buttons">
          <Select
            aria-label="Chart"
            choices={chartNames.map((value) => ({ value, text: chartKinds[value].name }))}
            value={name}
            choose={(value) => changeQuery({ show: value === 'cost' ? undefined : value })}
          />
          <Select
            aria-label="Bars"
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
              <TimeChart kind={chartKinds[hasLevels && !data.hasLevels ? 'cost' : name]} {...data} />
            </div>
          )
        }
      </Loaded>
    </section>
  );
}
