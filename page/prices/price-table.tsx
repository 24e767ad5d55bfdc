import { useId, useMemo, useState } from 'preact/hooks';
import { changeFilter, filterOf } from '../app/address.ts';
import type { PriceBook } from '../client/responses.ts';
import { Pager } from '../components/pager.tsx';
import { Empty, Loaded } from '../components/states.tsx';
import { ListTable } from '../components/table.tsx';
import { serviceNames } from '../format/names.ts';
import { Place } from './place.tsx';
import { formatTier, kindName } from './price-names.ts';
import { usePriceBook } from './price-queries.ts';
import { certainties, filterRows, knownFilter, type PriceFilter, type PriceRow, priceRows } from './price-rows.ts';
import { SourceList } from './source-list.tsx';

const rowsPerPage = 25;
/** In the address, `region` is one of a what-if. */
const noFilter = { price: '', place: '', evidence: '' };

interface PriceTableProps {
  readonly version: string;
  /** The Region that is chosen first. */
  readonly region?: string;
}

/** The prices of a version, with their sources and dates. */
export function PriceTable({ version, region = '' }: PriceTableProps) {
  const query = usePriceBook(version);
  const initial = { ...noFilter, place: region };
  const { price, place, evidence } = filterOf(initial);
  const change = (changes: Partial<typeof initial>) => changeFilter(initial, changes);
  return (
    <Loaded query={query} what="the prices">
      {(book) => {
        const filter = knownFilter(book, { search: price, region: place, status: evidence });
        return (
          <>
            <Filters book={book} filter={filter} change={change} />
            <Rows key={JSON.stringify(filter)} book={book} filter={filter} showAll={() => change(noFilter)} />
          </>
        );
      }}
    </Loaded>
  );
}

interface FiltersProps {
  readonly book: PriceBook;
  readonly filter: PriceFilter;
  readonly change: (changes: Partial<typeof noFilter>) => void;
}

function Filters({ book, filter, change }: FiltersProps) {
  const models = useId();
  return (
    <form class="filters" role="search" aria-label="Prices" onSubmit={(event) => event.preventDefault()}>
      <label class="grow">
        <span>Model or service</span>
        <input
          type="search"
          list={models}
          value={filter.search}
          maxLength={200}
          onInput={(event) => change({ price: event.currentTarget.value })}
        />
        <datalist id={models}>
          {book.models.map(({ id, name }) => (
            <option key={id} value={name} />
          ))}
        </datalist>
      </label>
      <label>
        <span>Region</span>
        <select value={filter.region} onChange={(event) => change({ place: event.currentTarget.value })}>
          <option value="">All regions</option>
          {book.regions.map(({ code, name }) => (
            <option key={code} value={code}>
              {name} ({code})
            </option>
          ))}
        </select>
      </label>
      <label>
        <span>Evidence</span>
        <select value={filter.status} onChange={(event) => change({ evidence: event.currentTarget.value })}>
          <option value="">Any</option>
          {certainties.map((status) => (
            <option key={status} value={status}>
              {evidenceNames[status]}
            </option>
          ))}
        </select>
      </label>
    </form>
  );
}

const evidenceNames = {
  ok: 'List of the vendor',
  estimated: 'Second source, or old',
  unverified: 'Unverified: no source',
} as const;

const badges = { estimated: 'second source or old', unverified: 'unverified price' } as const;

interface RowsProps {
  readonly book: PriceBook;
  readonly filter: PriceFilter;
  readonly showAll: () => void;
}

function Rows({ book, filter, showAll }: RowsProps) {
  const [page, setPage] = useState(1);
  const all = useMemo(() => priceRows(book), [book]);
  const rows = filterRows(book, all, filter);
  if (rows.length === 0) {
    return (
      <Empty title="No price matches.">
        <p>The cost of a model is not known in a region where it has no price.</p>
        <button type="button" onClick={showAll}>
          Show all
        </button>
      </Empty>
    );
  }
  return (
    <>
      <ListTable class="price-table" caption="Prices" columns={['For', 'Where', 'Price in USD', 'Evidence']}>
        {rows.slice((page - 1) * rowsPerPage, page * rowsPerPage).map((row) => (
          <Row key={row.key} row={row} book={book} />
        ))}
      </ListTable>
      <Pager what="prices" page={page} pageSize={rowsPerPage} total={rows.length} go={setPage} />
    </>
  );
}

function Row({ row: { service, item, name, place, prices, status }, book }: { row: PriceRow; book: PriceBook }) {
  const [first] = prices;
  return (
    <tr>
      <th scope="row">
        {service === 'inference' ? name : `${serviceNames[service]}: ${name}`}{' '}
        {status !== 'ok' && <span class="badge note">{badges[status]}</span>}
        {service === 'inference' && <span class="hint">{item}</span>}
      </th>
      <td data-label="Where">
        <Place place={place} regions={book.regions} />
      </td>
      <td data-label="Price in USD">
        {first ? <Amounts prices={prices} /> : 'No source'}
        {first && <span class="hint">per {first.unit}</span>}
      </td>
      <td data-label="Evidence">
        {first ? (
          <SourceList
            asOf={first.as_of}
            effectiveFrom={first.effective_from}
            sources={book.sources.filter(({ id }) => first.sources.includes(id))}
          />
        ) : (
          <span class="hint">Costs use the price of us-east-1 instead, where this installation allows it.</span>
        )}
      </td>
    </tr>
  );
}

function Amounts({ prices }: Pick<PriceRow, 'prices'>) {
  return (
    <ul class="prices">
      {prices.flatMap(({ kind, tiers, complete }) => [
        ...tiers.map((tier) => (
          <li key={`${kind} ${tier.from}`}>
            <span>
              {kindName(kind)} {formatTier(tier)}
            </span>{' '}
            <b class="exact">{tier.price}</b>
          </li>
        )),
        ...(complete ? [] : [<li key={`${kind} above`}>Above: no source</li>]),
      ])}
    </ul>
  );
}
