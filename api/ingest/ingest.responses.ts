import { type Static, Type } from 'typebox';
import { maxFields } from '../../shared/pii/entry-findings.ts';
import { piiTypes } from '../../shared/pii/pii-kind.ts';
import { costByService, entryUsage } from '../cost/metrics.responses.ts';
import { count, nullable, oneOf, timestamp, uuid } from '../http/response-types.ts';

const piiCount = Type.Object({
  type: oneOf(piiTypes),
  count: count(),
  country: Type.Optional(Type.String({ description: 'ISO 3166-1 alpha-2; national ids only.' })),
  fields: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: maxFields,
      description:
        'The fields of the record that contain them, such as `user.email`. Absent if only the message does. Personal data in names is redacted, and positions in lists are left out.',
    }),
  ),
  more_fields: Type.Optional(count({ description: 'The number of other fields that contain them.' })),
});

export const logResponse = Type.Object(
  {
    id: uuid(),
    scenario_id: uuid(),
    received_at: timestamp(),
    message_hash: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the UTF-8 message.' }),
    message_preview: Type.String({ description: 'The first 200 characters of the redacted message.' }),
    source: nullable(Type.String()),
    level: nullable(Type.String()),
    size_bytes: count(),
    has_pii: Type.Boolean(),
    pii: Type.Array(piiCount),
    metrics: Type.Object(entryUsage),
    cost: costByService(),
  },
  { $id: 'LogResponse' },
);
export type LogResponse = Static<typeof logResponse>;

export const batchTotals = Type.Object(
  {
    logs: count(),
    size_bytes: count(),
    pii_logs: count(),
    metrics: Type.Object(entryUsage),
    cost: costByService(),
  },
  { $id: 'BatchTotals' },
);
export type BatchTotals = Static<typeof batchTotals>;

/** Facts about the accepted entries, before they are processed. */
const readEntries = () => ({
  timed: count({ description: 'Accepted entries whose own time is used; the others count at their arrival.' }),
  usage_unread: count({
    description: 'Accepted entries with a usage that is not understood: their tokens are counted from the message.',
  }),
});

const batchResult = Type.Object(
  { accepted: count(), ...readEntries(), results: Type.Array(logResponse), totals: batchTotals },
  { $id: 'BatchResult' },
);

const rejectedEntry = Type.Object(
  {
    index: count(),
    status: Type.Literal(400),
    error: Type.Object({
      code: Type.Literal('VALIDATION_ERROR'),
      message: Type.String(),
      details: Type.Array(Type.Object({ field: Type.String(), error: Type.String() })),
    }),
  },
  { $id: 'RejectedEntry' },
);
export type RejectedEntry = Static<typeof rejectedEntry>;

export const partialBatchResult = Type.Object(
  {
    accepted: count(),
    ...readEntries(),
    rejected: count(),
    results: Type.Array(Type.Union([logResponse, rejectedEntry])),
    totals: nullable(batchTotals),
  },
  { $id: 'PartialBatchResult' },
);
export type PartialBatchResult = Static<typeof partialBatchResult>;

export const ingestSummary = Type.Object(
  {
    accepted: count({ description: 'Entries that are in the database.' }),
    rejected: count({ description: 'Entries that are not valid.' }),
    skipped: count({ description: 'Entries with an empty message.' }),
    ...readEntries(),
    errors: Type.Array(Type.Object({ index: count(), field: Type.String(), error: Type.String() }), {
      maxItems: 20,
      description: 'The first errors of the rejected entries.',
    }),
  },
  { $id: 'IngestSummary' },
);
export type IngestSummary = Static<typeof ingestSummary>;

/**
 * With `answer=summary`, an IngestSummary. With `answer=full`, a LogResponse for a single entry and
 * a BatchResult for a list; in a loose request, a PartialBatchResult for a list with rejected
 * entries.
 */
export const ingestResponse = Type.Union([logResponse, batchResult, partialBatchResult, ingestSummary]);
export type IngestResponse = Static<typeof ingestResponse>;

const acceptedBatch = Type.Object(
  {
    job_id: uuid(),
    status: Type.Literal('queued'),
    status_url: Type.String(),
    accepted: count(),
    ...readEntries(),
    rejected: Type.Optional(count()),
    results: Type.Optional(Type.Array(rejectedEntry)),
  },
  { $id: 'AcceptedBatch' },
);

/** With `answer=summary` an IngestSummary, with `answer=full` an AcceptedBatch. */
export const acceptedResponse = Type.Union([acceptedBatch, ingestSummary]);
