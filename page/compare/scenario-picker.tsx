import { useState } from 'preact/hooks';
import { Pager } from '../components/pager.tsx';
import { useSettled } from '../components/settled.ts';
import { Empty, Loaded } from '../components/states.tsx';
import { ListTable } from '../components/table.tsx';
import { ChoiceCheckbox } from '../scenarios/choice-checkbox.tsx';
import { choose, chosen, maxCompared } from '../scenarios/chosen-scenarios.ts';
import { RegionName } from '../scenarios/region-name.tsx';
import { scenariosPerPage, useScenarios } from '../scenarios/scenario-queries.ts';
import { ScenarioSearch } from '../scenarios/scenario-search.tsx';
import { StatusBadge } from '../scenarios/status-badge.tsx';

/** Chooses scenarios for a comparison, among all of them. */
export function ScenarioPicker({ compared }: { readonly compared: readonly string[] }) {
  const [filter, setFilter] = useState({ search: '', page: 1 });
  const query = useScenarios({ ...useSettled(filter), status: '', include_archived: false });
  return (
    <>
      <form class="filters picker-search" role="search" onSubmit={(event) => event.preventDefault()}>
        <ScenarioSearch value={filter.search} change={(search) => setFilter({ search, page: 1 })} />
      </form>
      <Loaded query={query} what="scenarios">
        {({ items, total, page }) =>
          total === 0 ? (
            <Empty title={filter.search.trim() === '' ? 'No scenarios yet.' : 'No scenario matches.'}>
              {filter.search.trim() === '' && (
                <p>
                  <a href="#/scenarios/new">Create the first one</a>: it takes a name and a region.
                </p>
              )}
            </Empty>
          ) : (
            <>
              <ListTable caption="Scenarios to compare" columns={['Compare', 'Name', 'State', 'Region']}>
                {items.map(({ id, name, status, region }) => (
                  <tr key={id}>
                    <td class="choice">
                      <ChoiceCheckbox id={id} name={name} action="Compare" max={maxCompared} />
                    </td>
                    <th scope="row">
                      <bdi>{name}</bdi>
                    </th>
                    <td data-label="State">
                      <StatusBadge status={status} />
                    </td>
                    <td data-label="Region">
                      <RegionName code={region} />
                    </td>
                  </tr>
                ))}
              </ListTable>
              <Pager
                what="scenarios"
                page={page}
                pageSize={scenariosPerPage}
                total={total}
                go={(next) => setFilter({ ...filter, page: next })}
              />
            </>
          )
        }
      </Loaded>
      <Choice compared={compared} />
    </>
  );
}

/**
 * Shows the chosen scenarios, also those on other pages of the list, and links to the comparison.
 */
function Choice({ compared }: { readonly compared: readonly string[] }) {
  const entries = [...chosen.value];
  const ids = entries.map(([id]) => id);
  const isShown = ids.join() === compared.join().toLowerCase();
  return (
    <>
      <p role="status">
        {ids.length} of at most {maxCompared} chosen.{ids.length < 2 && ' A comparison takes at least two.'}
        {ids.length > maxCompared && ` Remove ${ids.length - maxCompared} to compare the others.`}
      </p>
      {entries.length > 0 && (
        <ul class="chips" aria-label="Chosen scenarios">
          {entries.map(([id, name]) => (
            <li key={id}>
              <bdi>{name}</bdi>
              <button type="button" class="quiet" aria-label={`Remove ${name}`} onClick={() => choose(id, name, false)}>
                ✕
              </button>
            </li>
          ))}
        </ul>
      )}
      {ids.length > 1 && ids.length <= maxCompared && !isShown && (
        <div class="buttons">
          <a class="button primary" href={`#/compare/${ids.join(',')}`}>
            Compare {ids.length} scenarios
          </a>
        </div>
      )}
    </>
  );
}
