// The design that is tried on a scenario, which is part of the address: a copied link opens the same.
import { applyDefaults, type CompleteAssumptions } from '../../../shared/scenarios/assumptions.ts';
import { addressQuery, changeQuery } from '../../app/address.ts';
import type { Scenario } from '../../client/responses.ts';
import { isSameDesign, parseDesign } from './design-fields.ts';

type Designed = Pick<Scenario, 'assumptions'>;

/** The design that is shown: the tried one, or that of the scenario. */
export const designOf = ({ assumptions }: Designed): CompleteAssumptions =>
  parseDesign(addressQuery().get('design') ?? '') ?? applyDefaults(assumptions);

export const isChanged = (scenario: Designed): boolean =>
  !isSameDesign(designOf(scenario), applyDefaults(scenario.assumptions));

export const tryDesign = (design: CompleteAssumptions): void => changeQuery({ design: JSON.stringify(design) });

export const discardDesign = (): void => changeQuery({ design: undefined });

/** The entries of a month, which replace the observed rate. */
export function triedVolume(): number | undefined {
  const text = addressQuery().get('volume');
  return text === null ? undefined : Number(text);
}

export const changeVolume = (volume: number | undefined): void => changeQuery({ volume: volume?.toString() });
