import type { DefaultState, ParameterizedContext } from 'koa';
import type { TSchema } from 'typebox';
import type { Scope, Tier } from '../../shared/accounts/api-key.model.ts';
import type { Role } from '../../shared/accounts/user.model.ts';
import type { AppError } from '../../shared/errors.ts';
import type { Log } from '../../shared/process/log.ts';
import type { BodyReservation } from './body/body-memory.ts';

/** The sender of a request, as its credentials identify it. */
export interface Caller {
  /** The owner of the caller's idempotency keys: the API key, else the user, else the network. */
  id: string;
  /**
   * The key under which limits are counted: the account, else the network. All API keys of an
   * account share its limits.
   */
  limitKey: string;
  address: string;
  /** The IPv4 address, or the /64 of the IPv6 address. */
  network: string;
  /** The user of a valid access token; null without a token. */
  user: { id: string; role: Role; sessionId: string } | null;
  key: { id: string; ownerId: string; ownerRole: Role; scopes: readonly Scope[]; tier: Tier } | null;
}

/** A POST with an `Idempotency-Key`, as its handler sees it. */
export interface Operation {
  /** The same for every attempt. A document whose id is this id is created only once. */
  readonly id: string;
  /** Start of the first attempt; the same for every attempt. */
  readonly begunAt: Date;
  readonly attemptedBefore: boolean;
}

/** Properties of a request that the middleware determines before the handler runs. */
export interface AppState extends DefaultState {
  /** UUID of the request: the one in `X-Request-ID` if that is valid, otherwise a new one. */
  requestId: string;
  /** Adds the id of the request to each line. */
  log: Log;
  /** The matching route, such as `GET /api/v1/scenarios/{id}`. Set by the access middleware. */
  route?: string;
  /** Set for a route whose errors are not written in the error envelope. */
  errorFormat?: ErrorFormat;
  caller: Caller;
  /** Grows while the body is read. It is released after the response is made. */
  bodyMemory: BodyReservation;
  /** The body as it was sent, if it was received before the handler reads it. */
  receivedBody?: Buffer[];
  /** Set for a POST with an `Idempotency-Key`. */
  operation?: Operation;
  /** Set once a request has got the error of its timeout: what its handler returns is not sent. */
  timedOut?: true;
}

export type AppContext = ParameterizedContext<AppState>;

/** How the errors of a route are written, if a protocol prescribes it. */
export interface ErrorFormat {
  /** The media types of an error, with the schema of those that are JSON. */
  readonly media: Readonly<Record<string, TSchema | null>>;
  /** @returns the body, and the headers that replace those of the error. */
  present(
    error: AppError,
    ctx: AppContext,
  ): { type: string; body: object | Buffer; headers: Readonly<Record<string, string>> };
}
