import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { read } from '../client/api.ts';
import type { QueryValue } from '../client/api-client.ts';
import type { Estimate } from '../client/responses.ts';
import { Amount } from '../components/amount.tsx';
import { Empty, Loaded } from '../components/states.tsx';
import { formatExactUsd, formatShare, formatUsdDifference } from '../format/amounts.ts';
import { incompleteNote, serviceNames } from '../format/names.ts';
import { scenariosPath, useModels, useRegions } from '../scenarios/scenario-queries.ts';
import type { PartProps } from './part-props.ts';
import { TermsFields } from './terms-fields.tsx';
import { changedTerms, changeTerms, resetTerms, termsOf, useSettled } from './what-if-terms.ts';

/** The same usage at other prices. */
export function WhatIfPart({ scenario, metrics, version }: PartProps) {
  const terms = changedTerms(termsOf(scenario.id));
  const settled = useSettled(terms);
  const regions = useRegions().data?.items ?? [];
  const models = useModels().data?.items ?? [];
  const query = useEstimate(scenario.id, version, settled);
  // Without changes, it is the same request.
  const present = useEstimate(scenario.id, version, {});
  if (metrics?.totals.logs === 0) {
    return (
      <Empty title="Nothing to price yet.">
        <p>
          <a href={`#/scenarios/${scenario.id}/send`}>Send entries</a>, then see what they would cost on other terms.
        </p>
      </Empty>
    );
  }
  return (
    <section class="two-parts">
      <div>
        <h2>What if…</h2>
        <Loaded query={present} what="the present terms">
          {(estimate) => (
            <TermsFields
              present={estimate.present}
              regions={regions}
              models={models}
              terms={termsOf(scenario.id)}
              change={(changes) => changeTerms(scenario.id, changes)}
            />
          )}
        </Loaded>
        <div class="buttons">
          <button type="button" disabled={Object.keys(terms).length === 0} onClick={() => resetTerms(scenario.id)}>
            As it is now
          </button>
        </div>
      </div>
      <div>
        <h2>The same entries would cost</h2>
        <Loaded query={query} what="the estimate">
          {(estimate) => <EstimateTable estimate={estimate} isOld={query.isPlaceholderData} />}
        </Loaded>
      </div>
    </section>
  );
}

const useEstimate = (id: string, version: string, terms: Readonly<Record<string, QueryValue>>) =>
  useQuery({
    queryKey: ['scenario', id, 'estimate', terms, version],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => read<Estimate>(`${scenariosPath}/${id}/estimate`, terms, signal),
  });

function EstimateTable({
  estimate: { present, estimate, difference, notes },
  isOld,
}: {
  estimate: Estimate;
  isOld: boolean;
}) {
  return (
    <div aria-busy={isOld} class={isOld ? 'old' : ''}>
      <p class="big-line" role="status">
        <Amount usd={estimate.totals.cost} />
        {estimate.totals.incomplete && <span class="hint">{incompleteNote}</span>}
        {difference.total && (
          <span class="hint">
            {formatUsdDifference(difference.total.amount)}
            {difference.total.share !== null && ` (${formatShare(difference.total.share)})`}
          </span>
        )}
      </p>
      <table class="cards">
        <caption>By service; exactly {formatExactUsd(estimate.totals.cost)}</caption>
        <thead>
          <tr>
            <th scope="col">Service</th>
            <th scope="col" class="number">
              Now
            </th>
            <th scope="col" class="number">
              Then
            </th>
            <th scope="col" class="number">
              Difference
            </th>
          </tr>
        </thead>
        <tbody>
          {estimate.cost_breakdown.map(({ service, cost }, index) => (
            <tr key={service}>
              <th scope="row">{serviceNames[service]}</th>
              <td data-label="Now" class="number">
                <Amount usd={present.cost_breakdown[index]?.cost ?? null} />
              </td>
              <td data-label="Then" class="number">
                <Amount usd={cost} />
              </td>
              <td data-label="Difference" class="number">
                {difference[service] ? formatUsdDifference(difference[service].amount) : 'not known'}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <ul class="notes">
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </div>
  );
}
