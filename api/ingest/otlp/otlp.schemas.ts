import protobuf from 'protobufjs';
import type { OtlpSchema } from '../../../shared/ingest/otlp/otlp-schema.ts';
import { Joi, uuid } from '../../http/joi.ts';
import type { StreamedBody } from '../../http/route.ts';
import { otlpMediaTypes } from './otlp-encoding.ts';

const scenarioId = uuid().required().description('Id of the scenario.').example('6f6fb4b1-5c0e-4d3c-9a53-3f2b8a6f1c11');

export const otlpHeaders = Joi.object<{ 'X-Scenario-ID': string }>({ 'X-Scenario-ID': scenarioId });
export const otlpPath = Joi.object<{ scenario_id: string }>({ scenario_id: scenarioId });

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
export function otlpBody({ request }: OtlpSchema): StreamedBody {
  const schemas: Record<string, object> = {};
  const schema = schemaOf(request, schemas);
  return {
    schemas,
    streamed: {
      [otlpMediaTypes.json]: { schema, example },
      [otlpMediaTypes.protobuf]: {
        schema: { type: 'string', contentMediaType: otlpMediaTypes.protobuf, description: 'ExportLogsServiceRequest.' },
        example: '',
      },
    },
  };
}

/**
 * The JSON Schema of a message in JSON; the messages in it are added to `schemas`. @returns a
 * reference to it.
 */
function schemaOf(type: protobuf.Type, schemas: Record<string, object>): object {
  const reference = { $ref: `#/components/schemas/${type.name}` };
  if (type.name in schemas) return reference;
  const properties: Record<string, object> = {};
  schemas[type.name] = { type: 'object', properties };
  for (const field of type.fieldsArray) {
    const value = valueSchemaOf(field, schemas);
    properties[field.name] = field.repeated ? { type: 'array', items: value } : value;
  }
  return reference;
}

function valueSchemaOf({ type, resolvedType }: protobuf.Field, schemas: Record<string, object>): object {
  if (resolvedType instanceof protobuf.Type) return schemaOf(resolvedType, schemas);
  if (resolvedType instanceof protobuf.Enum) return { type: 'integer' };
  return scalarSchemas[type] ?? { type: 'integer' };
}

/** The types of the schema; those not listed are integers of 32 bits. */
const scalarSchemas: Readonly<Record<string, object>> = {
  string: { type: 'string' },
  bool: { type: 'boolean' },
  double: { type: 'number' },
  bytes: { type: 'string' },
  int64: { type: ['string', 'integer'] },
  fixed64: { type: ['string', 'integer'] },
};
