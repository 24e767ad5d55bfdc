// Sums of the entries of a group, in units that are priced: the cost of all entries is divided by
// them.
export interface GroupSums {
  entries: number;
  /** Entries with personal data. */
  piiEntries: number;
  /** A redacted entry. */
  example: string;
  /** By the item of a charge. */
  units: { requests: number; invocations: number; compute: number };
  models: Map<string, ModelUnits>;
}

const noModelUnits = {
  calls: 0,
  input_tokens: 0,
  output_tokens: 0,
  cache_read_tokens: 0,
  cache_write_tokens: 0,
  cache_write_1h_tokens: 0,
};
type ModelUnits = typeof noModelUnits;

export function emptySums(): GroupSums {
  const units = { requests: 0, invocations: 0, compute: 0 };
  return { entries: 0, piiEntries: 0, example: '', units, models: new Map() };
}

export function mergeSums(into: GroupSums, more: GroupSums): void {
  into.entries += more.entries;
  into.piiEntries += more.piiEntries;
  if (into.example === '') into.example = more.example;
  addUnits(into.units, more.units);
  for (const [model, units] of more.models) addUnits(unitsOfModel(into, model), units);
}

/** The units of calls of a model, which the caller increases. */
export function unitsOfModel({ models }: GroupSums, model: string): ModelUnits {
  const known = models.get(model);
  if (known) return known;
  const units = { ...noModelUnits };
  models.set(model, units);
  return units;
}

function addUnits(into: Record<string, number>, more: Record<string, number>): void {
  for (const [item, count] of Object.entries(more)) into[item] = (into[item] ?? 0) + count;
}
