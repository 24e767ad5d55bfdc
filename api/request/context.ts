import type { DefaultState, ParameterizedContext } from 'koa';
import type { Scope, Tier } from '../../shared/models/api-key.model.ts';
import type { Role } from '../../shared/models/user.model.ts';

/** Who sent a request, by the credentials that came with it. */
export interface Caller {
  /** Names the key, else the user, else the address: whose requests are counted, whose idempotency keys are known. */
  id: string;
  address: string;
  /** Of an access token. */
  user: { id: string; role: Role; sessionId: string } | null;
  /** Of an API key. */
  key: { id: string; ownerId: string; scopes: readonly Scope[]; tier: Tier } | null;
}

/** A POST that carries an `Idempotency-Key`, as its route sees it. */
export interface Operation {
  /** The same for every attempt: what the operation creates may carry it as its id, and is then created once. */
  readonly id: string;
  /** When its first attempt began: the same for every attempt too. */
  readonly begunAt: Date;
  /** Then what it creates may be there already. */
  readonly attemptedBefore: boolean;
  /** Status of the first answer, where the route is asked to make it again. */
  readonly answered: number | null;
  /** Set by a route that can make its answer again from what it has stored: the answer's body is then not kept. */
  canAnswerAgain: boolean;
}

/** What the middleware know of a request by the time that its route takes it. */
export interface AppState extends DefaultState {
  /** UUID of the request: the caller's own where it sent a valid one. */
  requestId: string;
  /** The route that takes the request, such as `GET /api/v1/scenarios/{id}`; set with the caller. */
  route?: string;
  caller: Caller;
  /** Set where a POST carries an `Idempotency-Key`. */
  operation?: Operation;
}

export type AppContext = ParameterizedContext<AppState>;
