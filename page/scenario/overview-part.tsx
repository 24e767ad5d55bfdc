import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { read } from '../client/api.ts';
import type { Metrics } from '../client/responses.ts';
import { Amount, Time } from '../components/amount.tsx';
import { Chart } from '../components/chart.tsx';
import { Empty, Loaded } from '../components/states.tsx';
import { formatBytes, formatNumber, formatUsd } from '../format/amounts.ts';
import { piiNames } from '../format/names.ts';
import { formatStart } from '../format/times.ts';
import { scenariosPath } from '../scenarios/scenario-queries.ts';
import { CostTable } from './cost-table.tsx';
import type { PartProps } from './part-props.ts';
import { spanOf } from './period.ts';

type Interval = 'hour' | 'day';

/** In ms: longer periods are shown by day at first. */
const longSpan = 21 * 24 * 3_600_000;

export function OverviewPart({ scenario, metrics, version }: PartProps) {
  const [chosen, choose] = useState<Interval | null>(null);
  if (!metrics) return null;
  const { totals, period, cost_breakdown: lines } = metrics;
  const interval = chosen ?? (spanOf(period) > longSpan ? 'day' : 'hour');
  if (totals.logs === 0) {
    return (
      <Empty title="No entries yet.">
        <p>
          {scenario.status === 'draft' ? 'Start the scenario, then ' : ''}
          <a href={`#/scenarios/${scenario.id}/send`}>send it entries</a>: drop a log file, or point a log shipper at
          it.
        </p>
      </Empty>
    );
  }
  const chart = { scenarioId: scenario.id, version };
  return (
    <>
      <section>
        <h2>Cost by service</h2>
        <CostTable caption="Usage and cost of all entries" lines={lines} total={totals.cost} />
        <Chart
          {...chart}
          kind="cost-by-service"
          description="Bar chart of the cost by service, as in the table above"
        />
      </section>
      <section>
        <div class="section-head">
          <h2>Over time</h2>
          <fieldset class="switch">
            <legend class="visually-hidden">Steps of time</legend>
            {(['hour', 'day'] as const).map((step) => (
              <label key={step}>
                <input
                  type="radio"
                  name="interval"
                  value={step}
                  checked={interval === step}
                  onChange={() => choose(step)}
                />
                <span>By {step}</span>
              </label>
            ))}
          </fieldset>
        </div>
        <p class="hint" data-testid="period">
          From <Time iso={period.from} /> to <Time iso={period.to} />
        </p>
        <Chart
          {...chart}
          kind="cost-over-time"
          interval={interval}
          description={`Chart of the cost by ${interval}; the table of the ${interval}s below has its numbers`}
        />
        <Chart
          {...chart}
          kind="logs-over-time"
          interval={interval}
          description={`Chart of the entries by ${interval}; the table of the ${interval}s below has its numbers`}
        />
        <TimeTable scenarioId={scenario.id} interval={interval} version={version} />
      </section>
      <section>
        <h2>Personal data</h2>
        <table>
          <caption>Findings by kind, in {formatNumber(totals.pii_logs)} entries</caption>
          <thead>
            <tr>
              <th scope="col">Kind</th>
              <th scope="col" class="number">
                Findings
              </th>
            </tr>
          </thead>
          <tbody>
            {(Object.keys(piiNames) as (keyof typeof piiNames)[]).map((kind) => (
              <tr key={kind}>
                <th scope="row">{piiNames[kind]}</th>
                <td class="number">{formatNumber(totals.pii[kind])}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <Chart {...chart} kind="pii-by-type" description="Bar chart of the findings by kind, as in the table above" />
      </section>
    </>
  );
}

interface TimeTableProps {
  readonly scenarioId: string;
  readonly interval: Interval;
  readonly version: string;
}

/** Rows of time are read as they are asked for. */
const rowsPerPage = 24;

/** The numbers of the charts over time. */
function TimeTable(props: TimeTableProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Table of the {props.interval}s</summary>
      {isOpen && <TimeRows key={props.interval} {...props} />}
    </details>
  );
}

function TimeRows({ scenarioId, interval, version }: TimeTableProps) {
  /** The cursors of the pages that were read, the present one last. */
  const [cursors, setCursors] = useState<readonly string[]>(['']);
  const cursor = cursors.at(-1);
  const query = useQuery({
    queryKey: ['scenario', scenarioId, 'rows', interval, cursor, version],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      read<Metrics>(`${scenariosPath}/${scenarioId}/metrics`, { interval, limit: rowsPerPage, cursor }, signal),
  });
  return (
    <Loaded query={query} what="rows">
      {({ timeseries, next }) => (
        <>
          <table class="cards">
            <caption class="visually-hidden">Entries and cost by {interval}</caption>
            <thead>
              <tr>
                <th scope="col">{interval === 'day' ? 'Day (UTC)' : 'Hour'}</th>
                <th scope="col" class="number">
                  Entries
                </th>
                <th scope="col" class="number">
                  Size
                </th>
                <th scope="col" class="number">
                  Queue
                </th>
                <th scope="col" class="number">
                  Function
                </th>
                <th scope="col" class="number">
                  Inference
                </th>
                <th scope="col" class="number">
                  Total
                </th>
              </tr>
            </thead>
            <tbody>
              {timeseries.map(({ hour, logs, size_bytes, cost }) => (
                <tr key={hour}>
                  <th scope="row">
                    <time dateTime={hour}>{formatStart(hour, interval)}</time>
                  </th>
                  <td data-label="Entries" class="number">
                    {formatNumber(logs)}
                  </td>
                  <td data-label="Size" class="number">
                    {formatBytes(size_bytes)}
                  </td>
                  <td data-label="Queue" class="number">
                    {formatUsd(cost.queue)}
                  </td>
                  <td data-label="Function" class="number">
                    {formatUsd(cost.function)}
                  </td>
                  <td data-label="Inference" class="number">
                    {formatUsd(cost.inference)}
                  </td>
                  <td data-label="Total" class="number">
                    <Amount usd={cost.total} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          <nav class="pager" aria-label={`Pages of ${interval}s`}>
            <button type="button" disabled={cursors.length === 1} onClick={() => setCursors(cursors.slice(0, -1))}>
              Previous
            </button>
            <span>Page {cursors.length}</span>
            <button
              type="button"
              disabled={next === null}
              onClick={() => next !== null && setCursors([...cursors, next])}
            >
              Next
            </button>
          </nav>
        </>
      )}
    </Loaded>
  );
}
