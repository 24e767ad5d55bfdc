import { type Static, Type } from 'typebox';
import { count, nullable, oneOf, uuid } from '../http/response-types.ts';
import { batchTotals, logResponse } from './ingest.responses.ts';

export const ingestJobResponse = Type.Object(
  {
    job_id: uuid(),
    scenario_id: uuid(),
    status: oneOf(['queued', 'processing', 'completed', 'failed']),
    accepted: count(),
    results: nullable(Type.Array(logResponse)),
    totals: nullable(batchTotals),
    error: nullable(Type.Object({ code: Type.String(), message: Type.String() })),
  },
  { $id: 'IngestJob' },
);
export type IngestJob = Static<typeof ingestJobResponse>;
