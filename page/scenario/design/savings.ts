// The saving of a design in comparison with another one, in words.
import type { DesignCost, Designs } from '../../client/responses.ts';
import { formatFineUsd } from '../../format/amounts.ts';

export type StandardDesign = Designs['items'][number];

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
 * The largest saving of the designs in comparison with `own`; null if none is cheaper. Designs
 * whose cost is not or only partly known are left out, and those whose model gets nothing to do.
 */
export function largestSaving(own: DesignCost, designs: readonly StandardDesign[]): Saving | null {
  const { usd, isMonth } = comparedCost(own);
  if (usd === null || own.totals.incomplete) return null;
  const ownUnits = unitsOf(usd);
  let best: { name: string; cost: string; units: bigint } | null = null;
  for (const design of designs) {
    const { usd: cost, isMonth: isOfMonth } = comparedCost(design);
    if (cost === null || isOfMonth !== isMonth || design.totals.incomplete) continue;
    if (design.flow.model_entries === 0) continue;
    const units = unitsOf(cost);
    if (units < (best?.units ?? ownUnits)) best = { name: design.name, cost, units };
  }
  if (best === null) return null;
  const { name, cost, units } = best;
  return { name, share: shareOf(ownUnits - units, ownUnits), cost, ownCost: usd, isMonth };
}

/** One sentence about the largest saving. @param ownName the name of the design that is shown. */
export function savingSentence(saving: Saving | null, ownName: string): string {
  if (saving === null) return `No standard design costs less than ${ownName}.`;
  const { name, share, cost, ownCost, isMonth } = saving;
  const costs = `${formatFineUsd(cost)} instead of ${formatFineUsd(ownCost)}${isMonth ? ' a month' : ''}`;
  return `“${name}” instead of ${ownName} saves ${share}: ${costs}.`;
}

/** Whether the model sees lines of all levels. */
export const reachesAllLines = ({ assumptions: { pipeline } }: DesignCost, levels: number): boolean =>
  pipeline === undefined || (pipeline.levels.length === levels && pipeline.inference.levels.length === levels);

/** All amounts of the API have the same number of decimals. */
const unitsOf = (usd: string): bigint => BigInt(usd.replace('.', ''));

/** In whole per cent; with decimals where it would be 0 or 100. */
function shareOf(part: bigint, whole: bigint): string {
  const hundredths = Number((part * 10_000n) / whole) / 100;
  const isExtreme = hundredths < 1 || (hundredths > 99 && part < whole);
  return `${isExtreme ? hundredths.toFixed(2) : Math.round(hundredths)} %`;
}
