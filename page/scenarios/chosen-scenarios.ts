import { signal } from '@preact/signals';

/** The chosen scenarios, in the order of the choice: names by id. */
export const chosen = signal<ReadonlyMap<string, string>>(new Map());

/** The comparison of the API takes so many. */
export const maxCompared = 10;

export function choose(id: string, name: string, isChosen: boolean): void {
  const next = new Map(chosen.value);
  if (!isChosen) next.delete(id);
  else next.set(id, name);
  chosen.value = next;
}
