import { createJoinRequest, type JoinDeps, type JoinRequest } from './accept-request.ts';
import type { IngestBudgets } from './ingest-budget.ts';

/** The dependencies of the routes of this folder, created once per process. */
export interface IngestDeps {
  joinRequest: JoinRequest;
  ingestBudgets: IngestBudgets;
}

export const createIngestDeps = (deps: JoinDeps): IngestDeps => ({
  joinRequest: createJoinRequest(deps),
  ingestBudgets: { uncharged: new Map(), exhausted: new Map() },
});
