import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { useEffect } from 'preact/hooks';
import { View } from '../app/view.tsx';
import { ApiError } from '../client/api-error.ts';
import type { Comparison } from '../client/responses.ts';
import { ErrorNote, Loaded, MarkOld } from '../components/states.tsx';
import { choose, chosen } from '../scenarios/chosen-scenarios.ts';
import { readComparison } from '../scenarios/scenario-queries.ts';
import { ComparisonTable } from './comparison-table.tsx';
import { CostBars } from './cost-bars.tsx';
import { ScenarioPicker } from './scenario-picker.tsx';

const title = 'Compare';

/** The costs of two to ten scenarios side by side; with fewer, a choice of them. */
export function CompareView({ ids }: { readonly ids: readonly string[] }) {
  if (ids.length > 1) return <Compared ids={ids} />;
  return (
    <View title={title} lead="Choose two to ten scenarios to see their costs side by side.">
      <ScenarioPicker compared={ids} />
    </View>
  );
}

function Compared({ ids }: { readonly ids: readonly string[] }) {
  const query = useQuery({
    queryKey: ['costs', 'comparison', ids],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => readComparison(ids, signal),
  });
  const shown = query.isPlaceholderData ? undefined : query.data;
  // The choice in the lists is that of the comparison, so it can be changed there.
  useEffect(() => {
    if (shown) chosen.value = new Map(shown.items.map(({ id, name }) => [id, name]));
  }, [shown]);
  if (query.error && (!shown || isMissing(query.error)))
    return <Failed ids={ids} error={query.error} retry={() => void query.refetch()} />;
  return (
    <View title={title} lead="The costs of all entries of each scenario. Differences are those from the first one.">
      <Loaded query={query} what="the comparison">
        {(comparison) => (
          <MarkOld isOld={query.isPlaceholderData}>
            <Bars comparison={comparison} />
            <ComparisonTable comparison={comparison} addressWithout={(id) => addressOf(without(ids, id))} />
            <Prices comparison={comparison} />
          </MarkOld>
        )}
      </Loaded>
      <details class="card">
        <summary>Add or remove scenarios</summary>
        <ScenarioPicker compared={ids} />
      </details>
    </View>
  );
}

function Bars({ comparison: { items, cheapest } }: { readonly comparison: Comparison }) {
  const [first] = items;
  return (
    <section class="card">
      <h2>As bars</h2>
      <CostBars
        what="scenarios"
        cheapest={cheapest}
        items={items.map((item) => ({ ...item, key: item.id, difference: item === first ? null : item.difference }))}
      />
    </section>
  );
}

function Prices({ comparison: { price_book: book, compared_by: basis } }: { readonly comparison: Comparison }) {
  return (
    <p class="hint">
      <a href={`#/prices/${book.version}`}>Prices of {book.as_of}</a>, version {book.version}. An amount that is known
      only in part is never the cheapest.
      {basis === 'cost_per_1000_entries' &&
        ' The scenarios have different numbers of entries: differences, and the cheapest, are those of 1,000 entries.'}
    </p>
  );
}

interface FailedProps {
  readonly ids: readonly string[];
  readonly error: unknown;
  readonly retry: () => void;
}

/** A scenario that was deleted is named by the API's sentence; the others can still be compared. */
function Failed({ ids, error, retry }: FailedProps) {
  const missing = isMissing(error) ? ids.filter((id) => error.message.includes(id.toLowerCase())) : [];
  const others = ids.filter((id) => !missing.includes(id));
  useEffect(() => {
    for (const id of missing) choose(id, '', false);
  }, [error]);
  return (
    <View title={title}>
      <ErrorNote error={error} {...(isMissing(error) ? {} : { retry })} />
      <div class="buttons">
        {missing.length > 0 && others.length > 1 && (
          <a class="button primary" href={addressOf(others)}>
            Compare the other {others.length}
          </a>
        )}
        <a class="button" href={addressOf([])}>
          Choose scenarios
        </a>
      </div>
    </View>
  );
}

const isMissing = (error: unknown): error is ApiError => error instanceof ApiError && error.status === 404;

const without = (ids: readonly string[], id: string) => ids.filter((other) => other.toLowerCase() !== id);

const addressOf = (ids: readonly string[]) => `#/compare${ids.length > 0 ? `/${ids.join(',')}` : ''}`;
