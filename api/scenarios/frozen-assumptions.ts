import { type Assumptions, applyDefaults } from '../../shared/scenarios/assumptions.ts';

/** Assumptions that can change at any time: they are applied when usage is priced. */
export const changeableAssumptions = ['pipeline', 'inference.output_tokens_per_entry'];

/**
 * The names of the assumptions that differ, with defaults, among those by which entries are counted
 * and which are therefore fixed after draft.
 */
export function changedFrozenAssumptions(before: Assumptions, after: Assumptions): string[] {
  const [old, changed] = [valuesByName(before), valuesByName(after)];
  return [...new Set([...old.keys(), ...changed.keys()])].filter((name) => old.get(name) !== changed.get(name));
}

function valuesByName(assumptions: Assumptions): Map<string, unknown> {
  const values = Object.entries(applyDefaults(assumptions)).flatMap(([service, value]): [string, unknown][] =>
    typeof value === 'object' && !changeableAssumptions.includes(service)
      ? Object.entries(value).map(([name, one]) => [`${service}.${name}`, one])
      : [[service, value]],
  );
  return new Map(values.filter(([name]) => !changeableAssumptions.includes(name)));
}
