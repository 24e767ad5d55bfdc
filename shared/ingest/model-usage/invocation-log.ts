import { isPresent, type JsonObject, objectOf } from '../../json/parse-json.ts';
import { type CountReader, type ReportedCounts, type TokenCounts, toTokenCounts } from './token-counts.ts';
import { divideWrites } from './usage-forms.ts';

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
