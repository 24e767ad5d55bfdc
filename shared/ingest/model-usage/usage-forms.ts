// The forms of a usage object. `docs/model-usage.md` has an example of each.
import { isPresent, type JsonObject, objectOf } from '../../json/parse-json.ts';

/** The forms that are read, for error messages. */
export const usageForms =
  'Anthropic Messages, OpenAI chat completions, embeddings or responses, Bedrock Converse, a Bedrock model invocation log, OpenTelemetry GenAI attributes, Gemini usageMetadata, LangChain usage_metadata';

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

const cacheNames = ['cache_read_tokens', 'cache_write_tokens', 'cache_write_1h_tokens'] as const;
const countNames = ['input_tokens', ...cacheNames, 'output_tokens'] as const;

/** Counts as they are read, also those that are absent. */
type Counts = Partial<Record<(typeof countNames)[number], number | undefined>>;
type CacheWrites = Pick<Counts, 'cache_write_tokens' | 'cache_write_1h_tokens'>;

/** The counts that are reported; without cached tokens that are 0. */
export function reportedCounts(counts: Counts = {}): TokenCounts {
  const reported: TokenCounts = {};
  for (const name of countNames) {
    const count = counts[name];
    const isCached = name !== 'input_tokens' && name !== 'output_tokens';
    if (count !== undefined && !(isCached && count === 0)) reported[name] = count;
  }
  return reported;
}

export const areEqual = (one: Counts, other: Counts) =>
  countNames.every((name) => (one[name] ?? 0) === (other[name] ?? 0));

/** Reads the counts of one record, and remembers the first reason why they are not understood. */
export class CountReader {
  /** The end of a sentence that begins with the usage. */
  reason: string | undefined;
  readonly #names = new Set<string>();

  fail(reason: string): void {
    this.reason ??= reason;
  }

  /** Reads a count with several names, such as `details/cached`; all present must be equal. */
  read(usage: JsonObject | undefined, ...paths: readonly string[]): number | undefined {
    let count: number | undefined;
    for (const path of paths) {
      const slash = path.indexOf('/');
      const holder = slash === -1 ? usage : objectOf(usage?.[path.slice(0, slash)]);
      const name = path.slice(slash + 1);
      this.#names.add(name);
      const value = holder?.[name];
      if (!isPresent(value)) continue;
      const read = countOf(value);
      if (read === undefined) this.fail(`has a ${name} that is not a whole number from 0 to ${maxTokens}`);
      else if (count === undefined) count = read;
      else if (count !== read) this.fail(`has another number of the same tokens in ${name}`);
    }
    return count;
  }

  requireInput({ input_tokens }: Counts): void {
    if (input_tokens === undefined) this.fail('has no number of input tokens');
  }

  checkTotal(total: number | undefined, ...sums: readonly number[]): void {
    if (total !== undefined && !sums.includes(total)) this.fail('has a total that is not the sum of its parts');
  }

  /** Requires that each part, such as `reasoning_tokens`, is at most its whole. */
  checkParts(details: JsonObject | undefined, whole = 0): void {
    if (!details) return;
    for (const [name, value] of Object.entries(details)) {
      if (partName.test(name) && Number(value) > whole) this.fail(`has a ${name} that exceeds its whole`);
    }
  }

  /**
   * Requires that no count of cached tokens is left out because its name is unknown: it changes
   * what the input costs. Known are `other` and the names that were read since the last check.
   */
  checkCaches(usage: JsonObject, other = ''): void {
    this.#names.add(other);
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

  /** Counts whose input contains the cached tokens. */
  divideInput(counts: Counts): Counts {
    const uncached = (counts.input_tokens ?? 0) - cachedTokensOf(counts);
    if (uncached < 0) this.fail('has more cached tokens than input tokens');
    return { ...counts, input_tokens: uncached };
  }
}

const partName = /_tokens$|^(?:audio|reasoning)$/;
/** Amounts of money and ratios are not counts. */
const cacheName = /^(?!.*(?:cost|price|discount|rate|ratio)).*(?:cach|ephemeral)/i;

/** A whole number, also as text; undefined for anything else. */
function countOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
  return Number.isInteger(number) && (number as number) >= 0 && (number as number) <= maxTokens
    ? (number as number)
    : undefined;
}

const cachedTokensOf = (counts: Counts) => cacheNames.reduce((sum, name) => sum + (counts[name] ?? 0), 0);

interface UsageForm {
  /** The names of which one at least makes an object a usage of this form. */
  readonly names: readonly string[];
  read(usage: JsonObject, reader: CountReader): Counts;
}

