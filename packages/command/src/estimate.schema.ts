// The estimate in JSON, whose schema `meterbook schema` prints. It has the figures of the service
// under the names that its API has.
import { type Static, Type } from 'typebox';
import { designsResponse } from '../../../api/cost/designs.schema.ts';
import { metricsLine, metricsTotals } from '../../../api/cost/metrics.schema.ts';
import { count, decimal, nullable } from '../../../api/http/response-types.ts';
import { piiTypes } from '../../../shared/pii/pii-kind.ts';
import { serviceVersion } from '../../../shared/service-version.ts';

/** Incremented by every change that a reader has to know. */
export const schemaName = 'meterbook-estimate/1';
export const commandVersion = serviceVersion;

const { pending_entries: _, failed_entries: __, ...totals } = metricsTotals.properties;
const { scenario_id: ___, items, ...designs } = designsResponse.properties;

const group = Type.Object({
  name: Type.String({ description: 'The pattern, level, source or model. The last one can be `other`.' }),
  entries: count(),
  cost: nullable(decimal(), { description: 'Its part of `totals.cost`. The parts of all groups add up to it.' }),
  share: nullable(Type.String(), { description: 'Of the cost, with four decimals.' }),
  month: nullable(decimal(), { description: 'Its part of `present.month.total`.' }),
  personal_data: count({ description: 'Entries with personal data.' }),
  example: Type.String({ description: 'The first entry, redacted.' }),
});
export type CostGroup = Static<typeof group>;

export const estimateSchema = Type.Object(
  {
    schema: Type.Unsafe<typeof schemaName>({ type: 'string', const: schemaName }),
    version: Type.String({ description: 'The version of the command.' }),
    sentence: Type.String({ description: 'What the entries cost, and why.' }),
    region: Type.String(),
    inputs: Type.Array(Type.Object({ name: Type.String(), entries: count() })),
    totals: Type.Object(totals),
    cost_breakdown: Type.Array(metricsLine),
    ...designs,
    items: Type.Array(items.items, { description: 'The designs that are compared.' }),
    personal_data: Type.Array(
      Type.Object({
        type: Type.Enum([...piiTypes]),
        country: Type.Optional(Type.String({ description: 'ISO 3166-1 alpha-2, for national ids.' })),
        field: Type.String({ description: '`message`, or the path of the field.' }),
        findings: count(),
        entries: count(),
        example: Type.String({ description: 'Redacted.' }),
      }),
    ),
    patterns: Type.Array(group, { description: 'By cost: at most 50, then `other`.' }),
    levels: Type.Array(group),
    sources: Type.Array(group),
    models: Type.Array(group),
    savings: Type.Array(
      Type.Object({
        pattern: Type.String(),
        action: Type.Enum(['drop', 'sample 1 in 10', 'do not send to the model']),
        month: decimal(),
        arithmetic: Type.String(),
      }),
      { description: 'Of the five heaviest patterns; none of less than 1 % of the month.' },
    ),
    not_understood: Type.Array(
      Type.Object({
        name: Type.String(),
        rejected: count(),
        errors: Type.Array(Type.Object({ entry: count(), error: Type.String() })),
        refused: Type.Array(Type.String(), { description: 'Why parts of the log are not read at all.' }),
      }),
    ),
    skipped: count({ description: 'Entries without a message.' }),
  },
  { $id: schemaName },
);
export type Estimate = Static<typeof estimateSchema>;
