import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { read } from '../client/api.ts';
import type { Metrics } from '../client/responses.ts';
import { Amount } from '../components/amount.tsx';
import { Loaded } from '../components/states.tsx';
import { ListTable } from '../components/table.tsx';
import { formatBytes, formatNumber, formatUsd } from '../format/amounts.ts';
import { formatStart } from '../format/times.ts';
import { scenariosPath } from '../scenarios/scenario-queries.ts';

export type Interval = 'hour' | 'day';

interface TimeTableProps {
  readonly scenarioId: string;
  readonly interval: Interval;
  readonly version: string;
}

/** Rows of time are read as they are asked for. */
const rowsPerPage = 24;

/** The numbers of the charts over time. */
export function TimeTable(props: TimeTableProps) {
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
          <ListTable
            caption={`Entries and cost by ${interval}`}
            columns={[
              interval === 'day' ? 'Day (UTC)' : 'Hour',
              ...['Entries', 'Size', 'Queue', 'Function', 'Inference', 'Total'].map((name) => ({
                name,
                isNumber: true,
              })),
            ]}
          >
            {timeseries.map((row) => (
              <TimeRow key={row.hour} row={row} interval={interval} />
            ))}
          </ListTable>
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

interface TimeRowProps {
  readonly row: Metrics['timeseries'][number];
  readonly interval: Interval;
}

function TimeRow({ row: { hour, logs, size_bytes, cost }, interval }: TimeRowProps) {
  return (
    <tr>
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
  );
}
