import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { formatNumber } from '../../shared/amounts.ts';
import { View } from '../app/view.tsx';
import { ApiError } from '../client/api-error.ts';
import type { Comparison } from '../client/responses.ts';
import { Amount } from '../components/amount.tsx';
import { ErrorNote, Loaded, MarkOld } from '../components/states.tsx';
import { ListTable, numberColumn } from '../components/table.tsx';
import { costStatusNames, incompleteNote, serviceNames } from '../format/names.ts';
import { formatSpan } from '../format/times.ts';
import { CostBar, ServiceLegend } from '../scenario/charts/bar.tsx';
import { readComparison, useRegions } from '../scenarios/scenario-queries.ts';
import { differenceText } from './difference-text.ts';

const services = ['queue', 'function', 'inference'] as const;

/** The costs of two to ten scenarios side by side. */
export function CompareView({ ids }: { readonly ids: readonly string[] }) {
  const query = useQuery({
    queryKey: ['costs', 'comparison', ids],
    placeholderData: keepPreviousData,
    enabled: ids.length > 1,
    queryFn: ({ signal }) => readComparison(ids, signal),
  });
  const isMissing = query.error instanceof ApiError && query.error.status === 404;
  if (ids.length < 2 || isMissing) {
    return (
      <View title="Compare">
        {isMissing && <ErrorNote error={query.error} />}
        <p>
          Select two to ten scenarios in <a href="#/scenarios">the list</a> to see their costs side by side.
        </p>
      </View>
    );
  }
  return (
    <View title="Compare" lead="The costs of all entries of each scenario. Differences are those from the first one.">
      <Loaded query={query} what="the comparison">
        {(comparison) => (
          <MarkOld isOld={query.isPlaceholderData} class="card">
            <ServiceLegend names={serviceNames} />
            <ComparisonTable comparison={comparison} ids={ids} />
            <p class="hint">
              Prices of {comparison.price_book.as_of}, version {comparison.price_book.version}. An amount that is known
              only in part is never the cheapest.
            </p>
          </MarkOld>
        )}
      </Loaded>
    </View>
  );
}

interface ComparisonTableProps {
  readonly comparison: Comparison;
  readonly ids: readonly string[];
}

function ComparisonTable({ comparison: { items, cheapest, compared_by: basis }, ids }: ComparisonTableProps) {
  const regions = useRegions().data?.items ?? [];
  const isPerThousand = basis === 'cost_per_1000_entries';
  const compared = (item: Comparison['items'][number]) => (isPerThousand ? item.cost_per_1000_entries : item.cost);
  const scale = Math.max(...items.map((item) => Number(compared(item)?.total ?? 0)));
  const costName = isPerThousand ? 'Cost of 1,000 entries' : 'Cost';
  return (
    <ListTable
      caption={`Costs of ${items.length} scenarios side by side`}
      columns={[
        'Scenario',
        numberColumn('Entries'),
        costName,
        ...services.map((service) => numberColumn(serviceNames[service])),
        ...(isPerThousand ? [numberColumn('All entries')] : []),
        { name: 'Remove', isUnnamed: true },
      ]}
    >
      {items.map((item, index) => {
        const { id, name, region, period, logs, cost, status, incomplete, difference } = item;
        const others = ids.filter((other) => other.toLowerCase() !== id);
        return (
          <tr key={id}>
            <th scope="row">
              <a href={`#/scenarios/${id}`}>
                <bdi>{name}</bdi>
              </a>
              <span class="hint">
                {regions.find(({ code }) => code === region)?.name ?? region}
                {period.from !== null && period.to !== null && `, ${formatSpan(period.from, period.to)}`}
              </span>
            </th>
            <td data-label="Entries" class="number">
              {formatNumber(logs)}
            </td>
            <td data-label={costName} class="share">
              {compared(item) && <CostBar cost={compared(item) ?? cost} scale={scale} />}
              <b>
                <Amount usd={compared(item)?.total ?? null} />
              </b>{' '}
              {cheapest.total.includes(id) && <span class="badge good">cheapest</span>}
              {incomplete || costStatusNames[status] ? (
                <span class="hint">{incomplete ? incompleteNote : costStatusNames[status]}</span>
              ) : null}
              {index > 0 && <span class="hint">{differenceText(difference.total)}</span>}
            </td>
            {services.map((service) => (
              <td key={service} data-label={serviceNames[service]} class="number">
                <Amount usd={compared(item)?.[service] ?? null} />
              </td>
            ))}
            {isPerThousand && (
              <td data-label="All entries" class="number">
                <Amount usd={cost.total} />
              </td>
            )}
            <td>
              <a class="button quiet" href={`#/compare/${others.join(',')}`} aria-label={`Remove ${name}`}>
                ✕
              </a>
            </td>
          </tr>
        );
      })}
    </ListTable>
  );
}
