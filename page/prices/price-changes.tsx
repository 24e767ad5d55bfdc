import { useState } from 'preact/hooks';
import type { PriceBookDiff } from '../client/responses.ts';
import { Pager } from '../components/pager.tsx';
import { Empty, Loaded } from '../components/states.tsx';
import { ListTable, numberColumn } from '../components/table.tsx';
import { serviceNames } from '../format/names.ts';
import { useModels, useRegions } from '../scenarios/scenario-queries.ts';
import { Place } from './place.tsx';
import { formatTier, itemName, kindName } from './price-names.ts';
import { usePriceChanges } from './price-queries.ts';
import { SourceList } from './source-list.tsx';

const rowsPerPage = 25;

/** The changes of a newer version. */
export function PriceChanges({ from, to }: { readonly from: string; readonly to: string }) {
  const query = usePriceChanges(from, to);
  return (
    <Loaded query={query} what="the changes">
      {({ items }) =>
        items.length === 0 ? <Empty title="No price has changed since." /> : <ChangeTable items={items} />
      }
    </Loaded>
  );
}

function ChangeTable({ items }: Pick<PriceBookDiff, 'items'>) {
  const [page, setPage] = useState(1);
  const regions = useRegions().data?.items ?? [];
  const models = useModels().data?.items ?? [];
  const nameOf = (item: string) => models.find(({ id }) => id === item)?.name ?? item;
  return (
    <>
      <ListTable
        caption="Changed prices"
        columns={['Price', 'Where', ...['Old', 'New', 'Change'].map(numberColumn), 'Evidence']}
      >
        {items.slice((page - 1) * rowsPerPage, page * rowsPerPage).map((change) => (
          <tr key={[change.service, change.region, change.item, change.kind, change.tier.from].join(' ')}>
            <th scope="row">
              {change.service === 'inference'
                ? nameOf(change.item)
                : `${serviceNames[change.service]}: ${itemName(change.item)}`}
              <span class="hint">
                {kindName(change.kind)} {formatTier(change.tier)}
              </span>
            </th>
            <td data-label="Where">
              <Place place={change.region} regions={regions} />
            </td>
            <td data-label="Old" class="number exact">
              {change.old ?? 'none'}
            </td>
            <td data-label="New" class="number exact">
              {change.new ?? 'none'}
            </td>
            <td data-label="Change" class="number">
              {changeText(change)}
            </td>
            <td data-label="Evidence">
              {change.as_of !== null && <SourceList asOf={change.as_of} sources={change.sources} />}
            </td>
          </tr>
        ))}
      </ListTable>
      <Pager what="changes" page={page} pageSize={rowsPerPage} total={items.length} go={setPage} />
    </>
  );
}

function changeText({ type, percent }: PriceBookDiff['items'][number]): string {
  if (type === 'addition') return 'added';
  if (type === 'removal') return 'removed';
  return percent === null ? 'changed' : `${percent.replace('-', '−')} %`;
}
