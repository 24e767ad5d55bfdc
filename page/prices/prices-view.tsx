import { useLocation } from 'wouter-preact';
import { View } from '../app/view.tsx';
import type { PriceBookList } from '../client/responses.ts';
import { Loaded } from '../components/states.tsx';
import { PriceChanges } from './price-changes.tsx';
import { useVersions } from './price-queries.ts';
import { PriceTable } from './price-table.tsx';

/** A version of the price book; the newest one if none is named. */
export function PricesView({ version }: { readonly version: string | undefined }) {
  const query = useVersions();
  return (
    <View
      title="Prices"
      lead="A price book has all prices that costs are calculated with, each with its date and its sources. Older versions stay, so that old costs can be explained."
    >
      <Loaded query={query} what="the versions of the price book">
        {({ items }) => <Version items={items} chosen={version} />}
      </Loaded>
    </View>
  );
}

interface VersionProps extends Pick<PriceBookList, 'items'> {
  readonly chosen: string | undefined;
}

function Version({ items, chosen }: VersionProps) {
  const [, go] = useLocation();
  const newest = items[0]?.version ?? '';
  const version = chosen ?? newest;
  // A link can name a version that is older than those of the list.
  const versions = items.some((item) => item.version === version) ? items : [...items, { version }];
  return (
    <>
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        <label>
          <span>Version of the price book</span>
          <select value={version} onChange={(event) => go(`/prices/${event.currentTarget.value}`)}>
            {versions.map((item) => (
              <option key={item.version} value={item.version}>
                {item.version === newest ? `${item.version}, the newest` : item.version}
              </option>
            ))}
          </select>
        </label>
      </form>
      {version !== newest && (
        <section>
          <h2>Changes since this version</h2>
          <PriceChanges key={version} from={version} to={newest} />
        </section>
      )}
      <section>
        <h2>Prices</h2>
        <PriceTable key={version} version={version} />
      </section>
    </>
  );
}
