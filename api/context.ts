import type { DefaultState, ParameterizedContext } from 'koa';

export interface AppState extends DefaultState {
  /** UUID of the request: the caller's own where it sent a valid one. */
  requestId: string;
}

export type AppContext = ParameterizedContext<AppState>;
