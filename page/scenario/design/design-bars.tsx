import type { DesignCost, Designs } from '../../client/responses.ts';
import { CostBars, type CostItem } from '../../compare/cost-bars.tsx';

interface DesignBarsProps {
  readonly designs: Designs;
  /** The design that is shown; that of the scenario if none was tried. */
  readonly own: DesignCost | Designs['items'][number];
}

/** The costs of the scenario as it is, of the tried design and of the standard ones as bars. */
export function DesignBars({ designs: { present, items, cheapest }, own }: DesignBarsProps) {
  const isTried = 'difference' in own;
  const shown: CostItem[] = [
    itemOf(isTried ? 'The scenario as it is' : 'This design', present, null),
    ...(isTried ? [itemOf('This design', own, own.difference)] : []),
    ...items.map((item) => itemOf(item.name, item, item.difference)),
  ];
  return <CostBars what="designs" items={shown} cheapest={{ total: cheapest }} />;
}

const itemOf = (name: string, { cost, totals }: DesignCost, difference: CostItem['difference']): CostItem => ({
  key: name,
  name,
  cost,
  incomplete: totals.incomplete,
  difference,
});
