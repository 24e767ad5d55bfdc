import { type Static, Type } from 'typebox';
import { loadOtlpSchema } from '../../../shared/ingest/otlp/otlp-schema.ts';
import type { EntryList } from '../../../shared/ingest/reading/entry-list.ts';
import { Joi } from '../../http/joi.ts';
import type { StreamedBody } from '../../http/route.ts';
import { scenarioId } from '../ingest.schema.ts';
import { otlpMediaTypes } from './otlp-http.ts';

export const otlpHeaders = Joi.object<{ 'X-Scenario-ID': string }>({ 'X-Scenario-ID': scenarioId.required() });

const example = {
  resourceLogs: [
    {
      resource: { attributes: [{ key: 'service.name', value: { stringValue: 'checkout' } }] },
      scopeLogs: [
        {
          scope: { name: 'cart' },
          logRecords: [
            {
              timeUnixNano: '1777636800000000000',
              severityNumber: 9,
              severityText: 'INFO',
              body: { stringValue: 'GET /cart 200' },
              attributes: [{ key: 'http.response.status_code', value: { intValue: '200' } }],
            },
          ],
        },
      ],
    },
  ],
};

/** The body in both encodings, for the OpenAPI document. */
export const otlpBody: StreamedBody = {
  schemas: {},
  streamed: {
    [otlpMediaTypes.json]: {
      schema: { type: 'object', description: 'An ExportLogsServiceRequest of OTLP in JSON.' },
      example,
    },
    [otlpMediaTypes.protobuf]: {
      schema: { type: 'string', contentMediaType: otlpMediaTypes.protobuf, description: 'ExportLogsServiceRequest.' },
      example: '',
    },
  },
};

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

const maxReasons = 3;

/** Remarks on accepted log records are warnings: no log record is rejected for them. */
export function presentExport({ invalid, refusedTimes, usageUnread }: EntryList): ExportLogsResponse {
  const reasons = invalid.slice(0, maxReasons).flatMap(({ errors }) => errors);
  const remarks = [
    ...reasons.map(({ field, error }) => `${field} ${error}`),
    ...(invalid.length > maxReasons ? [`and ${invalid.length - maxReasons} more`] : []),
    ...(refusedTimes > 0
      ? [`log records that count at their arrival, since they have an implausible time: ${refusedTimes}`]
      : []),
    ...(usageUnread > 0 ? [`log records with a usage that is not understood: ${usageUnread}`] : []),
  ];
  if (remarks.length === 0) return {};
  return { partialSuccess: { rejectedLogRecords: String(invalid.length), errorMessage: `${remarks.join('; ')}.` } };
}

/** The response in the encoding of its request. */
export function encodeExport(
  result: ExportLogsResponse,
  encoding: keyof typeof otlpMediaTypes,
): ExportLogsResponse | Buffer {
  const { response } = loadOtlpSchema();
  return encoding === 'json' ? result : Buffer.from(response.encode(response.fromObject(result)).finish());
}
