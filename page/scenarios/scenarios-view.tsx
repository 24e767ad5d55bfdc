import { formatNumber } from '../../shared/amounts.ts';
import { changeFilter, filterOf, pageOf } from '../app/address.ts';
import { View } from '../app/view.tsx';
import type { Scenario } from '../client/responses.ts';
import { Amount, Time } from '../components/amount.tsx';
import { Pager } from '../components/pager.tsx';
import { useSettled } from '../components/settled.ts';
import { Empty, Loaded } from '../components/states.tsx';
import { ListTable, numberColumn } from '../components/table.tsx';
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
import { maxSearchLength, ScenarioSearch } from './scenario-search.tsx';
import { StatusBadge } from './status-badge.tsx';

const noFilter = { search: '', status: '', include_archived: 'false', page: '1' };

/** The filter of the address. Malformed values are not read. */
function presentFilter(): ScenarioFilter {
  const { search, status, include_archived, page } = filterOf(noFilter);
  return {
    search: search.slice(0, maxSearchLength),
    status: Object.hasOwn(statusNames, status) ? status : '',
    include_archived: include_archived === 'true',
    page: pageOf(page),
  };
}

const change = (changes: Partial<typeof noFilter>) => changeFilter(noFilter, { page: '1', ...changes });

export function ScenariosView() {
  const filter = presentFilter();
  const query = useScenarios({ ...filter, search: useSettled(filter.search) });
  const ids = query.data?.items.map(({ id }) => id) ?? [];
  const costs = useCosts(ids);
  const isFiltered = filter.search.trim() !== '' || filter.status !== '';
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
      <Filters filter={filter} />
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
                go={(next) => change({ page: String(next) })}
              />
            </>
          )
        }
      </Loaded>
      <ChosenBar shown={query.data?.items ?? []} />
    </View>
  );
}

function Filters({ filter }: { readonly filter: ScenarioFilter }) {
  return (
    <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
      <ScenarioSearch value={filter.search} change={(search) => change({ search })} />
      <label>
        <span>State</span>
        <select value={filter.status} onChange={(event) => change({ status: event.currentTarget.value })}>
          <option value="">Any</option>
          {Object.entries(statusNames).map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={filter.include_archived}
          onChange={(event) => change({ include_archived: String(event.currentTarget.checked) })}
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
      columns={['Choose', 'Name', 'State', 'Region', numberColumn('Entries'), numberColumn('Cost'), 'Created']}
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
