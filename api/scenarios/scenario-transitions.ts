import type { QueryFilter } from 'mongoose';
import { AppError } from '../../shared/errors.ts';
import { applyTransition, type Scenario, type Transition, transitions } from '../../shared/scenarios/scenario.model.ts';
import { pricingErrors } from './pricing-errors.ts';
import { findScenario, wrongStatus } from './scenario-store.ts';
import { actorOfWriter, type ScenarioWriter, write } from './scenario-writer.ts';

export async function transitionScenario(
  writer: ScenarioWriter,
  id: string,
  transition: Transition,
): Promise<Scenario> {
  const { scenarios, operation } = writer;
  const change = (filter: QueryFilter<Scenario>, prices: Partial<Pick<Scenario, 'priceBook'>>) =>
    write(writer, () =>
      applyTransition(scenarios.model, { ...filter, ...scenarios.visible }, transition, actorOfWriter(writer), prices),
    );
  const changed = transition === 'start' ? await startPriced(writer, id, change) : await change({ _id: id }, {});
  if (changed) return changed;
  const scenario = await findScenario(scenarios, id);
  const { status } = scenario;
  const { from, to } = transitions[transition];
  if (operation?.attemptedBefore && status === to) return scenario;
  throw wrongStatus(scenario, `${transition} it`, from);
}

/**
 * Starts a draft by the newest version of the price book, which can lack what the draft names.
 * @returns null if the scenario is not a draft.
 */
async function startPriced(
  { deps, scenarios }: ScenarioWriter,
  id: string,
  start: (filter: QueryFilter<Scenario>, prices: Pick<Scenario, 'priceBook'>) => Promise<Scenario | null>,
): Promise<Scenario | null> {
  for (;;) {
    const scenario = await findScenario(scenarios, id);
    if (scenario.status !== 'draft') return null;
    const { version: priceBook } = await deps.priceBooks.readNewest();
    const details = await pricingErrors(deps, { ...scenario, priceBook });
    if (details.length > 0) {
      const fields = details.map(({ field, error }) => `${field} ${error}`).join(', ');
      throw new AppError('INVALID_STATE', `Scenario ${id} cannot start: ${fields}. Change it first.`, { details });
    }
    const started = await start({ _id: id, revision: scenario.revision }, { priceBook });
    if (started) return started;
  }
}
