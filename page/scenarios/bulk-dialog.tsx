import { useEffect, useState } from 'preact/hooks';
import { write } from '../client/api.ts';
import { announce } from '../components/announcer.tsx';
import { Dialog, keepFocus } from '../components/dialog.tsx';
import { sentenceOf } from '../components/states.tsx';
import { useAction } from '../components/use-action.ts';
import { applyToEach, type Named, type Outcome } from './apply-to-each.ts';
import { choose, chosen } from './chosen-scenarios.ts';
import { changeSeveral, scenariosPath } from './scenario-queries.ts';

/** The changes of several scenarios at once. */
export const bulkActions = {
  stop: {
    name: 'Stop',
    done: 'stopped',
    consequence: 'They take no more entries, and cannot be started again. Entries that have arrived still count.',
    isLeaving: false,
    work: (id: string) => write('POST', `${scenariosPath}/${id}/stop`),
  },
  archive: {
    name: 'Archive',
    done: 'archived',
    consequence: 'They stay readable, leave the list, and cannot be changed any more.',
    isLeaving: true,
    work: (id: string) => write('POST', `${scenariosPath}/${id}/archive`),
  },
  delete: {
    name: 'Delete',
    done: 'deleted',
    consequence: 'They are deleted with their entries, usage, reports and schedules. This cannot be undone.',
    isLeaving: true,
    work: (id: string) => write('DELETE', `${scenariosPath}/${id}`),
  },
} as const;

export type BulkAction = keyof typeof bulkActions;

interface BulkDialogProps {
  readonly action: BulkAction;
  readonly close: () => void;
}

/**
 * Asks once for all chosen scenarios, and names those that could not be changed. A cancelled change
 * ends before the next scenario, as does one whose view is left.
 */
export function BulkDialog({ action, close }: BulkDialogProps) {
  // The choice changes with the outcome.
  const [scenarios] = useState<Named>(chosen.value);
  const [count, setCount] = useState(0);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [controller] = useState(() => new AbortController());
  useEffect(() => () => controller.abort(), [controller]);
  const { name, done, consequence, isLeaving, work } = bulkActions[action];
  const { start, isBusy } = useAction(async () => {
    const result = await changeSeveral(() => applyToEach(scenarios, work, setCount, controller.signal));
    if (isLeaving) for (const id of result.done) choose(id, '', false);
    announce(`${result.done.length} of ${scenarios.size} scenarios ${done}.`);
    if (result.done.length < scenarios.size) setOutcome(result);
    else closeDialog();
  });
  const cancel = () => (isBusy ? controller.abort() : close());
  function closeDialog(): void {
    close();
    requestAnimationFrame(keepFocus);
  }
  if (outcome) {
    return (
      <Dialog title={`${outcome.done.length} of ${scenarios.size} scenarios ${done}`} close={closeDialog}>
        <Rest outcome={outcome} total={scenarios.size} close={closeDialog} />
      </Dialog>
    );
  }
  const noun = scenarios.size === 1 ? 'this scenario' : `these ${scenarios.size} scenarios`;
  return (
    <Dialog title={`${name} ${noun}?`} close={cancel} isBusy={isBusy}>
      <Names scenarios={scenarios} />
      <p>{consequence}</p>
      <div class="buttons">
        <button type="button" class="danger" aria-disabled={isBusy} aria-busy={isBusy} onClick={() => start()}>
          {isBusy ? `${count} of ${scenarios.size}…` : `${name} ${scenarios.size === 1 ? 'it' : 'all'}`}
        </button>
        <button type="button" onClick={cancel}>
          Cancel
        </button>
      </div>
    </Dialog>
  );
}

/** Names that are listed; the others are counted. */
const maxNames = 10;

function Names({ scenarios }: { readonly scenarios: Named }) {
  const rest = scenarios.size - maxNames;
  return (
    <ul>
      {[...scenarios].slice(0, maxNames).map(([id, name]) => (
        <li key={id}>
          <bdi>{name}</bdi>
        </li>
      ))}
      {rest > 0 && <li>and {rest} more</li>}
    </ul>
  );
}

interface RestProps {
  readonly outcome: Outcome;
  /** Number of chosen scenarios. */
  readonly total: number;
  readonly close: () => void;
}

/** The scenarios that are as they were: they failed, or a cancelled change left them out. */
function Rest({ outcome: { done, failed }, total, close }: RestProps) {
  const leftOut = total - done.length - failed.length;
  return (
    <>
      {leftOut > 0 && (
        <p>It was cancelled; {leftOut === 1 ? '1 scenario was' : `${leftOut} scenarios were`} left out.</p>
      )}
      {failed.length > 0 && (
        <div class="error-note" role="alert">
          <p>{leftOut > 0 ? 'These failed, and are as they were:' : 'The others are as they were:'}</p>
          <ul>
            {failed.map(({ id, name, error }) => (
              <li key={id}>
                <bdi>{name}</bdi>: {sentenceOf(error)}
              </li>
            ))}
          </ul>
        </div>
      )}
      <div class="buttons after-figures">
        <button type="button" onClick={close}>
          Close the list
        </button>
      </div>
    </>
  );
}
