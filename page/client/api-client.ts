import { ApiError, UnreachableError } from './api-error.ts';
import { isReachable } from './connection.ts';
import { serviceUrl } from './settings.ts';

export type QueryValue = string | number | boolean | undefined;

export interface ApiRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly query?: Readonly<Record<string, QueryValue>>;
  /** Sent as JSON, unless it is a Blob. */
  readonly body?: object | Blob;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/** The address of a route, below the address of the page. */
export function addressOf(path: string, query: ApiRequest['query'] = {}): string {
  const url = new URL(path.replace(/^\//, ''), serviceUrl);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') url.searchParams.set(name, String(value));
  }
  return url.href;
}

/**
 * Sends a request without credentials of its own. A 304 is the response to an `If-None-Match`.
 * @throws ApiError for an error of the API; UnreachableError without a response.
 */
export async function send(path: string, request: ApiRequest = {}): Promise<Response> {
  const { method = 'GET', query, body, headers, signal } = request;
  const isJson = body !== undefined && !(body instanceof Blob);
  let response: Response;
  try {
    response = await fetch(addressOf(path, query), {
      method,
      headers: {
        Accept: 'application/json, */*',
        ...(isJson ? { 'Content-Type': 'application/json' } : {}),
        ...headers,
      },
      body: isJson ? JSON.stringify(body) : (body ?? null),
      ...(signal ? { signal } : {}),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    isReachable.value = false;
    throw new UnreachableError(error);
  }
  if (response.ok || response.status === 304) {
    isReachable.value = true;
    // Browsers report a request as aborted if the end of its response is not read.
    if (response.status === 204 || response.status === 304) await response.text();
    return response;
  }
  const text = await response.text().catch(() => '');
  const envelope = parseJson(text);
  // A proxy says so in its own words when the service is not there.
  const isFromProxy = response.status >= 502 && response.status <= 504 && envelope === undefined;
  isReachable.value = !isFromProxy;
  throw isFromProxy ? new UnreachableError() : new ApiError(response, envelope);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
