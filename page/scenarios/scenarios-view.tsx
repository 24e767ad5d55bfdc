import { useState } from 'preact/hooks';
import { formatNumber } from '../../shared/amounts.ts';
import { addressQuery, changeQuery, clearQuery } from '../app/address.ts';
import { View } from '../app/view.tsx';
import type { Scenario } from '../client/responses.ts';
import { Amount, Time } from '../components/amount.tsx';
import { Select } from '../components/form.tsx';
import { Pager } from '../components/pager.tsx';
import { useSettled } from '../components/settled.ts';
import { Empty, Loaded } from '../components/states.tsx';
import { ListTable, numberColumn } from '../components/table.tsx';
import { incompleteNote, statusNames } from '../format/names.ts';
import { TrySample } from '../sample/try-sample.tsx';
import {
  type ScenarioCost,
  type ScenarioFilter,
  scenariosPerPage,
  useCosts,
  useRegions,
  useScenarios,
} from './scenario-queries.ts';
import { StatusBadge } from './status-badge.tsx';

/** In characters, as the API allows. */
const maxSearchLength = 500;

/** The filter of the address. Malformed values are not read. */
function presentFilter(): ScenarioFilter {
  const query = addressQuery();
  const status = query.get('status') ?? '';
  return {
    search: (query.get('search') ?? '').slice(0, maxSearchLength),
    status: Object.hasOwn(statusNames, status) ? status : '',
    include_archived: query.get('include_archived') === 'true',
    page: Number(/^[1-9]\d{0,5}$/.exec(query.get('page') ?? '') ?? 1),
  };
}

/** Changes the filter in the address; another filter begins at its first page. */
const change = ({
  search,
  ...changes
}: {
  search?: string;
  status?: string;
  include_archived?: string;
  page?: string;
}) => changeQuery({ page: undefined, ...changes, ...(search === undefined ? {} : { search: search || undefined }) });

export function ScenariosView() {
  const filter = presentFilter();
  const query = useScenarios({ ...filter, search: useSettled(filter.search) });
  const ids = query.data?.items.map(({ id }) => id) ?? [];
  const costs = useCosts(ids);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const isFiltered = filter.search.trim() !== '' || filter.status !== '';
  return (
    <View
      title="Scenarios"
      actions={
        <a class="button primary" href="#/scenarios/new">
          New scenario
        </a>
      }
    >
      <Filters filter={filter} />
      <Loaded query={query} what="scenarios">
        {({ items, total, page }) =>
          total === 0 ? (
            <Empty title={isFiltered ? 'No scenario matches.' : 'No scenarios yet.'}>
              {isFiltered ? (
                <button type="button" onClick={clearQuery}>
                  Show all
                </button>
              ) : (
                <>
                  <p>
                    <a href="#/scenarios/new">Create the first one</a>: it takes a name and a region. Without a log at
                    hand, see what Meterbook makes of a day of generated lines:
                  </p>
                  <TrySample />
                </>
              )}
            </Empty>
          ) : (
            <>
              <ScenarioTable
                {...{ items, selected, setSelected }}
                costs={costs.data}
                unread={costs.isError ? '–' : '…'}
              />
              <Pager
                what="scenarios"
                page={page}
                pageSize={scenariosPerPage}
                total={total}
                go={(next) => change({ page: String(next) })}
              />
            </>
          )
        }
      </Loaded>
      <CompareBar ids={[...selected]} clear={() => setSelected(new Set())} />
    </View>
  );
}

const statusChoices = [
  { value: '', text: 'Any' },
  ...Object.entries(statusNames).map(([value, text]) => ({ value, text })),
];

function Filters({ filter }: { readonly filter: ScenarioFilter }) {
  return (
    <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
      <label class="grow">
        <span>Search in names and descriptions</span>
        <input
          type="search"
          value={filter.search}
          maxLength={maxSearchLength}
          onInput={(event) => change({ search: event.currentTarget.value })}
        />
      </label>
      <label>
        <span>State</span>
        <Select choices={statusChoices} value={filter.status} choose={(status) => change({ status })} />
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={filter.include_archived}
          onChange={(event) => change({ include_archived: String(event.currentTarget.checked) })}
        />
        <span>Include archived</span>
      </label>
    </form>
  );
}

interface TableProps {
  readonly items: readonly Scenario[];
  readonly costs: ReadonlyMap<string, ScenarioCost> | undefined;
  /** In place of costs that were not read. */
  readonly unread: string;
  /** Ids. */
  readonly selected: ReadonlySet<string>;
  readonly setSelected: (selected: ReadonlySet<string>) => void;
}

function ScenarioTable({ items, costs, unread, selected, setSelected }: TableProps) {
  const regions = useRegions().data?.items ?? [];
  const select = (id: string, isSelected: boolean) =>
    setSelected(new Set([...selected, id].filter((one) => one !== id || isSelected)));
  return (
    <ListTable
      caption="Scenarios"
      columns={[
        { name: 'Select', isUnnamed: true },
        'Name',
        'State',
        'Region',
        numberColumn('Entries'),
        numberColumn('Cost'),
        'Created',
      ]}
    >
      {items.map(({ id, name, status, region, created_at }) => {
        const cost = costs?.get(id);
        return (
          <tr key={id}>
            <td class="choice">
              <input
                type="checkbox"
                aria-label={`Select ${name}`}
                checked={selected.has(id)}
                onChange={(event) => select(id, event.currentTarget.checked)}
              />
            </td>
            <th scope="row">
              <a href={`#/scenarios/${id}`}>
                <bdi>{name}</bdi>
              </a>
            </th>
            <td data-label="State">
              <StatusBadge status={status} />
            </td>
            <td data-label="Region" title={region}>
              {regions.find(({ code }) => code === region)?.name ?? region}
            </td>
            <td data-label="Entries" class="number">
              {cost ? formatNumber(cost.logs) : unread}
            </td>
            <td data-label="Cost" class="number">
              {cost ? <Amount usd={cost.cost} /> : unread}
              {cost?.incomplete && <span class="hint">{incompleteNote}</span>}
            </td>
            <td data-label="Created">
              <Time iso={created_at} />
            </td>
          </tr>
        );
      })}
    </ListTable>
  );
}

/** The comparison of the API takes so many. */
const maxCompared = 10;

interface CompareBarProps {
  /** The ids of the selected scenarios. */
  readonly ids: readonly string[];
  readonly clear: () => void;
}

/** Leads from the selected scenarios to their comparison. */
function CompareBar({ ids, clear }: CompareBarProps) {
  if (ids.length === 0) return null;
  return (
    <section class="compare-bar" aria-label="Selected scenarios">
      <span role="status">{ids.length} selected</span>
      {ids.length > 1 && ids.length <= maxCompared ? (
        <a class="button primary" href={`#/compare/${ids.join(',')}`}>
          Compare
        </a>
      ) : (
        <span class="hint">Two to {maxCompared} can be compared.</span>
      )}
      <button type="button" class="quiet" onClick={clear}>
        Select none
      </button>
    </section>
  );
}
