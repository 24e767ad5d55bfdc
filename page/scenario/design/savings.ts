// The saving of a design in comparison with another one, in words.

import { formatFineUsd } from '../../../shared/amounts.ts';
import { cheapestDesign, isRecommendable, unitsOf } from '../../../shared/cost/pipeline/standard-designs.ts';
import type { DesignCost, Designs } from '../../client/responses.ts';
import { nameOfDesign } from './standard-names.ts';

export type StandardDesign = Designs['items'][number];

/** The name of the design that is shown, among the others. */
export const ownDesignName = 'This design';

/** The name of the scenario's design, which is the shown one unless another one is tried. */
export const presentDesignName = (own: DesignCost | StandardDesign): string =>
  'difference' in own ? 'The scenario as it is' : ownDesignName;

/** A cost that designs are compared by: of a month, where its rate is known, or of the entries. */
interface ComparedCost {
  readonly usd: string | null;
  readonly isMonth: boolean;
}

const comparedCost = ({ month, cost }: Pick<DesignCost, 'month' | 'cost'>): ComparedCost =>
  month ? { usd: month.total, isMonth: true } : { usd: cost.total, isMonth: false };

interface Saving {
  readonly name: string;
  /** `87 %` */
  readonly share: string;
  /** In USD. */
  readonly cost: string;
  readonly ownCost: string;
  readonly isMonth: boolean;
}

/**
 * The largest saving of the designs that can be recommended in comparison with `own`; null if none
 * is cheaper.
 */
export function largestSaving(own: DesignCost, designs: readonly StandardDesign[]): Saving | null {
  const { usd, isMonth } = comparedCost(own);
  if (usd === null || own.totals.incomplete) return null;
  const ownUnits = unitsOf(usd);
  let best: { name: string; cost: string; units: bigint } | null = null;
  for (const design of designs) {
    const { usd: cost, isMonth: isOfMonth } = comparedCost(design);
    if (cost === null || isOfMonth !== isMonth || !isRecommendable(design)) continue;
    const units = unitsOf(cost);
    if (units < (best?.units ?? ownUnits)) best = { name: design.name, cost, units };
  }
  if (best === null) return null;
  const { name, cost, units } = best;
  return { name, share: shareOf(ownUnits - units, ownUnits), cost, ownCost: usd, isMonth };
}

/** The cheapest of the standard designs, the shown one and that of the scenario. */
export const cheapestOfAll = ({ present, items }: Designs, own: DesignCost | StandardDesign): string | null =>
  cheapestDesign([...items, { ...own, name: ownDesignName }, { ...present, name: presentDesignName(own) }]);

/** One sentence about the largest saving. @param ownName the name of the design that is shown. */
export function savingSentence(saving: Saving | null, ownName: string): string {
  if (saving === null) return `No standard design costs less than ${ownName}.`;
  const { name, share, cost, ownCost, isMonth } = saving;
  const costs = `${formatFineUsd(cost)} instead of ${formatFineUsd(ownCost)}${isMonth ? ' a month' : ''}`;
  return `“${nameOfDesign(name)}” instead of ${ownName} saves ${share}: ${costs}.`;
}

/** Whether the model sees entries of all levels. */
export const reachesAllEntries = ({ assumptions: { pipeline } }: DesignCost, levels: number): boolean =>
  pipeline === undefined || (pipeline.levels.length === levels && pipeline.inference.levels.length === levels);

/** In whole per cent; with decimals where it would be 0 or 100. */
function shareOf(part: bigint, whole: bigint): string {
  const hundredths = Number((part * 10_000n) / whole) / 100;
  const isExtreme = hundredths < 1 || (hundredths > 99 && part < whole);
  return `${isExtreme ? hundredths.toFixed(2) : Math.round(hundredths)} %`;
}
