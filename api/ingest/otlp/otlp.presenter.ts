import { type Static, Type } from 'typebox';
import type { OtlpSchema } from '../../../shared/ingest/otlp/otlp-schema.ts';
import type { ReadLogRecords } from '../../../shared/ingest/otlp/read-log-records.ts';
import type { otlpMediaTypes } from './otlp-encoding.ts';

export const exportLogsResponse = Type.Object(
  {
    partialSuccess: Type.Optional(
      Type.Object(
        {
          rejectedLogRecords: Type.String({ pattern: '^\\d+$', description: 'A 64-bit integer, in JSON as text.' }),
          errorMessage: Type.String({
            description:
              'The reasons of the first rejected log records, and the numbers of accepted ones with an implausible time, or a usage that is not understood.',
          }),
        },
        { description: 'Absent if all log records are accepted as they are.' },
      ),
    ),
  },
  { $id: 'ExportLogsServiceResponse' },
);
type ExportLogsResponse = Static<typeof exportLogsResponse>;

/** Remarks on accepted log records are warnings: no log record is rejected for them. */
export function presentExport({
  rejected,
  reasons,
  refusedTimes,
  usageUnread,
}: Pick<ReadLogRecords, 'rejected' | 'reasons' | 'refusedTimes' | 'usageUnread'>): ExportLogsResponse {
  const more = rejected > reasons.length ? [`and ${rejected - reasons.length} more`] : [];
  const remarks = [
    ...reasons,
    ...more,
    ...(refusedTimes > 0
      ? [`log records that count at their arrival, since they have an implausible time: ${refusedTimes}`]
      : []),
    ...(usageUnread > 0 ? [`log records with a usage that is not understood: ${usageUnread}`] : []),
  ];
  if (remarks.length === 0) return {};
  return { partialSuccess: { rejectedLogRecords: String(rejected), errorMessage: `${remarks.join('; ')}.` } };
}

/** The response in the encoding of its request. */
export function encodeExport(
  result: ExportLogsResponse,
  encoding: keyof typeof otlpMediaTypes,
  { response }: OtlpSchema,
): ExportLogsResponse | Buffer {
  return encoding === 'json' ? result : Buffer.from(response.encode(response.fromObject(result)).finish());
}
