/** The parts of a design's cost, as the API shows it, that decide which one is the cheapest. */
interface ComparedDesign {
  readonly cost: { readonly total: string | null };
  readonly totals: { readonly incomplete: boolean };
  readonly flow: { readonly model_entries: number };
}

/**
 * Whether a design can be recommended for its cost: all of it is known, and entries reach the
 * model. A design without entries for the model costs the least, because it does nothing.
 */
export function isRecommendable({ cost, totals, flow }: ComparedDesign): boolean {
  return cost.total !== null && !totals.incomplete && flow.model_entries > 0;
}

/**
 * The name of the cheapest design that can be recommended, the first one of equal costs; null if
 * there is none.
 */
export function cheapestDesign(designs: readonly (ComparedDesign & { readonly name: string })[]): string | null {
  let best: { name: string; units: bigint } | null = null;
  for (const design of designs) {
    if (design.cost.total === null || !isRecommendable(design)) continue;
    const units = unitsOf(design.cost.total);
    if (best === null || units < best.units) best = { name: design.name, units };
  }
  return best?.name ?? null;
}

/** An amount in whole units: all amounts of the API have the same number of decimals. */
export const unitsOf = (usd: string): bigint => BigInt(usd.replace('.', ''));
