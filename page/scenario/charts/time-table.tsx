import { useState } from 'preact/hooks';
import { formatBytes, formatNumber } from '../../../shared/amounts.ts';
import { Amount } from '../../components/amount.tsx';
import { Pager } from '../../components/pager.tsx';
import { ListTable, numberColumn } from '../../components/table.tsx';
import { formatStart, type Interval } from '../../format/times.ts';
import type { ChartKind, Series } from './chart-kinds.ts';
import type { TimeRow } from './sum-months.ts';

interface TimeTableProps {
  readonly kind: ChartKind;
  /** Its series that are shown. */
  readonly named: readonly Series<TimeRow>[];
  readonly step: Interval;
  readonly rows: readonly TimeRow[];
}

const rowsPerPage = 24;

/** The numbers of the chart. */
export function TimeTable(props: TimeTableProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Table of the {props.step}s</summary>
      {isOpen && <TimeRows {...props} />}
    </details>
  );
}

function TimeRows({ kind, named, step, rows }: TimeTableProps) {
  const [chosenPage, setPage] = useState(1);
  // Another period can have fewer pages.
  const page = Math.min(chosenPage, Math.ceil(rows.length / rowsPerPage));
  return (
    <>
      <ListTable
        caption={`${kind.name}, by ${step}`}
        columns={[
          { hour: 'Hour', day: 'Day (UTC)', month: 'Month (UTC)' }[step],
          ...['Entries', 'Size', ...named.map(({ name }) => name), ...(kind.unit === 'usd' ? ['Total'] : [])].map(
            numberColumn,
          ),
        ]}
      >
        {rows.slice((page - 1) * rowsPerPage, page * rowsPerPage).map((row) => (
          <TableRow key={row.start} {...{ kind, named, row, step }} />
        ))}
      </ListTable>
      <Pager what={`${step}s`} page={page} pageSize={rowsPerPage} total={rows.length} go={setPage} />
    </>
  );
}

type TableRowProps = Omit<TimeTableProps, 'rows'> & { readonly row: TimeRow };

function TableRow({ kind, named, row, step }: TableRowProps) {
  const { start, logs, size_bytes: size, cost } = row;
  return (
    <tr>
      <th scope="row">
        <time dateTime={new Date(start).toISOString()}>{formatStart(start, step)}</time>
      </th>
      <td data-label="Entries" class="number">
        {formatNumber(logs)}
      </td>
      <td data-label="Size" class="number">
        {formatBytes(size)}
      </td>
      {named.map(({ name, textOf }) => (
        <td key={name} data-label={name} class="number">
          {textOf(row)}
        </td>
      ))}
      {kind.unit === 'usd' && (
        <td data-label="Total" class="number">
          <Amount usd={cost.total} />
        </td>
      )}
    </tr>
  );
}
