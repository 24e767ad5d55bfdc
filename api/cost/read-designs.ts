import { compareDesigns, type DesignsRequest } from '../../shared/cost/compare-designs.ts';
import { readAtRate } from '../../shared/cost/months-on-terms.ts';
import type { PriceSettings } from '../../shared/cost/priced-usage.ts';
import type { Scenario } from '../../shared/scenarios/scenario.model.ts';
import type { UsageDeps } from '../../shared/usage/read-usage.ts';
import type { RouteDeps } from '../app-deps.ts';
import type { Designs } from './designs.responses.ts';

/** The usage and cost of a scenario with each of the designs, from one read. */
export const presentDesigns = (
  scenario: Pick<Scenario, '_id' | 'region' | 'assumptions'>,
  request: DesignsRequest,
  deps: UsageDeps & PriceSettings & Pick<RouteDeps, 'priceBooks'>,
): Promise<Designs> =>
  compareDesigns(scenario, request, {
    ...deps,
    readRated: (allTerms, period) => readAtRate(deps, scenario, allTerms, period),
  });
