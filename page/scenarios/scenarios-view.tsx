import { useState } from 'preact/hooks';
import { formatNumber } from '../../shared/amounts.ts';
import { addressQuery, changeQuery, clearQuery } from '../app/address.ts';
import { View } from '../app/view.tsx';
import { write } from '../client/api.ts';
import type { Scenario } from '../client/responses.ts';
import { Amount, Time } from '../components/amount.tsx';
import { announce } from '../components/announcer.tsx';
import { Question } from '../components/dialog.tsx';
import { Select } from '../components/form.tsx';
import { Menu } from '../components/menu.tsx';
import { Pager } from '../components/pager.tsx';
import { useSettled } from '../components/settled.ts';
import { Empty, Loaded, sentenceOf } from '../components/states.tsx';
import { ListTable, numberColumn } from '../components/table.tsx';
import { incompleteNote, statusNames } from '../format/names.ts';
import { TrySample } from '../sample/try-sample.tsx';
import {
  refreshScenarios,
  type ScenarioCost,
  type ScenarioFilter,
  scenariosPath,
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
const change = (changes: { search?: string | undefined; status?: string; include_archived?: string; page?: string }) =>
  changeQuery({ page: undefined, ...changes });

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
      <SelectedBar ids={[...selected]} clear={() => setSelected(new Set())} />
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
          onInput={(event) => change({ search: event.currentTarget.value || undefined })}
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

const changesOfSeveral = [
  { name: 'Stop', method: 'POST', path: '/stop', consequence: 'They take no more entries, for good.' },
  { name: 'Archive', method: 'POST', path: '/archive', consequence: 'They stay readable, and cannot be changed.' },
  { name: 'Delete', method: 'DELETE', path: '', consequence: 'Their entries, usage and reports are deleted, too.' },
] as const;

interface SelectedBarProps {
  /** The ids of the selected scenarios. */
  readonly ids: readonly string[];
  readonly clear: () => void;
}

/** Compares or changes the selected scenarios. */
function SelectedBar({ ids, clear }: SelectedBarProps) {
  if (ids.length === 0) return null;

  async function changeAll({ name, method, path }: (typeof changesOfSeveral)[number]): Promise<void> {
    const errors: unknown[] = [];
    for (const id of ids) await write(method, `${scenariosPath}/${id}${path}`).catch((error) => errors.push(error));
    await refreshScenarios();
    announce(`${name}: ${ids.length - errors.length} of ${ids.length} scenarios.`);
    if (errors.length > 0) throw new Error(`${errors.length} of ${ids.length} are unchanged. ${sentenceOf(errors[0])}`);
    // Once the question is closed.
    setTimeout(clear);
  }

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
      <Menu
        of="the selected scenarios"
        items={changesOfSeveral.map((change) => ({
          name: change.name,
          dialog: (close) => (
            <Question
              title={`${change.name} the selected scenarios?`}
              action={change.name}
              act={() => changeAll(change)}
              close={close}
            >
              <p>{change.consequence}</p>
            </Question>
          ),
        }))}
      />
    </section>
  );
}