const chatNames = ['prompt_tokens', 'completion_tokens'];
const anthropicCaches = ['cache_read_input_tokens', 'cache_creation_input_tokens'];
const geminiNames = ['prompt', 'candidates', 'response', 'thoughts', 'total'].map((name) => `${name}_token_count`);
const camelCase = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

const forms: readonly UsageForm[] = [
  {
    names: ['input_tokens', 'output_tokens', ...chatNames, ...cacheNames, ...anthropicCaches],
    read: readSnakeCase,
  },
  { names: ['inputTokens', 'outputTokens', 'cacheReadInputTokens', 'cacheWriteInputTokens'], read: readConverse },
  { names: geminiNames.map(camelCase), read: readGemini },
  {
    names: geminiNames,
    read: (usage, reader) =>
      readGemini(Object.fromEntries(Object.entries(usage).map(([name, value]) => [camelCase(name), value])), reader),
  },
];

const formsByName = new Map(forms.flatMap((form) => form.names.map((name) => [name, form] as const)));

/** Names of a usage that other fields of a record do not have. */
const usageField = /token|^(?:cache_creation|cacheDetails|iterations)$/i;

/** The usage that a record has at its top level, among other fields; undefined if it has none. */
export function usageAmongFields(record: JsonObject): JsonObject | undefined {
  let isFound = false;
  for (const name in record) isFound ||= formsByName.has(name) && isPresent(record[name]);
  return isFound ? Object.fromEntries(Object.entries(record).filter(([name]) => usageField.test(name))) : undefined;
}

const tokenCount =
  /^(?:input|output|prompt|completion|candidates|response|thoughts|total|cache_?(?:read|write|creation)(?:_?input)?)_?token(?:s|_?count)$/i;
const maxLevels = 32;

/** Whether a record has two counts of tokens beside each other, at any place. */
export function hasTokenCounts(value: unknown, levels = maxLevels): boolean {
  if (typeof value !== 'object' || value === null || levels === 0) return false;
  let counts = 0;
  for (const [name, part] of Object.entries(value)) {
    if (tokenCount.test(name) && countOf(part) !== undefined) counts += 1;
    if (counts > 1 || hasTokenCounts(part, levels - 1)) return true;
  }
  return false;
}

/** Reads a usage object. @returns undefined if it has no field of a known form. */
export function readUsageForm(usage: JsonObject, reader: CountReader): Counts | undefined {
  const found = new Set<UsageForm>();
  for (const name in usage) {
    const form = isPresent(usage[name]) ? formsByName.get(name) : undefined;
    if (form) found.add(form);
  }
  let counts: Counts | undefined;
  for (const form of found) {
    const read = form.read(usage, reader);
    if (counts && !areEqual(counts, read)) reader.fail('has two forms with other numbers');
    counts ??= read;
  }
  return counts;
}

/** Details of OpenAI chat, OpenAI responses and LangChain, whose counts are within the totals. */
const inputDetails = ['prompt_tokens_details', 'input_tokens_details', 'input_token_details'];
const outputDetails = ['completion_tokens_details', 'output_tokens_details', 'output_token_details'];
const cacheReadNames = [
  'cache_read_tokens',
  'cache_read_input_tokens',
  'prompt_cache_hit_tokens',
  ...inputDetails.map((details) => `${details}/cached_tokens`),
  'input_token_details/cache_read',
];

/**
 * The names of Anthropic, OpenAI, LangChain and of this service. They have `input_tokens` in
 * common, so the other names tell whether it contains the cached tokens.
 */
function readSnakeCase(usage: JsonObject, reader: CountReader): Counts {
  const counts: Counts = {
    cache_read_tokens: reader.read(usage, ...cacheReadNames),
    input_tokens: reader.read(usage, 'input_tokens', 'prompt_tokens'),
    ...readCacheWrites(usage, reader),
    output_tokens: reader.read(usage, 'output_tokens', 'completion_tokens'),
  };
  for (const name of inputDetails) reader.checkParts(objectOf(usage[name]), counts.input_tokens);
  for (const name of outputDetails) reader.checkParts(objectOf(usage[name]), counts.output_tokens);
  const { iterations, ...others } = usage;
  reader.checkCaches(others, 'prompt_cache_miss_tokens');

  const has = (names: readonly string[]) => names.some((name) => isPresent(usage[name]));
  const isOwn = has(cacheNames);
  const isChat = has(chatNames);
  const isDetailed = inputDetails.some((name) => objectOf(usage[name]) !== undefined);
  const isBesideInput = has([...anthropicCaches, 'cache_creation']);
  const total = reader.read(usage, 'total_tokens');
  if (isOwn && isDetailed) reader.fail('has cached tokens both within its input and beside it');
  // Only usage with the names of this service can leave out a number, which is then estimated.
  if (isChat || isDetailed || isBesideInput || total !== undefined) {
    reader.requireInput(counts);
    counts.output_tokens ??= 0;
  }
  const withoutCaches = (counts.input_tokens ?? 0) + (counts.output_tokens ?? 0);
  let isWithin = isDetailed || (isChat && !isOwn);
  if (isBesideInput && !isDetailed && !isOwn && total !== undefined) isWithin = total === withoutCaches;
  reader.checkTotal(total, isWithin ? withoutCaches : withoutCaches + cachedTokensOf(counts));
  return addCompactions(isWithin ? reader.divideInput(counts) : counts, iterations, reader);
}

