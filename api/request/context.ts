import type { DefaultState, ParameterizedContext } from 'koa';
import type { Scope, Tier } from '../../shared/models/api-key.model.ts';
import type { Role } from '../../shared/models/user.model.ts';
import type { BodyReservation } from './body-memory.ts';

/** Who sent a request, by its credentials. */
export interface Caller {
  /** The key, else the user, else the network: owner of idempotency keys. */
  id: string;
  /** The account, else the network: all keys of an account share its rate limits. */
  limitedAs: string;
  address: string;
  /** The IPv4 address, or the /64 of the IPv6 address. */
  network: string;
  /** Of an access token. */
  user: { id: string; role: Role; sessionId: string } | null;
  /** Of an API key. */
  key: { id: string; ownerId: string; ownerRole: Role; scopes: readonly Scope[]; tier: Tier } | null;
}

/** A POST with an `Idempotency-Key`, as its handler sees it. */
export interface Operation {
  /** The same for every attempt: a document that the operation creates can have it as its id, and is then created once. */
  readonly id: string;
  /** Start of the first attempt; the same for every attempt. */
  readonly begunAt: Date;
  /** Whether an earlier attempt can have stored something. */
  readonly attemptedBefore: boolean;
  /** Status of the first answer, if the handler is to make that answer again. */
  readonly answered: number | null;
  /** Set by a handler that can make its answer again from stored data: the body of the answer is then not stored. */
  canAnswerAgain: boolean;
}

/** What the middleware determine about a request before its handler runs. */
export interface AppState extends DefaultState {
  /** UUID of the request: that of `X-Request-ID` if it is valid. */
  requestId: string;
  /** The matching route, such as `GET /api/v1/scenarios/{id}`; set with the caller. */
  route?: string;
  caller: Caller;
  /** Grows while the body is read; released after the answer is made. */
  bodyMemory: BodyReservation;
  /** Set where a POST has an `Idempotency-Key`. */
  operation?: Operation;
}

export type AppContext = ParameterizedContext<AppState>;
