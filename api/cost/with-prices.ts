import type { PriceSettings } from '../../shared/cost/present-cost.ts';
import type { PricedScenario } from '../../shared/cost/price-books.ts';
import type { Resources } from '../../shared/open-resources.ts';

/** The dependencies of a handler with the prices of a scenario. */
export async function withPricesOf<Deps extends Pick<Resources, 'priceBooks'>>(
  scenario: PricedScenario,
  deps: Deps,
): Promise<Deps & Pick<PriceSettings, 'priceBook'>> {
  return { ...deps, priceBook: await deps.priceBooks.ofScenario(scenario) };
}
