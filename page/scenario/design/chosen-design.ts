import { applyDefaults, type CompleteAssumptions } from '../../../shared/scenarios/assumptions.ts';
import { addressQuery, changeQuery } from '../../app/address.ts';
import type { Scenario } from '../../client/responses.ts';
import { formatDesign, parseDesign } from './design-address.ts';
import { isSameDesign } from './tried-designs.ts';

type Designed = Pick<Scenario, 'assumptions'>;

/** The design that is shown: that of the address, or of the scenario. */
export const designOf = ({ assumptions }: Designed): CompleteAssumptions =>
  parseDesign(addressQuery(), applyDefaults(assumptions));

export const isChanged = (scenario: Designed): boolean =>
  !isSameDesign(designOf(scenario), applyDefaults(scenario.assumptions));

export const tryDesign = ({ assumptions }: Designed, design: CompleteAssumptions): void =>
  changeQuery(formatDesign(design, applyDefaults(assumptions)));

export const discardDesign = (scenario: Designed): void => tryDesign(scenario, applyDefaults(scenario.assumptions));
