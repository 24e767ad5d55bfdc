import { useState } from 'preact/hooks';
import type { Scenario } from '../client/responses.ts';
import { type BulkAction, BulkDialog, bulkActions } from './bulk-dialog.tsx';
import { chosen, maxCompared } from './chosen-scenarios.ts';

/** Compares or changes the chosen scenarios. */
export function ChosenBar({ shown }: { readonly shown: readonly Scenario[] }) {
  const [open, setOpen] = useState<BulkAction | null>(null);
  const ids = [...chosen.value.keys()];
  const others = shown.filter(({ id }) => !chosen.value.has(id));
  return (
    <>
      {ids.length > 0 && (
        <section class="compare-bar" aria-label="Chosen scenarios">
          <span role="status">{ids.length} chosen</span>
          <Comparison ids={ids} />
          {(Object.keys(bulkActions) as BulkAction[]).map((action) => (
            <button
              key={action}
              type="button"
              aria-label={`${bulkActions[action].name} the chosen scenarios`}
              onClick={() => setOpen(action)}
            >
              {bulkActions[action].name}
            </button>
          ))}
          {others.length > 0 && (
            <button
              type="button"
              onClick={() => {
                chosen.value = new Map([...chosen.value, ...others.map(({ id, name }) => [id, name] as const)]);
              }}
            >
              Choose all of this page
            </button>
          )}
          <button
            type="button"
            onClick={() => {
              chosen.value = new Map();
            }}
          >
            Choose none
          </button>
        </section>
      )}
      {open !== null && <BulkDialog action={open} close={() => setOpen(null)} />}
    </>
  );
}

function Comparison({ ids }: { readonly ids: readonly string[] }) {
  if (ids.length === 1) return <span class="hint">Choose one more to compare.</span>;
  if (ids.length > maxCompared) return <span class="hint">At most {maxCompared} can be compared.</span>;
  return (
    <a class="button primary" href={`#/compare/${ids.join(',')}`}>
      Compare {ids.length} scenarios
    </a>
  );
}
