// Sums of entries by pattern, level, source and model, in units that are priced: the cost of all
// entries is divided by them.
import type { Pipeline } from '../../../shared/scenarios/pipeline.ts';
import type { EntryUsage } from '../../../shared/usage/entry-usage.ts';
import { PatternTree, textOfWords, wordsOf } from './patterns.ts';

/** Units by the item of a charge, and for tokens by `item model`. */
export interface GroupSums {
  entries: number;
  bytes: number;
  /** Entries with personal data. */
  piiEntries: number;
  /** A redacted entry. */
  example: string;
  units: Record<string, number>;
}

export interface Group extends GroupSums {
  name: string;
}

export const groupKinds = ['patterns', 'levels', 'sources', 'models'] as const;
export type GroupKind = (typeof groupKinds)[number];
export type Groups = Record<GroupKind, { items: Group[]; rest: GroupSums }>;

const maxPatterns = 2_000;
const maxNames = 1_000;
const exampleCharacters = 160;
export const noName = '(none)';

export const emptySums = (): GroupSums => ({ entries: 0, bytes: 0, piiEntries: 0, example: '', units: {} });

export function mergeSums(into: GroupSums, more: GroupSums): void {
  into.entries += more.entries;
  into.bytes += more.bytes;
  into.piiEntries += more.piiEntries;
  if (into.example === '') into.example = more.example;
  for (const unit in more.units) into.units[unit] = (into.units[unit] ?? 0) + (more.units[unit] as number);
}

/** An entry that has been metered. */
export interface GroupedEntry {
  usage: EntryUsage;
  /** Its redacted text. */
  text: string;
  source: string | undefined;
  level: string | undefined;
  hasPii: boolean;
}

/** The groups of entries, or of the groups of others: in a fixed order, the result is the same. */
export class GroupTally {
  readonly #pipeline: Pipeline | undefined;
  readonly #outputTokens: number;
  readonly #patterns = new PatternTree<GroupSums>(emptySums, mergeSums, maxPatterns);
  readonly #names = { levels: new NamedSums(), sources: new NamedSums(), models: new NamedSums() };

  /** @param outputTokens of an entry that reports none. */
  constructor(pipeline: Pipeline | undefined, outputTokens: number) {
    this.#pipeline = pipeline;
    this.#outputTokens = outputTokens;
  }

  add(entry: GroupedEntry): void {
    const { usage, text } = entry;
    const groups = [
      this.#patterns.find(wordsOf(text)),
      this.#names.levels.of(entry.level ?? noName),
      this.#names.sources.of(entry.source ?? noName),
      this.#names.models.of(usage.unpriced ? `${usage.model} (no price)` : usage.model),
    ];
    const units = this.#unitsOf(usage);
    for (const sums of groups) {
      sums.entries += 1;
      sums.bytes += usage.sizeBytes;
      if (entry.hasPii) sums.piiEntries += 1;
      if (sums.example === '') sums.example = text.slice(0, exampleCharacters);
      for (const [unit, count] of units) sums.units[unit] = (sums.units[unit] ?? 0) + count;
    }
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

  /** An entry that a pipeline leaves out has no part in the cost. */
  #unitsOf(usage: EntryUsage): [unit: string, count: number][] {
    const pipeline = this.#pipeline;
    if (pipeline?.levels && !pipeline.levels.includes(usage.level)) return [];
    const units: [string, number][] = [
      ['requests', usage.queueRequests],
      ['invocations', 1],
      ['compute', usage.mbMs],
    ];
    const levels = pipeline?.inference?.levels;
    if (usage.unpriced || (levels && !levels.includes(usage.level))) return units;
    const tokens = {
      input_tokens: usage.inputTokens,
      output_tokens: usage.outputTokens ?? this.#outputTokens,
      cache_read_tokens: usage.cacheReadTokens,
      cache_write_tokens: usage.cacheWriteTokens,
      cache_write_1h_tokens: usage.cacheWrite1hTokens,
    };
    for (const [item, count] of Object.entries(tokens)) if (count > 0) units.push([`${item} ${usage.model}`, count]);
    return [...units, [`calls ${usage.model}`, 1]];
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
