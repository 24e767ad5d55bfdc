import { useSettled } from '../components/settled.ts';
import { Loaded } from '../components/states.tsx';
import { useModels, useRegions } from '../scenarios/scenario-queries.ts';
import { EstimateTable, useEstimate } from './estimate-table.tsx';
import { NoEntries } from './no-entries.tsx';
import type { PartProps } from './part-props.ts';
import { TermsFields } from './terms-fields.tsx';
import { changeTerms, resetTerms, triedTerms } from './what-if-terms.ts';

/** The same usage at other prices. */
export function WhatIfPart({ scenario, metrics, bounds, version }: PartProps) {
  const terms = triedTerms();
  const settled = useSettled({ ...terms, ...bounds });
  const regions = useRegions().data?.items ?? [];
  const models = useModels().data?.items ?? [];
  const query = useEstimate(scenario.id, version, settled);
  // Without changes, it is the same request.
  const present = useEstimate(scenario.id, version, { ...bounds });
  if (metrics?.totals.logs === 0) {
    return (
      <NoEntries scenario={scenario} title="Nothing to price yet.">
        , and see what they would cost in other regions and with other settings.
      </NoEntries>
    );
  }
  return (
    <section class="two-parts">
      <div>
        <h2>What if…</h2>
        <Loaded query={present} what="the settings">
          {(estimate) => (
            <TermsFields
              present={estimate.present}
              regions={regions}
              models={models}
              terms={terms}
              change={changeTerms}
            />
          )}
        </Loaded>
        <div class="buttons">
          <button type="button" disabled={Object.keys(terms).length === 0} onClick={resetTerms}>
            Undo the changes
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
