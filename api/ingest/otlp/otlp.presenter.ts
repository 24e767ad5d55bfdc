import { type Static, Type } from 'typebox';
import type { otlpMediaTypes } from './otlp-encoding.ts';
import type { OtlpSchema } from './otlp-schema.ts';
import type { ReadLogRecords } from './read-log-records.ts';

export const exportLogsResponse = Type.Object(
  {
    partialSuccess: Type.Optional(
      Type.Object(
        {
          rejectedLogRecords: Type.String({ pattern: '^\\d+$', description: 'A 64-bit integer, in JSON as text.' }),
          errorMessage: Type.String({ description: 'The reasons of the first rejected log records.' }),
        },
        { description: 'Absent if no log record is rejected.' },
      ),
    ),
  },
  { $id: 'ExportLogsServiceResponse' },
);
type ExportLogsResponse = Static<typeof exportLogsResponse>;

export function presentExport({ rejected, reasons }: ReadLogRecords): ExportLogsResponse {
  if (rejected === 0) return {};
  const more = rejected > reasons.length ? `; and ${rejected - reasons.length} more` : '';
  return { partialSuccess: { rejectedLogRecords: String(rejected), errorMessage: `${reasons.join('; ')}${more}.` } };
}

/** The response in the encoding of its request. */
export function encodeExport(
  result: ExportLogsResponse,
  encoding: keyof typeof otlpMediaTypes,
  { response }: OtlpSchema,
): ExportLogsResponse | Buffer {
  return encoding === 'json' ? result : Buffer.from(response.encode(response.fromObject(result)).finish());
}
