import { signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { View } from '../app/view.tsx';
import type { Scenario } from '../client/responses.ts';
import { Amount, Time } from '../components/amount.tsx';
import { Pager } from '../components/pager.tsx';
import { Empty, Loaded } from '../components/states.tsx';
import { ListTable } from '../components/table.tsx';
import { formatNumber } from '../format/amounts.ts';
import { statusNames } from '../format/names.ts';
import { sample } from '../sample/create-sample.ts';
import { TrySample } from '../sample/try-sample.tsx';
import { ChoiceCheckbox } from './choice-checkbox.tsx';
import { ChosenBar } from './chosen-bar.tsx';
import { RegionName } from './region-name.tsx';
import {
  type ScenarioCost,
  type ScenarioFilter,
  scenariosPerPage,
  useCosts,
  useScenarios,
} from './scenario-queries.ts';
import { StatusBadge } from './status-badge.tsx';

/** In ms: so long after the last key, the search runs. */
const searchDelay = 250;

/** Kept while the page is open, so that the way back from a scenario leads to the same list. */
const noFilter: ScenarioFilter = { search: '', status: '', include_archived: false, page: 1 };
const filter = signal(noFilter);

export function showAllScenarios(): void {
  filter.value = noFilter;
}

const change = (changes: Partial<ScenarioFilter>) => {
  filter.value = { ...filter.value, page: 1, ...changes };
};

export function ScenariosView() {
  const query = useScenarios(filter.value);
  const ids = query.data?.items.map(({ id }) => id) ?? [];
  const costs = useCosts(ids);
  const isFiltered = filter.value.search.trim() !== '' || filter.value.status !== '';
  return (
    <View
      title="Scenarios"
      lead="Each is one region and one way of processing log entries."
      actions={
        <a class="button primary" href="#/scenarios/new">
          New scenario
        </a>
      }
    >
      <Filters />
      <Loaded query={query} what="scenarios">
        {({ items, total, page }) =>
          total === 0 || sample.value ? (
            <Empty title={isFiltered ? 'No scenario matches.' : 'No scenarios yet.'}>
              {isFiltered ? (
                <button type="button" onClick={() => change({ search: '', status: '' })}>
                  Show all
                </button>
              ) : (
                <>
                  <p>
                    <a href="#/scenarios/new">Create the first one</a>: it takes a name and a region. Without a log at
                    hand, see what Meterbook makes of a day of generated lines:
                  </p>
                  <TrySample isPrimary />
                </>
              )}
            </Empty>
          ) : (
            <>
              <ScenarioTable items={items} costs={costs.data} unread={costs.isError ? '–' : '…'} />
              <Pager
                what="scenarios"
                page={page}
                pageSize={scenariosPerPage}
                total={total}
                go={(next) => change({ page: next })}
              />
            </>
          )
        }
      </Loaded>
      <ChosenBar shown={query.data?.items ?? []} />
    </View>
  );
}

function Filters() {
  const [search, setSearch] = useState(filter.value.search);
  const searched = useRef(search);
  useEffect(() => {
    if (search === filter.value.search) return undefined;
    const timer = setTimeout(() => {
      searched.current = search;
      change({ search });
    }, searchDelay);
    return () => clearTimeout(timer);
  }, [search]);
  const shown = filter.value.search;
  useEffect(() => {
    // The text of the last search can be older than the typed text.
    if (shown === searched.current) return;
    searched.current = shown;
    setSearch(shown);
  }, [shown]);
  return (
    <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
      <label class="grow">
        <span>Search in names and descriptions</span>
        <input type="search" value={search} maxLength={500} onInput={(event) => setSearch(event.currentTarget.value)} />
      </label>
      <label>
        <span>State</span>
        <select value={filter.value.status} onChange={(event) => change({ status: event.currentTarget.value })}>
          <option value="">Any</option>
          {Object.entries(statusNames).map(([status, name]) => (
            <option key={status} value={status}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={filter.value.include_archived}
          onChange={(event) => change({ include_archived: event.currentTarget.checked })}
        />
        <span>Archived too</span>
      </label>
    </form>
  );
}

interface TableProps {
  readonly items: readonly Scenario[];
  readonly costs: ReadonlyMap<string, ScenarioCost> | undefined;
  /** In place of costs that were not read. */
  readonly unread: string;
}

function ScenarioTable({ items, costs, unread }: TableProps) {
  return (
    <ListTable
      caption="Scenarios"
      columns={[
        'Choose',
        'Name',
        'State',
        'Region',
        { name: 'Entries', isNumber: true },
        { name: 'Cost', isNumber: true },
        'Created',
      ]}
    >
      {items.map(({ id, name, status, region, created_at }) => {
        const cost = costs?.get(id);
        return (
          <tr key={id}>
            <td class="choice">
              <ChoiceCheckbox id={id} name={name} action="Choose" />
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
              <RegionName code={region} />
            </td>
            <td data-label="Entries" class="number">
              {cost ? formatNumber(cost.logs) : unread}
            </td>
            <td data-label="Cost" class="number">
              {cost ? <Amount usd={cost.cost} /> : unread}
              {cost?.incomplete && <span class="hint">partly without a price</span>}
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
