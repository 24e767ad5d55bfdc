import { useInfiniteQuery } from '@tanstack/preact-query';
import { useEffect, useRef } from 'preact/hooks';
import { formatExactUsd, formatNumber } from '../../shared/amounts.ts';
import { read } from '../client/api.ts';
import type { Explanation } from '../client/responses.ts';
import { Empty, Loaded } from '../components/states.tsx';
import { ListTable, numberColumn } from '../components/table.tsx';
import { estimatedNote, lineStatusNames, serviceNames } from '../format/names.ts';
import { inPageWords } from '../format/page-words.ts';
import { placeName } from '../prices/price-names.ts';
import { scenariosPath, useRegions } from '../scenarios/scenario-queries.ts';
import type { PartProps } from './part-props.ts';

type MonthOfExplanation = Explanation['months'][number];
type Line = MonthOfExplanation['lines'][number];

/** Where each amount comes from: quantity, rule, price and the source of the price. */
export function ExplanationPart({ scenario, bounds, version }: PartProps) {
  const query = useInfiniteQuery({
    queryKey: ['scenario', scenario.id, 'explanation', bounds],
    initialPageParam: '',
    queryFn: ({ signal, pageParam: cursor }) =>
      read<Explanation>(`${scenariosPath}/${scenario.id}/metrics/explain`, { ...bounds, cursor, limit: 12 }, signal),
    getNextPageParam: ({ next }) => next,
  });
  const { refetch } = query;
  const shownVersion = useRef(version);
  // The months that are shown stay shown, with their new amounts.
  useEffect(() => {
    if (shownVersion.current !== version) void refetch();
    shownVersion.current = version;
  }, [version, refetch]);
  return (
    <section>
      <h2>Why it costs this much</h2>
      <Loaded query={query} what="the explanation">
        {({ pages }) => {
          const [first] = pages;
          const months = pages.flatMap((page) => page.months);
          const hasEstimates = months.some(({ lines }) => lines.some(({ status }) => status === 'estimated'));
          if (!first || months.length === 0) return <Empty title="No entries in this period, so nothing to explain." />;
          return (
            <>
              <p class="hint">
                <a href={`#/prices/${first.price_book.version}`}>Prices of {first.price_book.as_of}</a>, version{' '}
                {first.price_book.version}. Free amounts, and prices that change with the quantity (tiers), apply to
                each month in UTC. {hasEstimates && estimatedNote}
              </p>
              {months.map((month) => (
                <Month key={month.month} month={month} />
              ))}
              {query.hasNextPage && (
                <button
                  type="button"
                  aria-disabled={query.isFetchingNextPage}
                  onClick={() => void query.fetchNextPage()}
                >
                  Show more months
                </button>
              )}
              <p class="big-line">
                All months together <span class="exact">{formatExactUsd(first.totals.cost)}</span>
                <span class="hint">the same as the total above, to the last digit</span>
              </p>
            </>
          );
        }}
      </Loaded>
    </section>
  );
}

function Month({ month: { month, lines } }: { readonly month: MonthOfExplanation }) {
  return (
    <ListTable
      class="explanation"
      caption={month}
      hasShownCaption
      columns={['For', ...['Quantity', 'Unit price (USD)', 'Amount'].map(numberColumn), 'Rule and source']}
    >
      {lines.map((line, index) => (
        <ExplainedLine key={index} line={line} />
      ))}
    </ListTable>
  );
}

function ExplainedLine({ line }: { readonly line: Line }) {
  const { service, item, of, unit, quantity, free, tier, unit_price: price, amount, status, rule } = line;
  const regions = useRegions().data?.items ?? [];
  return (
    <tr>
      <th scope="row">
        {serviceNames[service]}: {item.replaceAll('_', ' ')}
        <span class="hint">{of}</span>
      </th>
      <td data-label="Quantity" class="number">
        {formatNumber(quantity, 12)} {unit}s{free && <span class="hint">free tier</span>}
        {tier && (tier.from !== '0' || tier.to !== null) && (
          <span class="hint">
            tier {tier.to === null ? `above ${formatNumber(tier.from)}` : `up to ${formatNumber(tier.to)}`}
          </span>
        )}
      </td>
      <td data-label="Unit price" class="number exact">
        {price ?? 'no price'}
      </td>
      <td data-label="Amount" class="number exact">
        {formatExactUsd(amount)}
        {amount !== null && lineStatusNames[status] && <span class="hint">{lineStatusNames[status]}</span>}
      </td>
      <td data-label="Rule and source">
        {inPageWords(rule)}
        {line.price_source && (
          <details>
            <summary>
              Price of {placeName(line.price_source.region, regions)}, {line.price_source.as_of}
            </summary>
            <ul>
              {line.price_source.sources.map(({ title, publisher, version }) => (
                <li key={title}>
                  {publisher}: {title}, {version}
                </li>
              ))}
            </ul>
          </details>
        )}
      </td>
    </tr>
  );
}
