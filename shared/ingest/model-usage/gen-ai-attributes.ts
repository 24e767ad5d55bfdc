import { isPresent, type JsonObject, objectOf } from '../../json/parse-json.ts';
import { type CountReader, divideInput, type TokenCounts, totalMismatch } from './token-counts.ts';

/** Attributes of OpenTelemetry GenAI by their whole names, whether they were nested or not. */
export type GenAiAttributes = Record<string, unknown>;

const prefix = 'gen_ai';
const usagePrefix = 'gen_ai.usage.';
const maxLevels = 6;
/**
 * Longer keys are none of these attributes. Long ones that are joined would be compared with each
 * other whole, because V8 hashes them by their length.
 */
const maxKeyCharacters = 100;

/**
 * The attributes of a record: at its top level, or in `attributes`.
 * @returns undefined if it has none.
 */
export function genAiAttributesOf(record: JsonObject): GenAiAttributes | undefined {
  let found: GenAiAttributes | undefined;
  for (const holder of [record, objectOf(record['attributes'])]) {
    for (const name in holder) {
      if (!name.startsWith(prefix) || name.length > maxKeyCharacters) continue;
      found ??= {};
      flatten(found, name, holder[name], 0);
    }
  }
  return found;
}

function flatten(into: GenAiAttributes, name: string, value: unknown, level: number): void {
  const nested = objectOf(value);
  if (!nested || level === maxLevels) {
    if (isPresent(value)) into[name] ??= value;
    return;
  }
  for (const key of Object.keys(nested)) {
    if (key.length <= maxKeyCharacters) flatten(into, `${name}.${key}`, nested[key], level + 1);
  }
}

const readNames = ['cache_read.input_tokens', 'cache_read_input_tokens'];
const writeNames = ['cache_write.input_tokens', 'cache_creation.input_tokens', 'cache_creation_input_tokens'];

/**
 * Reads the usage of attributes. The input contains the cached tokens.
 * @returns undefined if they have no usage.
 */
export function readGenAiUsage(attributes: GenAiAttributes, reader: CountReader): TokenCounts | undefined {
  if (!Object.keys(attributes).some((name) => name.startsWith(usagePrefix) && name.includes('token'))) return undefined;
  const read = (...names: string[]) => reader.read(...names.map((name) => [attributes, usagePrefix + name] as const));
  const input = read('input_tokens', 'prompt_tokens');
  const output = read('output_tokens', 'completion_tokens') ?? 0;
  if (input === undefined) reader.fail('has no number of input tokens');
  const reasoning = read('reasoning.output_tokens', 'reasoning_tokens') ?? 0;
  if (reasoning > output) reader.fail('has more reasoning than output tokens');
  const total = read('total_tokens');
  if (total !== undefined && total !== (input ?? 0) + output) reader.fail(totalMismatch);
  const usage = Object.fromEntries(Object.entries(attributes).filter(([name]) => name.startsWith(usagePrefix)));
  const [cacheRead = 0, cacheWrite = 0] = [read(...readNames), read(...writeNames)];
  reader.checkCaches(usage);
  return divideInput({ input, cacheRead, cacheWrite, cacheWrite1h: 0, output }, reader);
}
