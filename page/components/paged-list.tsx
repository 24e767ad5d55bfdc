import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Pager } from './pager.tsx';
import { Empty, Loaded } from './states.tsx';
import { type Column, ListTable } from './table.tsx';

interface PagedListProps<Item> {
  /** The name of the items, such as `reports`. */
  readonly what: string;
  readonly caption: string;
  readonly queryKey: readonly unknown[];
  readonly pageSize: number;
  readonly readPage: (
    page: number,
    signal: AbortSignal,
  ) => Promise<{ readonly items: readonly Item[]; readonly total: number }>;
  readonly columns: readonly (string | Column)[];
  readonly row: (item: Item) => ComponentChildren;
  /** In ms: how often these items are read again; default: never. */
  readonly pollEvery?: (items: readonly Item[]) => number | false;
}

/** A table of what the service lists in pages. */
export function PagedList<Item>({
  what,
  queryKey,
  pageSize,
  readPage,
  row,
  pollEvery,
  ...table
}: PagedListProps<Item>) {
  const [page, setPage] = useState(1);
  const query = useQuery({
    queryKey: [...queryKey, page],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => readPage(page, signal),
    refetchInterval: ({ state: { data } }) => (data && pollEvery ? pollEvery(data.items) : false),
  });
  return (
    <Loaded query={query} what={what}>
      {({ items, total }) =>
        total === 0 ? (
          <Empty title={`No ${what} yet.`} />
        ) : (
          <>
            <ListTable {...table}>{items.map(row)}</ListTable>
            <Pager what={what} page={page} pageSize={pageSize} total={total} go={setPage} />
          </>
        )
      }
    </Loaded>
  );
}
