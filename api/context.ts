import type { DefaultState, ParameterizedContext } from 'koa';
import type { Caller } from './caller.ts';

export interface AppState extends DefaultState {
  /** UUID of the request: the caller's own where it sent a valid one. */
  requestId: string;
  /** The route that takes the request, such as `GET /api/v1/scenarios/{id}`; set with the caller. */
  route?: string;
  caller: Caller;
}

export type AppContext = ParameterizedContext<AppState>;
