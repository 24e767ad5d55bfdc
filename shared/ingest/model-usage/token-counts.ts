import { isPresent, type JsonObject, objectOf } from '../../json/parse-json.ts';

/** The tokens of a model call. Absent: not reported. */
export interface TokenCounts {
  /** Input that neither comes from a cache nor is written to one. */
  input_tokens?: number;
  cache_read_tokens?: number;
  /** Input that is cached for the model's ordinary time: 5 minutes, 30 for GPT-5.6. */
  cache_write_tokens?: number;
  cache_write_1h_tokens?: number;
  /** With reasoning. */
  output_tokens?: number;
}

/** The most tokens of one kind in a call. */
export const maxTokens = 10_000_000;

/** Reads the counts of one usage, and remembers the first reason why it is not understood. */
export class CountReader {
  /** The end of a sentence that begins with the usage. */
  reason: string | undefined;
  readonly #names = new Set<string>();

  fail(reason: string): void {
    this.reason ??= reason;
  }

  /**
   * Reads one count that has several names: `[object, name]`. All that are present must be equal.
   * @returns undefined if none is present.
   */
  read(...places: readonly (readonly [JsonObject | undefined, string])[]): number | undefined {
    let count: number | undefined;
    for (const [object, name] of places) {
      this.#names.add(name);
      const value = object?.[name];
      if (!isPresent(value)) continue;
      const read = countOf(value);
      if (read === undefined) this.fail(`has a ${name} that is not a whole number from 0 to ${maxTokens}`);
      else if (count === undefined) count = read;
      else if (count !== read) this.fail(`has another number of the same tokens in ${name}`);
    }
    return count;
  }

  /** Requires that each part, such as `reasoning_tokens`, is at most its whole. */
  checkParts(details: JsonObject | undefined, whole: number): void {
    if (!details) return;
    for (const [name, value] of Object.entries(details)) {
      if (partName.test(name) && Number(value) > whole) this.fail(`has a ${name} that exceeds its whole`);
    }
  }

  /**
   * Requires that no count of cached tokens is left out because its name is unknown: it changes
   * what the input costs. Known are `others` and the names that were read since the last check.
   */
  checkCaches(usage: JsonObject, others: readonly string[] = []): void {
    for (const name of others) this.#names.add(name);
    this.#checkCaches(usage, 2);
    this.#names.clear();
  }

  #checkCaches(usage: JsonObject, levels: number): void {
    for (const [name, value] of Object.entries(usage)) {
      const nested = objectOf(value);
      if (nested) {
        if (levels > 0) this.#checkCaches(nested, levels - 1);
      } else if (cacheName.test(name) && !this.#names.has(name) && (countOf(value) ?? 0) > 0) {
        this.fail(`has an unknown ${name}`);
      }
    }
  }
}

const partName = /_tokens$|^(?:audio|reasoning)$/;
/** Amounts of money and ratios are not counts. */
const cacheName = /^(?!.*(?:cost|price|discount|rate|ratio)).*(?:cach|ephemeral)/i;

/** A whole number, also as text; undefined for anything else. */
export function countOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
  return Number.isInteger(number) && (number as number) >= 0 && (number as number) <= maxTokens
    ? (number as number)
    : undefined;
}

/** Counts of a call as a form reports them, before its input is divided. */
export interface ReportedCounts {
  /** Undefined if absent. */
  input: number | undefined;
  cacheRead: number;
  cacheWrite: number;
  cacheWrite1h: number;
  output: number | undefined;
}

/** Counts whose input contains the cached tokens. */
export function divideInput(counts: ReportedCounts, reader: CountReader): TokenCounts {
  const { input = 0, cacheRead, cacheWrite, cacheWrite1h } = counts;
  const uncached = input - cacheRead - cacheWrite - cacheWrite1h;
  if (uncached < 0) reader.fail('has more cached tokens than input tokens');
  return toTokenCounts({ ...counts, input: uncached });
}

/** Counts whose input and cached tokens are beside each other. */
export function toTokenCounts({ input, cacheRead, cacheWrite, cacheWrite1h, output }: ReportedCounts): TokenCounts {
  return {
    ...(input === undefined ? {} : { input_tokens: input }),
    ...(cacheRead > 0 && { cache_read_tokens: cacheRead }),
    ...(cacheWrite > 0 && { cache_write_tokens: cacheWrite }),
    ...(cacheWrite1h > 0 && { cache_write_1h_tokens: cacheWrite1h }),
    ...(output === undefined ? {} : { output_tokens: output }),
  };
}

export const totalMismatch = 'has a total that is not the sum of its parts';

export const cachedTokensOf = ({ cacheRead, cacheWrite, cacheWrite1h }: ReportedCounts) =>
  cacheRead + cacheWrite + cacheWrite1h;
