import { pipelineErrors } from '../../shared/cost/pipeline/pipeline-errors.ts';
import { type PricedScenario, requireVersion } from '../../shared/cost/price-books.ts';
import { unknownModel, unknownRegion } from '../../shared/cost/unknown-name.ts';
import { type FieldError, validationError } from '../../shared/errors.ts';
import { applyDefaults } from '../../shared/scenarios/assumptions.ts';
import type { Scenario } from '../../shared/scenarios/scenario.model.ts';
import type { ScenarioWriter } from './scenario-writer.ts';

type PriceableScenario = PricedScenario & Pick<Scenario, 'region'>;

/**
 * @throws AppError VALIDATION_ERROR if the price book of the scenario does not exist or lacks its
 * region or model, or if its pipeline cannot be built or priced.
 */
export async function requirePriced({ deps }: ScenarioWriter, scenario: PriceableScenario): Promise<void> {
  const { price_book: version } = scenario.assumptions;
  if (version !== undefined) await requireVersion(deps, version, 'assumptions.price_book');
  const errors = await pricingErrors(deps, scenario);
  if (errors.length > 0) throw validationError(errors);
}

/** The fields of a scenario that the version which prices it lacks. */
export async function pricingErrors(
  deps: Pick<ScenarioWriter['deps'], 'priceBooks'>,
  scenario: PriceableScenario,
): Promise<FieldError[]> {
  const { region, assumptions } = scenario;
  const book = await deps.priceBooks.ofScenario(scenario);
  const errors = pipelineErrors(scenario, book);
  if (!book.hasRegion(region)) errors.push({ field: 'region', error: unknownRegion(region, book, book.version) });
  const { model } = applyDefaults(assumptions).inference;
  if (!book.hasModel(model)) {
    errors.push({ field: 'assumptions.inference.model', error: unknownModel(model, book, book.version) });
  }
  return errors;
}
