import { createJoinRequest, type JoinDeps, type JoinRequest } from './accept-request.ts';

/** The dependencies of the routes of this folder, created once per process. */
export interface IngestDeps {
  joinRequest: JoinRequest;
}

export const createIngestDeps = (deps: JoinDeps): IngestDeps => ({ joinRequest: createJoinRequest(deps) });
