import type { Assumptions, CompleteAssumptions } from '../../scenarios/assumptions.ts';
import type { Pipeline } from '../../scenarios/pipeline.ts';

/** A scenario as it could be. */
export interface Design {
  name: string;
  /** Default: that of the scenario. */
  region?: string;
  /** The version of the price book. Default: that of the scenario. */
  price_book?: string;
  /**
   * Absent fields are those of the scenario. A pipeline is replaced as a whole; null removes it.
   */
  assumptions?: Omit<Assumptions, 'pipeline'> & { pipeline?: Pipeline | null | undefined };
}

/** An instruction of usual length, and a response of usual length. */
const instruction = { prompt_tokens: 800, output_tokens_per_call: 300 };
const batches: Pipeline['function'] = { batch_size: 50, window_seconds: 5 };
const manyACall = { ...instruction, entries_per_call: 50 };

/**
 * Five designs that differ in what decides on the cost.
 * @param own FIFO queues have no windows, so the designs with windows take a standard queue.
 */
export function standardDesigns({ queue }: CompleteAssumptions): Design[] {
  const windowed = queue.type === 'fifo' ? { queue: { type: 'standard' as const } } : {};
  const gathered = (inference: Pipeline['inference']): Assumptions => ({
    ...windowed,
    pipeline: { function: batches, inference },
  });
  return [
    { name: 'simple', assumptions: { pipeline: null } },
    { name: 'one call a line', assumptions: { pipeline: { inference: instruction } } },
    { name: '50 lines a call', assumptions: gathered(manyACall) },
    { name: '50 lines a batch job', assumptions: gathered({ ...manyACall, tier: 'batch' }) },
    { name: 'errors only, 50 a call', assumptions: gathered({ ...manyACall, levels: ['error', 'fatal'] }) },
  ];
}

/** The parts of a design's cost, as the API shows it, that decide which one is the cheapest. */
export interface ComparedDesign {
  readonly cost: { readonly total: string | null };
  readonly month: { readonly total: string | null } | null;
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
 * there is none. If no entry reaches the model in any design, that excludes none. A month decides
 * if all designs have one.
 */
export function cheapestDesign(designs: readonly (ComparedDesign & { readonly name: string })[]): string | null {
  const reaching = designs.filter(({ flow }) => flow.model_entries > 0);
  const isMonthly = designs.every(({ month }) => month !== null);
  let best: { name: string; units: bigint } | null = null;
  for (const { name, cost, month, totals } of reaching.length > 0 ? reaching : designs) {
    const total = isMonthly ? (month?.total ?? null) : cost.total;
    if (total === null || totals.incomplete) continue;
    const units = unitsOf(total);
    if (best === null || units < best.units) best = { name, units };
  }
  return best?.name ?? null;
}

/** An amount in whole units: all amounts of the API have the same number of decimals. */
export const unitsOf = (usd: string): bigint => BigInt(usd.replace('.', ''));

/** By the names in the API; `inWords` is the subject of a sentence. */
const texts: Readonly<Record<string, Record<'name' | 'inWords' | 'description', string>>> = {
  simple: {
    name: 'Simple',
    inWords: 'One call an entry without an instruction',
    description: 'Each entry is a message, an invocation and a model call, without an instruction.',
  },
  'one call a line': {
    name: 'One call per entry',
    inWords: 'One call an entry with an instruction',
    description: 'Each entry has its own model call, with an instruction of 800 tokens and 300 output tokens.',
  },
  '50 lines a call': {
    name: '50 per call',
    inWords: 'Fifty entries a call',
    description: 'Up to 50 entries that arrive within 5 seconds share a call and its instruction.',
  },
  '50 lines a batch job': {
    name: 'Batch of 50',
    inWords: 'Fifty entries a batch job',
    description: '50 entries share an instruction in a batch job, at batch prices; results come hours later.',
  },
  'errors only, 50 a call': {
    name: 'Errors only, 50 per call',
    inWords: 'Errors only, fifty a call,',
    description: 'As 50 per call, but only entries marked error or fatal go to the model.',
  },
};

export const nameOfDesign = (name: string): string => texts[name]?.name ?? name;
export const designInWords = (name: string): string => texts[name]?.inWords ?? `“${name}”`;
export const descriptionOfDesign = (name: string): string | undefined => texts[name]?.description;
