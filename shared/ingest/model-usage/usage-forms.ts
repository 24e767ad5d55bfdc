// The forms of a usage object. `docs/model-usage.md` has an example of each.
import { isPresent, type JsonObject, objectOf } from '../../json/parse-json.ts';
import {
  type CountReader,
  cachedTokensOf,
  countOf,
  divideInput,
  maxTokens,
  type ReportedCounts,
  type TokenCounts,
  toTokenCounts,
  totalMismatch,
} from './token-counts.ts';

/** The forms that are read, for error messages. */
export const usageForms =
  'Anthropic Messages, OpenAI chat completions, embeddings or responses, Bedrock Converse, a Bedrock model invocation log, OpenTelemetry GenAI attributes, Gemini usageMetadata, LangChain usage_metadata';

interface UsageForm {
  /** The names of which one at least makes an object a usage of this form. */
  readonly names: readonly string[];
  read(usage: JsonObject, reader: CountReader): TokenCounts;
}

const forms: readonly UsageForm[] = [
  {
    names: [
      'input_tokens',
      'output_tokens',
      'prompt_tokens',
      'completion_tokens',
      'cache_read_tokens',
      'cache_write_tokens',
      'cache_write_1h_tokens',
      'cache_read_input_tokens',
      'cache_creation_input_tokens',
    ],
    read: readSnakeCase,
  },
  { names: ['inputTokens', 'outputTokens', 'cacheReadInputTokens', 'cacheWriteInputTokens'], read: readConverse },
  {
    names: ['promptTokenCount', 'candidatesTokenCount', 'responseTokenCount', 'thoughtsTokenCount', 'totalTokenCount'],
    read: readGemini,
  },
  {
    names: [
      'prompt_token_count',
      'candidates_token_count',
      'response_token_count',
      'thoughts_token_count',
      'total_token_count',
    ],
    read: (usage, reader) => readGemini(toCamelCase(usage), reader),
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

/**
 * Reads a usage object.
 * @returns undefined if it has no field of a known form.
 */
export function readUsageForm(usage: JsonObject, reader: CountReader): TokenCounts | undefined {
  const found = new Set<UsageForm>();
  for (const name in usage) {
    const form = isPresent(usage[name]) ? formsByName.get(name) : undefined;
    if (form) found.add(form);
  }
  let counts: TokenCounts | undefined;
  for (const form of found) {
    const read = form.read(usage, reader);
    if (counts && !areEqual(counts, read)) reader.fail('has two forms with other numbers');
    counts ??= read;
  }
  return counts;
}

const countNames = [
  'input_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
  'cache_write_1h_tokens',
  'output_tokens',
] as const;

export const areEqual = (one: TokenCounts, other: TokenCounts) =>
  countNames.every((name) => (one[name] ?? 0) === (other[name] ?? 0));

/**
 * The names of Anthropic, OpenAI, LangChain and of this service. They have `input_tokens` in
 * common, so the other names tell whether it contains the cached tokens.
 */
function readSnakeCase(usage: JsonObject, reader: CountReader): TokenCounts {
  const chat = objectOf(usage['prompt_tokens_details']);
  const responses = objectOf(usage['input_tokens_details']);
  const langChain = objectOf(usage['input_token_details']);
  const cacheRead = reader.read(
    [usage, 'cache_read_tokens'],
    [usage, 'cache_read_input_tokens'],
    [usage, 'prompt_cache_hit_tokens'],
    [chat, 'cached_tokens'],
    [responses, 'cached_tokens'],
    [langChain, 'cached_tokens'],
    [langChain, 'cache_read'],
  );
  const counts: ReportedCounts = {
    input: reader.read([usage, 'input_tokens'], [usage, 'prompt_tokens']),
    cacheRead: cacheRead ?? 0,
    ...readCacheWrites(usage, { chat, responses, langChain }, reader),
    output: reader.read([usage, 'output_tokens'], [usage, 'completion_tokens']),
  };
  for (const details of [chat, responses, langChain]) reader.checkParts(details, counts.input ?? 0);
  for (const name of ['completion_tokens_details', 'output_tokens_details', 'output_token_details']) {
    reader.checkParts(objectOf(usage[name]), counts.output ?? 0);
  }
  reader.checkCaches(omit(usage, 'iterations'), ['prompt_cache_miss_tokens']);

  const isOwn = ownCaches.some((name) => isPresent(usage[name]));
  const isChat = isPresent(usage['prompt_tokens']) || isPresent(usage['completion_tokens']);
  const isDetailed = chat !== undefined || responses !== undefined || langChain !== undefined;
  const isBesideInput = besideNames.some((name) => isPresent(usage[name]));
  const total = reader.read([usage, 'total_tokens']);
  if (isOwn && isDetailed) reader.fail('has cached tokens both within its input and beside it');
  if (counts.input === undefined && (isChat || isDetailed || isBesideInput || total !== undefined)) {
    reader.fail('has no number of input tokens');
  }
  // Only usage with the names of this service can leave out a number, which is then estimated.
  if (isChat || isDetailed || isBesideInput || total !== undefined) counts.output ??= 0;
  const { input = 0, output = 0 } = counts;
  const withoutCaches = input + output;
  const withCaches = withoutCaches + cachedTokensOf(counts);
  let isWithin = isDetailed || (isChat && !isOwn);
  if (isBesideInput && !isDetailed && !isOwn && total !== undefined) isWithin = total === withoutCaches;
  if (total !== undefined && total !== (isWithin ? withoutCaches : withCaches)) reader.fail(totalMismatch);
  const read = isWithin ? divideInput(counts, reader) : toTokenCounts(counts);
  return addCompactions(read, usage['iterations'], reader);
}

const ownCaches = ['cache_read_tokens', 'cache_write_tokens', 'cache_write_1h_tokens'];
const besideNames = ['cache_read_input_tokens', 'cache_creation_input_tokens', 'cache_creation'];

interface Details {
  readonly chat: JsonObject | undefined;
  readonly responses: JsonObject | undefined;
  readonly langChain: JsonObject | undefined;
}

function readCacheWrites(
  usage: JsonObject,
  { chat, responses, langChain }: Details,
  reader: CountReader,
): Pick<ReportedCounts, 'cacheWrite' | 'cacheWrite1h'> {
  const own = reader.read([usage, 'cache_write_tokens']);
  const own1h = reader.read([usage, 'cache_write_1h_tokens']);
  const all = reader.read(
    [usage, 'cache_creation_input_tokens'],
    [chat, 'cache_write_tokens'],
    [chat, 'cache_creation_tokens'],
    [responses, 'cache_write_tokens'],
    [langChain, 'cache_creation'],
  );
  const byLifetime = [usage['cache_creation'], chat?.['cache_creation_token_details'], langChain].map(objectOf);
  const for5m = reader.read(...byLifetime.map((split) => [split, 'ephemeral_5m_input_tokens'] as const)) ?? 0;
  const for1h = reader.read(...byLifetime.map((split) => [split, 'ephemeral_1h_input_tokens'] as const)) ?? 0;
  const isSplit = for5m + for1h > 0;
  if (own !== undefined || own1h !== undefined) {
    if (all !== undefined || isSplit) reader.fail('has cache writes under two names');
    return { cacheWrite: own ?? 0, cacheWrite1h: own1h ?? 0 };
  }
  if (!isSplit) return { cacheWrite: all ?? 0, cacheWrite1h: 0 };
  // Lifetimes of LangChain replace the sum, which is then 0 or the same tokens.
  if (all !== undefined && !langChain && all !== for5m + for1h) {
    reader.fail('has cache writes that are not the sum of their lifetimes');
  }
  return { cacheWrite: for5m, cacheWrite1h: for1h };
}

const maxIterations = 1_000;

/**
 * The usage of Anthropic is that of the iterations of type `message`; those that compact the
 * context are billed beside it.
 */
function addCompactions(counts: TokenCounts, iterations: unknown, reader: CountReader): TokenCounts {
  if (!Array.isArray(iterations)) return counts;
  const sum: Record<string, number | undefined> = { ...counts };
  for (const iteration of iterations.slice(0, maxIterations).map(objectOf)) {
    const type = iteration?.['type'];
    if (type === 'message') continue;
    if (!iteration || type !== 'compaction') {
      reader.fail('has an iteration that is neither a message nor a compaction');
      continue;
    }
    const added = readSnakeCase(omit(iteration, 'iterations'), reader);
    for (const name of countNames) if (added[name] !== undefined) sum[name] = (sum[name] ?? 0) + added[name];
  }
  const isLarge = countNames.some((name) => (sum[name] ?? 0) > maxTokens);
  if (isLarge || iterations.length > maxIterations) reader.fail('has iterations that no call can have');
  return sum;
}

function omit(usage: JsonObject, name: string): JsonObject {
  if (!(name in usage)) return usage;
  const { [name]: _, ...others } = usage;
  return others;
}

function readConverse(usage: JsonObject, reader: CountReader): TokenCounts {
  const counts: ReportedCounts = {
    input: reader.read([usage, 'inputTokens']),
    cacheRead: reader.read([usage, 'cacheReadInputTokens'], [usage, 'cacheReadInputTokenCount']) ?? 0,
    ...divideWrites(
      reader.read([usage, 'cacheWriteInputTokens'], [usage, 'cacheWriteInputTokenCount']),
      usage['cacheDetails'],
      reader,
    ),
    output: reader.read([usage, 'outputTokens']) ?? 0,
  };
  reader.checkCaches(usage);
  if (counts.input === undefined) reader.fail('has no number of input tokens');
  const total = reader.read([usage, 'totalTokens']);
  const withoutCaches = (counts.input ?? 0) + (counts.output ?? 0);
  if (total !== undefined && total !== withoutCaches && total !== withoutCaches + cachedTokensOf(counts)) {
    reader.fail(totalMismatch);
  }
  return toTokenCounts(counts);
}

/** Divides the cache writes of Bedrock by `cacheDetails`: `[{ ttl: '5m' | '1h', inputTokens }]`. */
function divideWrites(
  all: number | undefined,
  details: unknown,
  reader: CountReader,
): Pick<ReportedCounts, 'cacheWrite' | 'cacheWrite1h'> {
  if (!Array.isArray(details) || details.length === 0) return { cacheWrite: all ?? 0, cacheWrite1h: 0 };
  const sums = { cacheWrite: 0, cacheWrite1h: 0 };
  for (const detail of details.map(objectOf)) {
    const tokens = reader.read([detail, 'inputTokens']) ?? 0;
    const ttl = detail?.['ttl'];
    if (ttl === '5m') sums.cacheWrite += tokens;
    else if (ttl === '1h') sums.cacheWrite1h += tokens;
    else reader.fail('has cache writes with an unknown lifetime');
  }
  if (all !== undefined && all !== sums.cacheWrite + sums.cacheWrite1h) {
    reader.fail('has cache writes that are not the sum of their lifetimes');
  }
  return sums;
}

function readGemini(usage: JsonObject, reader: CountReader): TokenCounts {
  const prompt = reader.read([usage, 'promptTokenCount']) ?? 0;
  const cached = reader.read([usage, 'cachedContentTokenCount']) ?? 0;
  const tools = reader.read([usage, 'toolUsePromptTokenCount']) ?? 0;
  const thoughts = reader.read([usage, 'thoughtsTokenCount']) ?? 0;
  const output =
    reader.read(
      [usage, 'candidatesTokenCount'],
      [usage, 'responseTokenCount'],
      // Llama on Bedrock has it beside `prompt_token_count`.
      [usage, 'generationTokenCount'],
    ) ?? 0;
  reader.checkCaches(usage);
  if (cached > prompt) reader.fail('has more cached tokens than input tokens');
  const total = reader.read([usage, 'totalTokenCount']);
  const sum = prompt + tools + output + thoughts;
  // The total of the Live API leaves out thoughts.
  const isLive = isPresent(usage['responseTokenCount']);
  if (total !== undefined && total !== sum && !(isLive && total === sum - thoughts)) reader.fail(totalMismatch);
  const counts = { input: prompt - cached + tools, cacheRead: cached, output: output + thoughts };
  return toTokenCounts({ ...counts, cacheWrite: 0, cacheWrite1h: 0 });
}

const toCamelCase = (usage: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(usage).map(([name, value]) => [
      name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );

export const isInvocationLog = ({ schemaType }: JsonObject) => schemaType === 'ModelInvocationLog';

/**
 * Reads a record of Bedrock's model invocation log. The usage in the body of the output is that of
 * the same call; only the lifetimes of cache writes are taken from it.
 */
export function readInvocationLog(record: JsonObject, reader: CountReader): TokenCounts {
  const input = objectOf(record['input']);
  const output = objectOf(record['output']);
  const written = reader.read([input, 'cacheWriteInputTokenCount']) ?? 0;
  const counts: ReportedCounts = {
    input: reader.read([input, 'inputTokenCount']),
    cacheRead: reader.read([input, 'cacheReadInputTokenCount']) ?? 0,
    ...(written > 0 ? readLifetimes(written, output?.['outputBodyJson'], reader) : { cacheWrite: 0, cacheWrite1h: 0 }),
    output: reader.read([output, 'outputTokenCount']) ?? 0,
  };
  if (counts.input === undefined) reader.fail('has no number of input tokens');
  return toTokenCounts(counts);
}

/**
 * The body of a stream is the list of its events; the last usage with lifetimes is that of the
 * call.
 */
function readLifetimes(
  written: number,
  body: unknown,
  reader: CountReader,
): Pick<ReportedCounts, 'cacheWrite' | 'cacheWrite1h'> {
  const events: unknown[] = Array.isArray(body) ? body : [body];
  for (const event of events.map(objectOf).reverse()) {
    const holders = [event, objectOf(event?.['message']), objectOf(event?.['metadata'])];
    for (const usage of holders.map((holder) => objectOf(holder?.['usage']))) {
      const split = objectOf(usage?.['cache_creation']);
      const for5m = reader.read([split, 'ephemeral_5m_input_tokens']) ?? 0;
      const for1h = reader.read([split, 'ephemeral_1h_input_tokens']) ?? 0;
      if (for5m + for1h > 0) {
        const details = [
          { ttl: '5m', inputTokens: for5m },
          { ttl: '1h', inputTokens: for1h },
        ];
        return divideWrites(written, details, reader);
      }
      if (isPresent(usage?.['cacheDetails'])) return divideWrites(written, usage?.['cacheDetails'], reader);
    }
  }
  return { cacheWrite: written, cacheWrite1h: 0 };
}
