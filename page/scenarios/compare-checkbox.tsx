import { choose, chosen, maxCompared } from './chosen-scenarios.ts';

/** Chooses a scenario for a comparison. */
export function CompareCheckbox({ id, name }: { readonly id: string; readonly name: string }) {
  const isChosen = chosen.value.has(id);
  return (
    <input
      type="checkbox"
      aria-label={`Compare ${name}`}
      checked={isChosen}
      disabled={!isChosen && chosen.value.size >= maxCompared}
      onChange={(event) => choose(id, name, event.currentTarget.checked)}
    />
  );
}
