// Sums of entries by pattern, level, source and model, in units that are priced: the cost of all
// entries is divided by them.
import type { CompleteAssumptions } from '../../../shared/scenarios/assumptions.ts';
import type { EntryUsage } from '../../../shared/usage/usage-tally.ts';
import { PatternTree, textOfWords, wordsOf } from './patterns.ts';

/** Units by the item of a charge, and for tokens by `item model`. */
export interface GroupSums {
  entries: number;
  /** Entries with personal data. */
  piiEntries: number;
  /** A redacted entry. */
  example: string;
  units: Record<string, number>;
}

export interface Group extends GroupSums {
  name: string;
}

export type GroupKind = 'patterns' | 'levels' | 'sources' | 'models';
export type Groups = Record<GroupKind, { items: Group[]; rest: GroupSums }>;

const maxPatterns = 2_000;
const maxNames = 1_000;
const exampleCharacters = 160;
const noName = '(none)';

export const emptySums = (): GroupSums => ({ entries: 0, piiEntries: 0, example: '', units: {} });

export function mergeSums(into: GroupSums, more: GroupSums): void {
  into.entries += more.entries;
  into.piiEntries += more.piiEntries;
  if (into.example === '') into.example = more.example;
  for (const unit in more.units) into.units[unit] = (into.units[unit] ?? 0) + (more.units[unit] as number);
}

/** An entry that has been metered. */
interface GroupedEntry {
  usage: EntryUsage;
  /** Its redacted text. */
  text: string;
  source: string | undefined;
  level: string | undefined;
  hasPii: boolean;
}

/** The groups of entries, or of the groups of others: in a fixed order, the result is the same. */
export class GroupTally {
  readonly #assumptions: CompleteAssumptions;
  readonly #patterns = new PatternTree<GroupSums>(emptySums, mergeSums, maxPatterns);
  readonly #names = { levels: new NamedSums(), sources: new NamedSums(), models: new NamedSums() };
  readonly #tokenUnits = new Map<string, readonly string[]>();

  constructor(assumptions: CompleteAssumptions) {
    this.#assumptions = assumptions;
  }

  add(entry: GroupedEntry): void {
    const { level = noName, source = noName, usage } = entry;
    this.#addTo(this.#patterns.find(wordsOf(entry.text)), entry);
    this.#addTo(this.#names.levels.of(level), entry);
    this.#addTo(this.#names.sources.of(source), entry);
    this.#addTo(this.#names.models.of(usage.unpriced ? `${usage.model} (no price)` : usage.model), entry);
  }

  /** An entry that a pipeline leaves out has no part in the cost. */
  #addTo(sums: GroupSums, { usage, text, hasPii }: GroupedEntry): void {
    sums.entries += 1;
    if (hasPii) sums.piiEntries += 1;
    if (sums.example === '') sums.example = text.slice(0, exampleCharacters);
    const { pipeline, inference } = this.#assumptions;
    if (pipeline?.levels && !pipeline.levels.includes(usage.level)) return;
    const { units } = sums;
    addUnits(units, 'requests', usage.queueRequests);
    addUnits(units, 'invocations', 1);
    addUnits(units, 'compute', usage.mbMs);
    const levels = pipeline?.inference?.levels;
    if (usage.unpriced || (levels && !levels.includes(usage.level))) return;
    const names = this.#unitsOf(usage.model);
    addUnits(units, names[0] as string, 1);
    addUnits(units, names[1] as string, usage.inputTokens);
    addUnits(units, names[2] as string, usage.outputTokens ?? inference.output_tokens_per_entry);
    addUnits(units, names[3] as string, usage.cacheReadTokens);
    addUnits(units, names[4] as string, usage.cacheWriteTokens);
    addUnits(units, names[5] as string, usage.cacheWrite1hTokens);
  }

  /** The names of the units of a model. To put them together takes longer than all else. */
  #unitsOf(model: string): readonly string[] {
    const names = this.#tokenUnits.get(model) ?? tokenItems.map((item) => `${item} ${model}`);
    this.#tokenUnits.set(model, names);
    return names;
  }

  merge(groups: Groups): void {
    for (const { name, ...sums } of groups.patterns.items) mergeSums(this.#patterns.find(name.split(' ')), sums);
    mergeSums(this.#patterns.rest, groups.patterns.rest);
    for (const kind of ['levels', 'sources', 'models'] as const) {
      for (const { name, ...sums } of groups[kind].items) mergeSums(this.#names[kind].of(name), sums);
      mergeSums(this.#names[kind].rest, groups[kind].rest);
    }
  }

  groups(): Groups {
    const patterns = this.#patterns.patterns().map(({ words, sums }) => ({ name: textOfWords(words), ...sums }));
    const { levels, sources, models } = this.#names;
    return {
      patterns: { items: patterns, rest: this.#patterns.rest },
      levels: levels.list(),
      sources: sources.list(),
      models: models.list(),
    };
  }
}

const tokenItems = [
  'calls',
  'input_tokens',
  'output_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
  'cache_write_1h_tokens',
] as const;

function addUnits(units: Record<string, number>, name: string, count: number): void {
  if (count > 0) units[name] = (units[name] ?? 0) + count;
}

class NamedSums {
  readonly #sums = new Map<string, GroupSums>();
  readonly rest = emptySums();

  of(name: string): GroupSums {
    const known = this.#sums.get(name);
    if (known) return known;
    if (this.#sums.size >= maxNames) return this.rest;
    const sums = emptySums();
    this.#sums.set(name, sums);
    return sums;
  }

  list(): { items: Group[]; rest: GroupSums } {
    return { items: Array.from(this.#sums, ([name, sums]) => ({ name, ...sums })), rest: this.rest };
  }
}
