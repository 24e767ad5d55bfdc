// Sums of entries by pattern, level, source and model.
import type { CompleteAssumptions } from '../../../shared/scenarios/assumptions.ts';
import type { EntryUsage } from '../../../shared/usage/usage-tally.ts';
import { emptySums, type GroupSums, mergeSums, unitsOfModel } from './group-sums.ts';
import { PatternTree } from './patterns.ts';

export type Group = GroupSums & { name: string };
export type GroupKind = 'patterns' | 'levels' | 'sources' | 'models';
export type Groups = Record<GroupKind, { items: Group[]; rest: GroupSums }>;

const maxPatterns = 2_000;
const maxNames = 1_000;
const exampleCharacters = 160;
const noName = '(none)';

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
  readonly #patterns = new PatternTree(maxPatterns);
  readonly #names = { levels: new NamedSums(), sources: new NamedSums(), models: new NamedSums() };

  constructor(assumptions: CompleteAssumptions) {
    this.#assumptions = assumptions;
  }

  add(entry: GroupedEntry): void {
    const { level = noName, source = noName, usage } = entry;
    this.#addTo(this.#patterns.findLine(entry.text), entry);
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
    sums.units.requests += usage.queueRequests;
    sums.units.invocations += 1;
    sums.units.compute += usage.mbMs;
    const levels = pipeline?.inference?.levels;
    if (usage.unpriced || (levels && !levels.includes(usage.level))) return;
    const units = unitsOfModel(sums, usage.model);
    units.calls += 1;
    units.input_tokens += usage.inputTokens;
    units.output_tokens += usage.outputTokens ?? inference.output_tokens_per_entry;
    units.cache_read_tokens += usage.cacheReadTokens;
    units.cache_write_tokens += usage.cacheWriteTokens;
    units.cache_write_1h_tokens += usage.cacheWrite1hTokens;
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
    const patterns = this.#patterns.patterns().map(({ words, sums }) => ({ name: words.join(' '), ...sums }));
    return {
      patterns: { items: patterns, rest: this.#patterns.rest },
      levels: this.#names.levels.list(),
      sources: this.#names.sources.list(),
      models: this.#names.models.list(),
    };
  }
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
