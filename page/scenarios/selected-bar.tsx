import { useState } from 'preact/hooks';
import { write } from '../client/api.ts';
import { announce } from '../components/announcer.tsx';
import { Dialog, keepFocus } from '../components/dialog.tsx';
import { sentenceOf } from '../components/states.tsx';
import { useAction } from '../components/use-action.ts';
import { changeSeveral, scenariosPath } from './scenario-queries.ts';

/** Names of scenarios by id. */
export type Selected = ReadonlyMap<string, string>;

/** The comparison of the API takes so many. */
const maxCompared = 10;

/** The changes of several scenarios at once. */
const actions = {
  stop: {
    name: 'Stop',
    consequence: 'They take no more entries, and cannot be started again. Entries that have arrived still count.',
    work: (id: string) => write('POST', `${scenariosPath}/${id}/stop`),
  },
  archive: {
    name: 'Archive',
    consequence: 'They stay readable, leave the list, and cannot be changed any more.',
    work: (id: string) => write('POST', `${scenariosPath}/${id}/archive`),
  },
  delete: {
    name: 'Delete',
    consequence: 'They are deleted with their entries, usage, reports and schedules. This cannot be undone.',
    work: (id: string) => write('DELETE', `${scenariosPath}/${id}`),
  },
} as const;

type ActionName = keyof typeof actions;

interface SelectedBarProps {
  readonly selected: Selected;
  readonly clear: () => void;
}

/** Compares or changes the selected scenarios. */
export function SelectedBar({ selected, clear }: SelectedBarProps) {
  const [open, setOpen] = useState<ActionName | null>(null);
  const ids = [...selected.keys()];
  return (
    <>
      {ids.length > 0 && (
        <section class="compare-bar" aria-label="Selected scenarios">
          <span role="status">{ids.length} selected</span>
          {ids.length > 1 && ids.length <= maxCompared ? (
            <a class="button primary" href={`#/compare/${ids.join(',')}`}>
              Compare
            </a>
          ) : (
            <span class="hint">Two to {maxCompared} can be compared.</span>
          )}
          {(Object.keys(actions) as ActionName[]).map((name) => (
            <button
              key={name}
              type="button"
              aria-label={`${actions[name].name} the selected scenarios`}
              onClick={() => setOpen(name)}
            >
              {actions[name].name}
            </button>
          ))}
          <button type="button" class="quiet" onClick={clear}>
            Select none
          </button>
        </section>
      )}
      {open !== null && (
        <ActionDialog
          action={open}
          selected={selected}
          close={() => {
            setOpen(null);
            requestAnimationFrame(keepFocus);
          }}
          finish={clear}
        />
      )}
    </>
  );
}

interface ActionDialogProps {
  readonly action: ActionName;
  readonly selected: Selected;
  readonly close: () => void;
  /** Called after the changes. */
  readonly finish: () => void;
}

/** Asks once for all selected scenarios, and names those that could not be changed. */
function ActionDialog({ action, selected, close, finish }: ActionDialogProps) {
  const [scenarios] = useState(selected);
  const [failed, setFailed] = useState<readonly { id: string; name: string; error: unknown }[] | null>(null);
  const { name, consequence, work } = actions[action];
  const { start, isBusy } = useAction(async () => {
    const found: { id: string; name: string; error: unknown }[] = [];
    await changeSeveral(async () => {
      for (const [id, of] of scenarios) await work(id).catch((error) => found.push({ id, name: of, error }));
    });
    announce(`${name}: ${scenarios.size - found.length} of ${scenarios.size} scenarios.`);
    finish();
    if (found.length > 0) setFailed(found);
    else close();
  });
  const count = scenarios.size === 1 ? 'this scenario' : `these ${scenarios.size} scenarios`;
  return (
    <Dialog title={failed ? 'Not all could be changed' : `${name} ${count}?`} close={close} isBusy={isBusy}>
      {failed ? (
        <div class="error-note" role="alert">
          <p>These are as they were:</p>
          <ul>
            {failed.map(({ id, name: of, error }) => (
              <li key={id}>
                <bdi>{of}</bdi>: {sentenceOf(error)}
              </li>
            ))}
          </ul>
        </div>
      ) : (
        <>
          <ul>
            {[...scenarios].map(([id, of]) => (
              <li key={id}>
                <bdi>{of}</bdi>
              </li>
            ))}
          </ul>
          <p>{consequence}</p>
        </>
      )}
      <div class="buttons">
        {!failed && (
          <button type="button" class="danger" aria-disabled={isBusy} aria-busy={isBusy} onClick={() => start()}>
            {name} {scenarios.size === 1 ? 'it' : 'all'}
          </button>
        )}
        <button type="button" onClick={close}>
          {failed ? 'Close the list' : 'Cancel'}
        </button>
      </div>
    </Dialog>
  );
}
