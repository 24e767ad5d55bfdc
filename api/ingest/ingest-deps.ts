import type { AppDeps } from '../app-deps.ts';
import { createJoinRequest, type JoinRequest } from './accept-request.ts';

/** The dependencies of the routes of this folder, created once per process. */
export interface IngestDeps {
  joinRequest: JoinRequest;
}

export const createIngestDeps = (deps: AppDeps): IngestDeps => ({ joinRequest: createJoinRequest(deps) });
