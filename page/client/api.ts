import { QueryClient } from '@tanstack/preact-query';
import type { ApiRequest, QueryValue } from './api-client.ts';
import { ApiError, isTemporary } from './api-error.ts';
import { authorized } from './session.ts';

/** Reads JSON with the session's credentials. */
export async function read<Body>(
  path: string,
  query: Readonly<Record<string, QueryValue>> = {},
  signal?: AbortSignal,
): Promise<Body> {
  const response = await authorized(path, { query, signal });
  return (await response.json()) as Body;
}

/** Reads JSON that follows from the body of the request. Nothing is stored. */
export async function readFor<Body>(
  path: string,
  body: object,
  query: Readonly<Record<string, QueryValue>>,
  signal: AbortSignal,
): Promise<Body> {
  const response = await authorized(path, { method: 'POST', body, query, signal });
  return (await response.json()) as Body;
}

/** Writes, and reads the response; `undefined` for a response without a body. */
export async function write<Body = undefined>(
  method: NonNullable<ApiRequest['method']>,
  path: string,
  body?: object,
): Promise<Body> {
  const response = await authorized(path, { method, ...(body ? { body } : {}) });
  return (response.status === 204 ? undefined : await response.json()) as Body;
}

/** Reads are repeated until the service is reachable again. Other errors are shown at once. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      networkMode: 'always',
      staleTime: 2_000,
      retry: (_count, error) => isTemporary(error),
      retryDelay: (count, error) =>
        error instanceof ApiError && error.retryAfter !== null
          ? error.retryAfter * 1_000
          : Math.min(500 * 2 ** count, 5_000),
    },
  },
});
