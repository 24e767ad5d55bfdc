import type { Estimate } from '../client/responses.ts';
import { ListTable, numberColumn } from '../components/table.tsx';
import { formatExactUsd, formatNumber } from '../format/amounts.ts';
import { serviceNames } from '../format/names.ts';

type Line = NonNullable<Estimate['lines']>[number];

/** The lines of two costs that differ. */
export function DifferenceLines({ lines }: { readonly lines: readonly Line[] }) {
  const changed = lines.filter(({ difference }) => difference !== '0');
  if (changed.length === 0) return <p>No price makes a difference.</p>;
  return (
    <>
      <h3>Price by price</h3>
      <ListTable
        caption="Amounts that change"
        columns={['For', ...['Quantity', 'Old price', 'New price', 'Difference'].map(numberColumn)]}
      >
        {changed.map(({ service, item, of, unit, tier, present, estimate, difference }) => (
          <tr key={[service, item, of, tier?.from].join(' ')}>
            <th scope="row">
              {serviceNames[service]}: {item.replaceAll('_', ' ')}
              <span class="hint">{of}</span>
            </th>
            <td data-label="Quantity" class="number">
              {formatNumber((estimate ?? present)?.quantity ?? '0', 12)} {unit}s
            </td>
            <td data-label="Old price" class="number exact">
              {present?.unit_price ?? 'no price'}
            </td>
            <td data-label="New price" class="number exact">
              {estimate?.unit_price ?? 'no price'}
            </td>
            <td data-label="Difference" class="number exact">
              {difference === null ? 'not known' : formatExactUsd(difference)}
            </td>
          </tr>
        ))}
      </ListTable>
    </>
  );
}
