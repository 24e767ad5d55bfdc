import { write } from '../client/api.ts';
import { ApiError } from '../client/api-error.ts';
import type { Scenario } from '../client/responses.ts';
import { announce } from '../components/announcer.tsx';
import { refreshScenarios, scenariosPath } from './scenario-queries.ts';

/** In code points, as the service counts them. */
const maxNameLength = 100;

/**
 * Creates a draft with the same settings, under the first free name: `Peak (copy 2)`.
 * @returns its id.
 */
export async function copyScenario(scenario: Pick<Scenario, 'name' | 'description' | 'region' | 'assumptions'>) {
  const { description, region, assumptions } = scenario;
  for (let name = copyNameOf(scenario.name); ; name = copyNameOf(name)) {
    try {
      const copy = await write<Scenario>('POST', scenariosPath, { name, description, region, assumptions });
      await refreshScenarios();
      announce('The copy is created, as a draft without entries.');
      return copy.id;
    } catch (error) {
      const isTaken = error instanceof ApiError && error.status === 409;
      if (!isTaken) throw error;
    }
  }
}

/** The name of a copy, cut to the longest name. */
function copyNameOf(name: string): string {
  const [, start = name, number] = /^(.*) \(copy(?: (\d+))?\)$/s.exec(name) ?? [];
  const suffix = start === name ? ' (copy)' : ` (copy ${Number(number ?? 1) + 1})`;
  const cut = Array.from(start).slice(0, maxNameLength - suffix.length);
  return cut.join('').trimEnd() + suffix;
}
