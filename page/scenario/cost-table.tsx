import { formatExactUsd, formatShare, formatUsd } from '../../shared/amounts.ts';
import type { MetricsLine } from '../client/responses.ts';
import { Amount } from '../components/amount.tsx';
import { ListTable, numberColumn } from '../components/table.tsx';
import { costStatusNames, estimatedNote, serviceNames } from '../format/names.ts';
import { formatUsage } from '../format/usage.ts';
import { Bar } from './charts/bar.tsx';
import { serviceColors } from './charts/chart-kinds.ts';

interface CostTableProps {
  readonly caption: string;
  readonly lines: readonly MetricsLine[];
  readonly total: string | null;
}

/** Usage and cost by service, with the total. */
export function CostTable({ caption, lines, total }: CostTableProps) {
  return (
    <>
      <ListTable
        caption={caption}
        hasShownCaption
        columns={['Service', 'Usage', ...['Cost', 'Exactly', 'Share'].map(numberColumn)]}
        foot={
          <tr>
            <th scope="row">Total</th>
            <td />
            <td data-label="Cost" class="number">
              <Amount usd={total} />
            </td>
            <td data-label="Exactly" class="number exact">
              {formatExactUsd(total)}
            </td>
            <td />
          </tr>
        }
      >
        {lines.map(({ service, usage, cost, share, status }) => (
          <tr key={service}>
            <th scope="row">{serviceNames[service]}</th>
            <td data-label="Usage">{formatUsage(usage)}</td>
            <td data-label="Cost" class="number">
              {formatUsd(cost)}{' '}
              {status !== 'ok' && status !== 'missing' && <span class="hint">{costStatusNames[status]}</span>}
            </td>
            <td data-label="Exactly" class="number exact">
              {formatExactUsd(cost)}
            </td>
            <td data-label="Share" class="number">
              {formatShare(share)}
              <Bar share={Number(share ?? 0)} color={serviceColors[service]} />
            </td>
          </tr>
        ))}
      </ListTable>
      <p class="hint">
        A GB-second is 1 GB of memory in use for one second; a token is a piece of text of about four characters.{' '}
        {lines.some(({ status }) => status === 'estimated') && estimatedNote}
      </p>
    </>
  );
}
