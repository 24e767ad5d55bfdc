import type { PriceBook } from '../client/responses.ts';
import { serviceNames } from '../format/names.ts';
import { itemName } from './price-names.ts';

type Price = PriceBook['prices'][number];

export const certainties = ['ok', 'estimated', 'unverified'] as const;

/** The prices of one thing in one place that have the same evidence. */
export interface PriceRow {
  readonly key: string;
  readonly service: Price['service'];
  readonly item: string;
  /** The name of a model, or that of the item. */
  readonly name: string;
  /** A Region code, `geo` or `global`. */
  readonly place: string;
  /** Empty for an unverified price. */
  readonly prices: readonly Price[];
  readonly status: (typeof certainties)[number];
}

export interface PriceFilter {
  /** Words that names and ids contain. */
  readonly search: string;
  /** A Region code; empty for all. */
  readonly region: string;
  /** Empty for all. */
  readonly status: string;
}

/** A filter of the address, without a Region and an evidence that are no choices. */
export const knownFilter = ({ regions }: Pick<PriceBook, 'regions'>, filter: PriceFilter): PriceFilter => ({
  ...filter,
  region: regions.some(({ code }) => code === filter.region) ? filter.region : '',
  status: certainties.some((status) => status === filter.status) ? filter.status : '',
});

/** The rows of a book, in its order. Queue prices without a source come after those with one. */
export function priceRows(book: PriceBook): PriceRow[] {
  const names = new Map(book.models.map(({ id, name }) => [id, name]));
  const groups = new Map<string, Price[]>();
  for (const price of book.prices) {
    const { service, item, region, as_of: asOf, effective_from: from, sources, status } = price;
    const key = [service, item, region, asOf, from, sources.join(), status].join(' ');
    groups.set(key, [...(groups.get(key) ?? []), price]);
  }
  const rows = [...groups].flatMap(([key, prices]): PriceRow[] => {
    const [first] = prices;
    if (!first) return [];
    const { service, item, region: place, status } = first;
    return [{ key, service, item, name: names.get(item) ?? itemName(item), place, prices, status }];
  });
  const isQueue = ({ service }: PriceRow) => service === 'queue';
  return [...rows.filter(isQueue), ...unverifiedRows(book, rows), ...rows.filter((row) => !isQueue(row))];
}

function unverifiedRows({ regions }: PriceBook, rows: readonly PriceRow[]): PriceRow[] {
  const priced = new Set(
    rows.filter(({ service }) => service === 'queue').map(({ item, place }) => `${item} ${place}`),
  );
  return regions.flatMap(({ code }) =>
    ['standard', 'fifo']
      .filter((item) => !priced.has(`${item} ${code}`))
      .map((item) => ({
        key: `queue ${item} ${code}`,
        service: 'queue',
        item,
        name: itemName(item),
        place: code,
        prices: [],
        status: 'unverified',
      })),
  );
}

/** The rows of a filter. The rows of a Region are the prices that apply there. */
export function filterRows(book: PriceBook, rows: readonly PriceRow[], filter: PriceFilter): PriceRow[] {
  const words = filter.search.toLowerCase().split(/\s+/).filter(Boolean);
  const isCommercial = book.regions.some(({ code, partition }) => code === filter.region && partition === 'aws');
  const own = new Set(rows.filter(({ place }) => place === filter.region).map(({ item }) => item));
  const applies = ({ item, place }: PriceRow) =>
    filter.region === '' ||
    place === filter.region ||
    (isCommercial && (place === 'global' || (place === 'geo' && !own.has(item))));
  return rows.filter((row) => {
    const text = `${serviceNames[row.service]} ${row.name} ${row.item} ${row.place}`.toLowerCase();
    return (
      applies(row) &&
      (filter.status === '' || row.status === filter.status) &&
      words.every((word) => text.includes(word))
    );
  });
}
