import type { ComponentChildren } from 'preact';

/** The comparison of the API takes so many. */
const maxCompared = 10;

interface CompareBarProps {
  /** The ids of the selected scenarios. */
  readonly ids: readonly string[];
  readonly clear: () => void;
}

/** Leads from the selected scenarios to their comparison. */
export function CompareBar({ ids, clear }: CompareBarProps): ComponentChildren {
  if (ids.length === 0) return null;
  return (
    <section class="compare-bar" aria-label="Selected scenarios">
      <span role="status">{ids.length} selected</span>
      {ids.length > 1 && ids.length <= maxCompared ? (
        <a class="button primary" href={`#/compare/${ids.join(',')}`}>
          Compare
        </a>
      ) : (
        <span class="hint">Two to {maxCompared} can be compared.</span>
      )}
      <button type="button" class="quiet" onClick={clear}>
        Select none
      </button>
    </section>
  );
}