function readCacheWrites(usage: JsonObject, reader: CountReader): CacheWrites {
  const own = reader.read(usage, 'cache_write_tokens');
  const own1h = reader.read(usage, 'cache_write_1h_tokens');
  const all = reader.read(
    usage,
    'cache_creation_input_tokens',
    'prompt_tokens_details/cache_write_tokens',
    'prompt_tokens_details/cache_creation_tokens',
    'input_tokens_details/cache_write_tokens',
    'input_token_details/cache_creation',
  );
  const langChain = objectOf(usage['input_token_details']);
  const ofChat = objectOf(usage['prompt_tokens_details'])?.['cache_creation_token_details'];
  const splits = { own: usage['cache_creation'], ofChat, langChain };
  const split = readSplit(splits, Object.keys(splits), reader);
  if (own !== undefined || own1h !== undefined) {
    if (all !== undefined || split) reader.fail('has cache writes under two names');
    return { cache_write_tokens: own, cache_write_1h_tokens: own1h };
  }
  // Lifetimes of LangChain replace the sum, which is then 0 or the same tokens.
  return split ? requireSum(langChain ? undefined : all, split, reader) : { cache_write_tokens: all };
}

/** Cache writes by lifetime, in objects at these places; otherwise undefined. */
function readSplit(usage: JsonObject | undefined, places: readonly string[], reader: CountReader) {
  const read = (name: string) => reader.read(usage, ...places.map((place) => `${place}/${name}`)) ?? 0;
  const split = {
    cache_write_tokens: read('ephemeral_5m_input_tokens'),
    cache_write_1h_tokens: read('ephemeral_1h_input_tokens'),
  };
  return cachedTokensOf(split) > 0 ? split : undefined;
}

/** @param all the sum of the cache writes, if it is reported. */
function requireSum(all: number | undefined, writes: CacheWrites, reader: CountReader): CacheWrites {
  if (all !== undefined && all !== cachedTokensOf(writes)) {
    reader.fail('has cache writes that are not the sum of their lifetimes');
  }
  return writes;
}

const maxIterations = 1_000;

/** The usage is that of iterations of type `message`; compactions are billed beside it. */
function addCompactions(counts: Counts, iterations: unknown, reader: CountReader): Counts {
  if (!Array.isArray(iterations)) return counts;
  const sum = { ...counts };
  for (const iteration of iterations.slice(0, maxIterations).map(objectOf)) {
    const type = iteration?.['type'];
    if (type === 'message') continue;
    if (!iteration || type !== 'compaction') {
      reader.fail('has an iteration that is neither a message nor a compaction');
      continue;
    }
    const added = readSnakeCase({ ...iteration, iterations: undefined }, reader);
    for (const name of countNames) if (added[name] !== undefined) sum[name] = (sum[name] ?? 0) + added[name];
  }
  const isLarge = countNames.some((name) => (sum[name] ?? 0) > maxTokens);
  if (isLarge || iterations.length > maxIterations) reader.fail('has iterations that no call can have');
  return sum;
}

function readConverse(usage: JsonObject, reader: CountReader): Counts {
  const counts: Counts = {
    input_tokens: reader.read(usage, 'inputTokens'),
    cache_read_tokens: reader.read(usage, 'cacheReadInputTokens', 'cacheReadInputTokenCount'),
    ...divideWrites(
      reader.read(usage, 'cacheWriteInputTokens', 'cacheWriteInputTokenCount'),
      usage['cacheDetails'],
      reader,
    ),
    output_tokens: reader.read(usage, 'outputTokens') ?? 0,
  };
  reader.checkCaches(usage);
  reader.requireInput(counts);
  const withoutCaches = (counts.input_tokens ?? 0) + (counts.output_tokens ?? 0);
  reader.checkTotal(reader.read(usage, 'totalTokens'), withoutCaches, withoutCaches + cachedTokensOf(counts));
  return counts;
}

