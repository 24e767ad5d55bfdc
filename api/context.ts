import type { DefaultState, ParameterizedContext } from 'koa';
import type { Caller } from './caller.ts';
import type { Operation } from './middleware/idempotency-key.ts';

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
