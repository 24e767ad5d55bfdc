import type { ExportLogsResponse } from './otlp.answers.ts';
import type { otlpMediaTypes } from './otlp-encoding.ts';
import type { OtlpSchema } from './otlp-schema.ts';
import type { ReadLogRecords } from './read-log-records.ts';

export function presentExport({ rejected, reasons }: ReadLogRecords): ExportLogsResponse {
  if (rejected === 0) return {};
  const more = rejected > reasons.length ? `; and ${rejected - reasons.length} more` : '';
  return { partialSuccess: { rejectedLogRecords: String(rejected), errorMessage: `${reasons.join('; ')}${more}.` } };
}

/** The answer in the encoding of its request. */
export function encodeExport(
  answer: ExportLogsResponse,
  encoding: keyof typeof otlpMediaTypes,
  { response }: OtlpSchema,
): ExportLogsResponse | Buffer {
  return encoding === 'json' ? answer : Buffer.from(response.encode(response.fromObject(answer)).finish());
}
