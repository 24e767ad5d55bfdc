import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { formatExactUsd, formatNumber } from '../../shared/amounts.ts';
import type { Comparison } from '../client/responses.ts';
import { Amount, Time } from '../components/amount.tsx';
import { costStatusNames, incompleteNote, serviceNames } from '../format/names.ts';
import { useRegions } from '../scenarios/scenario-queries.ts';
import { differenceText } from './difference-text.ts';

type Compared = Comparison['items'][number];
type Part = keyof Compared['cost'];

interface Row {
  readonly name: string;
  readonly cell: (item: Compared) => ComponentChildren;
}

interface ComparisonProps {
  readonly comparison: Comparison;
  /** The address of the comparison without one of the scenarios. */
  readonly addressWithout: (id: string) => string;
}

/** A column for each scenario; on a narrow screen, a card. */
export function ComparisonTable(props: ComparisonProps) {
  const isNarrow = useIsNarrow();
  const rows = rowsOf(props.comparison);
  return isNarrow ? <Cards {...props} rows={rows} /> : <Columns {...props} rows={rows} />;
}

interface RowsProps extends ComparisonProps {
  readonly rows: readonly Row[];
}

function Columns({ comparison: { items }, rows, addressWithout }: RowsProps) {
  return (
    <section class="card compared" aria-label="Comparison" tabIndex={0}>
      <table>
        <caption class="visually-hidden">Costs of {items.length} scenarios side by side</caption>
        <thead>
          <tr>
            <td />
            {items.map((item, index) => (
              <th key={item.id} scope="col" class="number">
                <Heading item={item} isFirst={index === 0} addressWithout={addressWithout} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, cell }) => (
            <tr key={name} class={name === totalName ? 'total' : ''}>
              <th scope="row">{name}</th>
              {items.map((item) => (
                <td key={item.id} class="number">
                  {cell(item)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Cards({ comparison: { items }, rows, addressWithout }: RowsProps) {
  return (
    <ul class="plain">
      {items.map((item, index) => (
        <li key={item.id} class="card compared-card">
          <h2>
            <Heading item={item} isFirst={index === 0} addressWithout={addressWithout} />
          </h2>
          <dl>
            {rows.map(({ name, cell }) => (
              <div key={name} class={name === totalName ? 'total' : ''}>
                <dt>{name}</dt>
                <dd class="number">{cell(item)}</dd>
              </div>
            ))}
          </dl>
        </li>
      ))}
    </ul>
  );
}

interface HeadingProps {
  readonly item: Compared;
  readonly isFirst: boolean;
  readonly addressWithout: (id: string) => string;
}

function Heading({ item: { id, name, region }, isFirst, addressWithout }: HeadingProps) {
  const regionName = useRegions().data?.items.find(({ code }) => code === region)?.name;
  return (
    <>
      <a href={`#/scenarios/${id}`}>
        <bdi>{name}</bdi>
      </a>
      <span class="hint">
        {regionName ?? region} {regionName && `(${region})`}
      </span>
      {isFirst && <span class="hint">the others are compared with this one</span>}
      <a class="button remove" href={addressWithout(id)} aria-label={`Remove ${name} from the comparison`}>
        Remove
      </a>
    </>
  );
}

/** The figures of a scenario, in the order of the table. */
function rowsOf({ items, cheapest }: Comparison): readonly Row[] {
  const [first] = items;
  const costCell = (part: Part, noteOf: (item: Compared) => string | undefined) => (item: Compared) => (
    <>
      {cheapest[part].includes(item.id) && <span class="badge good">cheapest</span>} <Amount usd={item.cost[part]} />
      {part === 'total' && <span class="hint exact">{formatExactUsd(item.cost.total)}</span>}
      {noteOf(item) && <span class="hint">{noteOf(item)}</span>}
      {item !== first && <span class="hint">{differenceText(item.difference[part])}</span>}
    </>
  );
  return [
    { name: 'Entries', cell: ({ logs }) => formatNumber(logs) },
    { name: 'From', cell: ({ period }) => <Time iso={period.from} /> },
    { name: 'To', cell: ({ period }) => <Time iso={period.to} /> },
    ...services.map((service) => ({
      name: serviceNames[service],
      cell: costCell(service, ({ cost, cost_breakdown }) =>
        cost[service] === null
          ? undefined
          : costStatusNames[cost_breakdown.find((line) => line.service === service)?.status ?? 'ok'],
      ),
    })),
    {
      name: totalName,
      cell: costCell('total', ({ status, incomplete }) => (incomplete ? incompleteNote : costStatusNames[status])),
    },
  ];
}

const totalName = 'Total';
const services = ['queue', 'function', 'inference'] as const;

/** Whether the rows of tables are cards, as the style sheet decides it. */
function useIsNarrow(): boolean {
  const [narrow] = useState(() => matchMedia('(max-width: 48rem)'));
  const [isNarrow, setNarrow] = useState(narrow.matches);
  useEffect(() => {
    const onChange = () => setNarrow(narrow.matches);
    narrow.addEventListener('change', onChange);
    return () => narrow.removeEventListener('change', onChange);
  }, [narrow]);
  return isNarrow;
}
