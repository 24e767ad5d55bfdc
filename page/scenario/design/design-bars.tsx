import type { DesignCost, Designs } from '../../client/responses.ts';
import { CostBars, type CostItem } from '../../compare/cost-bars.tsx';
import { ownDesignName, presentDesignName } from './savings.ts';
import { nameOfDesign } from './standard-names.ts';

interface DesignBarsProps {
  readonly designs: Designs;
  /** The design that is shown; that of the scenario if none was tried. */
  readonly own: DesignCost | Designs['items'][number];
  /** The name of the cheapest one. */
  readonly cheapest: string | null;
}

/** The costs of the scenario as it is, of the tried design and of the standard ones as bars. */
export function DesignBars({ designs: { present, items }, own, cheapest }: DesignBarsProps) {
  const shown: CostItem[] = [
    itemOf(presentDesignName(own), present, null),
    ...('difference' in own ? [itemOf(ownDesignName, own, own.difference)] : []),
    ...items.map((item) => itemOf(item.name, item, item.difference)),
  ];
  return <CostBars what="designs" items={shown} cheapest={{ total: cheapest === null ? [] : [cheapest] }} />;
}

const itemOf = (name: string, { cost, totals }: DesignCost, difference: CostItem['difference']): CostItem => ({
  key: name,
  name: nameOfDesign(name),
  cost,
  incomplete: totals.incomplete,
  difference,
});