/** Divides the cache writes of Bedrock by `cacheDetails`: `[{ ttl: '5m' | '1h', inputTokens }]`. */
function divideWrites(all: number | undefined, details: unknown, reader: CountReader): CacheWrites {
  if (!Array.isArray(details) || details.length === 0) return { cache_write_tokens: all };
  const sums = { cache_write_tokens: 0, cache_write_1h_tokens: 0 };
  for (const detail of details.map(objectOf)) {
    const tokens = reader.read(detail, 'inputTokens') ?? 0;
    const ttl = detail?.['ttl'];
    if (ttl === '5m') sums.cache_write_tokens += tokens;
    else if (ttl === '1h') sums.cache_write_1h_tokens += tokens;
    else reader.fail('has cache writes with an unknown lifetime');
  }
  return requireSum(all, sums, reader);
}

function readGemini(usage: JsonObject, reader: CountReader): Counts {
  const [prompt = 0, cached = 0, tools = 0, thoughts = 0] = [
    reader.read(usage, 'promptTokenCount'),
    reader.read(usage, 'cachedContentTokenCount'),
    reader.read(usage, 'toolUsePromptTokenCount'),
    reader.read(usage, 'thoughtsTokenCount'),
  ];
  // Llama on Bedrock has `generation_token_count` beside `prompt_token_count`.
  const output = reader.read(usage, 'candidatesTokenCount', 'responseTokenCount', 'generationTokenCount') ?? 0;
  reader.checkCaches(usage);
  const divided = reader.divideInput({ input_tokens: prompt, cache_read_tokens: cached });
  const sum = prompt + tools + output + thoughts;
  // The total of the Live API leaves out thoughts.
  const isLive = isPresent(usage['responseTokenCount']);
  reader.checkTotal(reader.read(usage, 'totalTokenCount'), sum, ...(isLive ? [sum - thoughts] : []));
  return { ...divided, input_tokens: prompt - cached + tools, output_tokens: output + thoughts };
}

export const isInvocationLog = ({ schemaType }: JsonObject) => schemaType === 'ModelInvocationLog';

/**
 * Reads a record of Bedrock's model invocation log. The usage in the body of the output is that of
 * the same call; only the lifetimes of cache writes are taken from it.
 */
export function readInvocationLog(record: JsonObject, reader: CountReader): Counts {
  const written = reader.read(record, 'input/cacheWriteInputTokenCount') ?? 0;
  const counts: Counts = {
    input_tokens: reader.read(record, 'input/inputTokenCount'),
    cache_read_tokens: reader.read(record, 'input/cacheReadInputTokenCount'),
    ...(written > 0 && readLifetimes(written, objectOf(record['output'])?.['outputBodyJson'], reader)),
    output_tokens: reader.read(record, 'output/outputTokenCount') ?? 0,
  };
  reader.requireInput(counts);
  return counts;
}

/** A stream is the list of its events; the last usage with lifetimes is that of the call. */
function readLifetimes(written: number, body: unknown, reader: CountReader): CacheWrites {
  const events: unknown[] = Array.isArray(body) ? body : [body];
  for (const event of events.map(objectOf).reverse()) {
    const holders = [event, objectOf(event?.['message']), objectOf(event?.['metadata'])];
    for (const usage of holders.map((holder) => objectOf(holder?.['usage']))) {
      const split = readSplit(usage, ['cache_creation'], reader);
      if (split) return requireSum(written, split, reader);
      if (isPresent(usage?.['cacheDetails'])) return divideWrites(written, usage?.['cacheDetails'], reader);
    }
  }
  return { cache_write_tokens: written };
}

const genAiPrefix = 'gen_ai.usage.';

/** @param attributes by their whole names. @returns undefined if they have no usage. */
export function readGenAiUsage(attributes: JsonObject, reader: CountReader): Counts | undefined {
  const usage = Object.fromEntries(Object.entries(attributes).filter(([name]) => name.startsWith(genAiPrefix)));
  if (!Object.keys(usage).some((name) => name.includes('token'))) return undefined;
  const read = (...names: string[]) => reader.read(usage, ...names.map((name) => genAiPrefix + name));
  const input_tokens = read('input_tokens', 'prompt_tokens');
  const output_tokens = read('output_tokens', 'completion_tokens') ?? 0;
  reader.requireInput({ input_tokens });
  const reasoning = read('reasoning.output_tokens', 'reasoning_tokens') ?? 0;
  if (reasoning > output_tokens) reader.fail('has more reasoning than output tokens');
  reader.checkTotal(read('total_tokens'), (input_tokens ?? 0) + output_tokens);
  const counts: Counts = {
    input_tokens,
    cache_read_tokens: read('cache_read.input_tokens', 'cache_read_input_tokens'),
    cache_write_tokens: read('cache_write.input_tokens', 'cache_creation.input_tokens', 'cache_creation_input_tokens'),
    output_tokens,
  };
  reader.checkCaches(usage);
  return reader.divideInput(counts);
}
