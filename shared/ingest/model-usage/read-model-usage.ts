// From a record as a program writes it to the usage of a model call. Pure: of the price book, only
// the names of models. `docs/model-usage.md` describes what is read.
import { isPresent, type JsonObject, objectOf, parseJson } from '../../json/parse-json.ts';
import { type CallProfile, createModelFinder, keptName, type ModelNames } from '../model-name.ts';
import {
  areEqual,
  CountReader,
  hasTokenCounts,
  isInvocationLog,
  readGenAiUsage,
  readInvocationLog,
  readUsageForm,
  reportedCounts,
  type TokenCounts,
  usageAmongFields,
} from './usage-forms.ts';

interface FunctionUsage {
  function_duration_ms?: number;
  function_memory_mb?: number;
}

/** The usage that an entry reports, as it is stored with the entry. */
export interface EntryUsageReport extends TokenCounts, FunctionUsage {
  /** An id of the price book. */
  model?: string;
  /** How the model was called. Absent: as the scenario calls models. */
  profile?: CallProfile;
  /** In place of `model`: a name that is not that of one model of the price book. */
  unknown_model?: string;
}

/** Why a usage is not understood: the end of a sentence that begins with it. */
interface UnreadUsage {
  readonly unread: string;
}

/** Reads the usage of an entry; undefined if it reports none. */
export type ReadUsage = ReturnType<typeof createUsageReader>;

/**
 * Creates a function that reads the usage of an entry: of the first of several records that reports
 * one. A text can be a record in JSON.
 * @param names the models of all versions of the price book.
 */
export function createUsageReader(names: ModelNames) {
  const findModel = createModelFinder(names);
  return (...sources: readonly (JsonObject | string)[]): EntryUsageReport | UnreadUsage | undefined => {
    const records = sources
      .map((source) => (typeof source === 'string' ? recordIn(source) : source))
      .filter((record) => record !== undefined);
    for (const record of records) {
      const reported = readModelUsage(record);
      if (!reported) continue;
      if ('unread' in reported) return reported;
      const { counts, models } = reported;
      const [name] = models;
      return name === undefined ? counts : { ...counts, ...(findModel(models) ?? { unknown_model: keptName(name) }) };
    }
    const isElsewhere = records.some((record) => hasTokenCounts(record));
    return isElsewhere ? { unread: 'is at a place that is not read' } : undefined;
  };
}

/** Every usage has a name with this part, whose first letter is rare: a fast search. */
export const canHaveUsage = (text: string) => text.includes('ken');

