import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { read } from '../client/api.ts';
import type { QueryValue } from '../client/api-client.ts';
import type { Estimate } from '../client/responses.ts';
import { Amount } from '../components/amount.tsx';
import { MarkOld } from '../components/states.tsx';
import { ListTable, numberColumn } from '../components/table.tsx';
import { formatExactUsd, formatShare, formatUsdDifference } from '../format/amounts.ts';
import { incompleteNote, serviceNames } from '../format/names.ts';
import { inPageWords } from '../format/page-words.ts';
import { scenariosPath } from '../scenarios/scenario-queries.ts';

/** The usage of a scenario on other terms. */
export const useEstimate = (id: string, version: string, terms: Readonly<Record<string, QueryValue>>) =>
  useQuery({
    queryKey: ['scenario', id, 'estimate', terms, version],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => read<Estimate>(`${scenariosPath}/${id}/estimate`, terms, signal),
  });

interface EstimateTableProps {
  readonly estimate: Estimate;
  readonly isOld: boolean;
  /** The names of both sides. */
  readonly sides?: readonly [present: string, estimate: string];
}

/** The cost of a scenario beside that on other terms. */
export function EstimateTable({
  estimate: { present, estimate, difference, notes },
  isOld,
  sides: [now, then] = ['Now', 'Then'],
}: EstimateTableProps) {
  return (
    <MarkOld isOld={isOld}>
      <p class="big-line" role="status">
        <Amount usd={estimate.totals.cost} />
        {estimate.totals.incomplete && <span class="hint">{incompleteNote}</span>}
        {difference.total && (
          <span class="hint">
            {formatUsdDifference(difference.total.amount)}
            {/[1-9]/.test(difference.total.share ?? '') && ` (${formatShare(difference.total.share)})`}
          </span>
        )}
      </p>
      <ListTable
        caption={`By service; exactly ${formatExactUsd(estimate.totals.cost)}`}
        hasShownCaption
        columns={['Service', ...[now, then, 'Difference'].map(numberColumn)]}
      >
        {estimate.cost_breakdown.map(({ service, cost }, index) => (
          <tr key={service}>
            <th scope="row">{serviceNames[service]}</th>
            <td data-label={now} class="number">
              <Amount usd={present.cost_breakdown[index]?.cost ?? null} />
            </td>
            <td data-label={then} class="number">
              <Amount usd={cost} />
            </td>
            <td data-label="Difference" class="number">
              {difference[service] ? formatUsdDifference(difference[service].amount) : 'not known'}
            </td>
          </tr>
        ))}
      </ListTable>
      <ul class="notes">
        {notes.map((note) => (
          <li key={note}>{inPageWords(note)}</li>
        ))}
      </ul>
    </MarkOld>
  );
}
