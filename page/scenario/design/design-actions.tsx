import { useState } from 'preact/hooks';
import { write } from '../../client/api.ts';
import { ApiError } from '../../client/api-error.ts';
import type { Scenario } from '../../client/responses.ts';
import { announce } from '../../components/announcer.tsx';
import { keepFocus } from '../../components/dialog.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { useAction } from '../../components/use-action.ts';
import { CopyDialog } from '../../scenarios/copy-dialog.tsx';
import { refreshScenarios, scenariosPath } from '../../scenarios/scenario-queries.ts';
import { designOf, discardDesign, isChanged } from './chosen-design.ts';

/** The actions of a tried design: nothing is shown as long as it is that of the scenario. */
export function DesignActions({ scenario }: { readonly scenario: Scenario }) {
  const [isCopying, setCopying] = useState(false);
  const { id, status } = scenario;
  function discard(): void {
    discardDesign(scenario);
    requestAnimationFrame(keepFocus);
  }
  const { start, isBusy, error } = useAction(async () => {
    await write('PUT', `${scenariosPath}/${id}`, { assumptions: designOf(scenario) });
    await refreshScenarios();
    discard();
    announce('The design is saved. All costs of the scenario follow it.');
  });
  if (!isChanged(scenario)) return null;
  const isFrozen = error instanceof ApiError && error.status === 409;
  return (
    <>
      <div class="buttons">
        {status !== 'archived' && (
          <button type="button" class="primary" aria-disabled={isBusy} onClick={() => start()}>
            Save to the scenario
          </button>
        )}
        <button type="button" onClick={() => setCopying(true)}>
          Create a copy with this design
        </button>
        <button type="button" onClick={discard}>
          Undo the changes
        </button>
      </div>
      {status === 'archived' && (
        <p class="hint after-buttons">An archived scenario cannot be changed. A copy can have this design.</p>
      )}
      {error !== null && (
        <>
          <ErrorNote error={error} />
          {isFrozen && (
            <p class="hint after-buttons">
              Entries were counted with the other assumptions, so only the pipeline can change now. Create a copy with
              this design, and send it the log.
            </p>
          )}
        </>
      )}
      {isCopying && (
        <CopyDialog
          title="Create a copy with this design"
          scenario={{ ...scenario, assumptions: designOf(scenario) }}
          close={() => setCopying(false)}
        />
      )}
    </>
  );
}
