import { useLocation } from 'wouter-preact';
import { write } from '../../client/api.ts';
import { ApiError } from '../../client/api-error.ts';
import type { Scenario } from '../../client/responses.ts';
import { announce } from '../../components/announcer.tsx';
import { keepFocus } from '../../components/dialog.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { useAction } from '../../components/use-action.ts';
import { copyScenario } from '../../scenarios/copy-scenario.ts';
import { refreshScenarios, scenariosPath } from '../../scenarios/scenario-queries.ts';
import { designOf, discardDesign, isChanged } from './tried-designs.ts';

/** The actions of a tried design: nothing is shown as long as it is that of the scenario. */
export function DesignActions({ scenario }: { readonly scenario: Scenario }) {
  const [, go] = useLocation();
  const { id, status } = scenario;
  function discard(): void {
    discardDesign();
    requestAnimationFrame(keepFocus);
  }
  const saving = useAction(async () => {
    await write('PUT', `${scenariosPath}/${id}`, { assumptions: designOf(scenario) });
    await refreshScenarios();
    discard();
    announce('The design is saved. All costs of the scenario follow it.');
  });
  const copying = useAction(async () => {
    go(`/scenarios/${await copyScenario({ ...scenario, assumptions: designOf(scenario) })}`);
  });
  if (!isChanged(scenario)) return null;
  const error = copying.error ?? saving.error;
  const isFrozen = error instanceof ApiError && error.status === 409;
  return (
    <>
      <div class="buttons">
        {status !== 'archived' && (
          <button type="button" class="primary" aria-disabled={saving.isBusy} onClick={() => saving.start()}>
            Save to the scenario
          </button>
        )}
        <button type="button" aria-disabled={copying.isBusy} onClick={() => copying.start()}>
          Create a copy with this design
        </button>
        <button type="button" onClick={discard}>
          Undo the changes
        </button>
      </div>
      {error !== null && <ErrorNote error={error} />}
      {isFrozen && (
        <p class="hint">
          Entries were counted with the other assumptions, so only the pipeline can change now. Create a copy with this
          design, and send it the log.
        </p>
      )}
    </>
  );
}
