import { createJoinRequest, type JoinDeps, type JoinRequest } from './accept-request.ts';

/** The dependencies of the routes of this folder, created once per process. */
export interface IngestDeps {
  joinRequest: JoinRequest;
  /** Callers above `RATE_LIMIT_INGEST_BYTES`: when their minute ends, by `performance.now()`. */
  exhaustedBudgets: Map<string, number>;
}

export const createIngestDeps = (deps: JoinDeps): IngestDeps => ({
  joinRequest: createJoinRequest(deps),
  exhaustedBudgets: new Map(),
});