const recordIn = (text: string) => (canHaveUsage(text) && /^\s*\{/.test(text) ? objectOf(parseJson(text)) : undefined);

/** The usage that an entry reports: of a model call, and of the function that made it. */
interface ReportedUsage {
  readonly counts: TokenCounts & FunctionUsage;
  /** Names of the model as written: the first counts, the others can tell its profile. */
  readonly models: readonly string[];
}

const usageNames = ['usage', 'usage_metadata', 'usageMetadata'];
const modelNames = ['model', 'modelId', 'modelVersion', 'model_version'];
/** Usage in names of other conventions, which are not read. */
const otherConvention = /^(?:llm|ai)\.(?:usage|token_count)\./;

/** Reads the usage of a model call; undefined if the record reports none. */
export function readModelUsage(record: JsonObject): ReportedUsage | UnreadUsage | undefined {
  const reader = new CountReader();
  if (isInvocationLog(record)) {
    const ofLog = readInvocationLog(record, reader);
    return resultOf(reader, reportedCounts(ofLog), textsOf(record, ['modelId']));
  }
  const attributes = genAiAttributesOf(record);
  let counts: ReturnType<typeof readUsageForm>;
  const models: string[] = [];
  const add = (read: typeof counts, names: readonly string[] = []) => {
    if (!read) return;
    if (counts && !areEqual(counts, read)) reader.fail('is reported twice, with other numbers');
    counts ??= read;
    models.push(...names);
  };
  const response = objectOf(record['response']);
  const holders = [record, response, objectOf(record['message'])].filter((holder) => holder !== undefined);
  for (const holder of holders) {
    for (const name of usageNames) {
      const usage = objectOf(holder[name]);
      if (usage) {
        const read = readUsageForm(usage, reader);
        if (!read && hasTokens(usage)) reader.fail('has the names of no known form');
        add(read, [...textsOf(usage, modelNames), ...textsOf(holder, modelNames)]);
      } else if (isOtherUsage(holder[name])) reader.fail('is not an object');
    }
  }
  const fields = usageAmongFields(record);
  if (fields) add(readUsageForm(fields, reader));
  add(readGenAiUsage(attributes, reader));
  if (!counts && !reader.reason && hasOtherConvention(record)) reader.fail('has the names of no known form');
  const own = objectOf(record['usage']);
  const ofFunction = own && readFunctionUsage(own, reader);
  if (!counts && !ofFunction && !reader.reason) return undefined;
  // A model beside usage of a function only is not that of the call.
  if (!counts) return resultOf(reader, { ...ofFunction }, textsOf(own, ['model']));
  models.push(
    ...textsOf(response, modelNames),
    ...holders.flatMap((holder) => textsOf(objectOf(holder['response_metadata']), ['model_name', 'model', 'model_id'])),
    ...textsOf(attributes, ['gen_ai.response.model', 'gen_ai.request.model']),
    ...textsOf(record, [...modelNames, 'model_id', 'model_name']),
  );
  return resultOf(reader, { ...reportedCounts(counts), ...ofFunction }, models);
}

function resultOf(
  { reason }: CountReader,
  counts: TokenCounts & FunctionUsage,
  models: readonly string[],
): ReportedUsage | UnreadUsage {
  return reason === undefined ? { counts, models: [...new Set(models)] } : { unread: reason };
}

function textsOf(holder: JsonObject | undefined, names: readonly string[]): string[] {
  const values = names.map((name) => holder?.[name]);
  return values.filter((value): value is string => typeof value === 'string' && value.trim() !== '');
}

/** The limits of the function service. */
const functionBounds = {
  function_duration_ms: { min: 0, max: 900_000, isWhole: false },
  function_memory_mb: { min: 128, max: 10_240, isWhole: true },
} as const;

/** Reads the usage of a function; undefined for other usage, such as that of a processor. */
function readFunctionUsage(usage: JsonObject, reader: CountReader): FunctionUsage | undefined {
  const { function_duration_ms: duration, function_memory_mb: memory, model } = usage;
  const isModelOnly = typeof model === 'string' && Object.keys(usage).length === 1;
  if (!isPresent(duration) && !isPresent(memory)) return isModelOnly ? {} : undefined;
  const read: FunctionUsage = {};
  for (const [name, { min, max, isWhole }] of Object.entries(functionBounds)) {
    const value = usage[name];
    if (!isPresent(value)) continue;
    const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
    const isValid = typeof number === 'number' && number >= min && number <= max;
    if (isValid && (!isWhole || Number.isInteger(number))) read[name as keyof FunctionUsage] = number;
    else reader.fail(`has a ${name} that is not a ${isWhole ? 'whole ' : ''}number from ${min} to ${max}`);
  }
  return read;
}

/** Whether a usage counts tokens, in itself or one level below. */
const hasTokens = (usage: JsonObject): boolean =>
  Object.entries(usage).some(
    ([name, value]) =>
      (isPresent(value) && /token/i.test(name)) ||
      Object.keys(objectOf(value) ?? {}).some((nested) => /token/i.test(nested)),
  );

/** Whether a usage that is no object counts tokens: a list, or a text in JSON. */
function isOtherUsage(usage: unknown): boolean {
  if (Array.isArray(usage)) return usage.some((item) => hasTokens(objectOf(item) ?? {}));
  return typeof usage === 'string' && /^\s*\[?\s*\{.*token/is.test(usage);
}

function hasOtherConvention(record: JsonObject): boolean {
  for (const holder of [record, objectOf(record['attributes'])]) {
    for (const name in holder) if (otherConvention.test(name) && typeof holder[name] !== 'string') return true;
  }
  return false;
}

const maxLevels = 6;
/**
 * These attributes have shorter keys. Long ones that are joined would be compared with each
 * other whole, because V8 hashes them by their length.
 */
const maxKeyCharacters = 100;

/** Attributes of OpenTelemetry GenAI, nested or not, by their whole names. */
function genAiAttributesOf(record: JsonObject): JsonObject {
  const found: Record<string, unknown> = {};
  for (const holder of [record, objectOf(record['attributes'])]) {
    for (const name in holder) if (name.startsWith('gen_ai')) flatten(found, name, holder[name], maxLevels, name);
  }
  return found;
}

function flatten(into: Record<string, unknown>, name: string, value: unknown, levels: number, key: string): void {
  if (key.length > maxKeyCharacters) return;
  const nested = levels > 0 ? objectOf(value) : undefined;
  if (!nested && isPresent(value)) into[name] ??= value;
  for (const inner in nested) flatten(into, `${name}.${inner}`, nested[inner], levels - 1, inner);
}
