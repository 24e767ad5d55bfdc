import type { LiveMetrics } from '../client/responses.ts';
import { Loaded, Loading } from '../components/states.tsx';
import { PriceChanges } from '../prices/price-changes.tsx';
import { useVersions } from '../prices/price-queries.ts';
import { PriceTable } from '../prices/price-table.tsx';
import type { PartProps } from './part-props.ts';

type UsedBook = LiveMetrics['price_book'];

/** The prices of a scenario, and what newer ones would change. */
export function PricesPart({ scenario, metrics }: PartProps) {
  const query = useVersions();
  const used = metrics?.price_book;
  if (!used) return <Loading what="the prices" />;
  return (
    <>
      <section>
        <h2>Today’s prices</h2>
        <Loaded query={query} what="the versions of the price book">
          {({ items: [newest] }) =>
            newest === undefined || newest.version === used.version ? (
              <p>The scenario has the newest prices, of {used.as_of}.</p>
            ) : (
              <NewerPrices key={newest.version} {...{ used, newest }} />
            )
          }
        </Loaded>
      </section>
      <section>
        <h2>Prices of this scenario</h2>
        <p class="hint">
          Version <a href={`#/prices/${used.version}`}>{used.version}</a> of the price book, the list of all prices.
        </p>
        <PriceTable key={used.version} version={used.version} region={scenario.region} />
      </section>
    </>
  );
}

interface NewerPricesProps {
  readonly used: UsedBook;
  readonly newest: UsedBook;
}

function NewerPrices({ used, newest }: NewerPricesProps) {
  return (
    <>
      <p>
        The scenario has the prices of {used.as_of}. There are newer ones, of {newest.as_of}; they do not change its
        costs.
      </p>
      <h3>Changed prices</h3>
      <PriceChanges from={used.version} to={newest.version} />
    </>
  );
}
