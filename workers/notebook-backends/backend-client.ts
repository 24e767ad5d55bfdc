import type { Schema } from 'joi';
import { second } from '../../shared/durations.ts';
import type { BackendCall } from './notebook-backend.ts';
import { NotebookAbsent, UpstreamError } from './upstream-error.ts';
import { readableReason, saidBy } from './upstream-reason.ts';

/** Larger answers are not taken into memory: a notebook with its outputs fits many times over. */
const maxAnswerBytes = 64 * 1024 * 1024;
const retryableStatuses = new Set([408, 425, 429]);

export interface BackendClientOptions {
  /** Paths of requests are taken below it. */
  url: string;
  authorization?: string;
  /** Removed from whatever the backend says. */
  secret?: string;
}

export interface BackendRequest {
  method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';
  /** Without a slash at its beginning; dynamic parts are encoded. */
  path: string;
  body?: unknown;
  /** The path is a notebook's own, so that a 404 says that it is not there. */
  ofNotebook?: boolean;
}

/** One attempt at a request of a backend, with the classification that all backends share. */
export interface BackendClient {
  /**
   * @returns the body as the schema sees it.
   * @throws NotebookAbsent for the 404 of a notebook, UpstreamError for any other failure.
   */
  ask<T>(request: BackendRequest, schema: Schema<T>, call: BackendCall): Promise<T>;
  /** Like `ask`, for a request whose answer has no body that matters. */
  tell(request: BackendRequest, call: BackendCall): Promise<void>;
}

export function backendClient(options: BackendClientOptions): BackendClient {
  const base = options.url.endsWith('/') ? options.url : `${options.url}/`;
  const secrets = options.secret === undefined ? [] : [options.secret];

  const send = async ({ method, path, body, ofNotebook }: BackendRequest, call: BackendCall): Promise<string> => {
    const { status, text, retryAfter } = await exchange(new URL(path, base), call, {
      method,
      headers: {
        Accept: 'application/json',
        'X-Request-ID': call.requestId,
        ...(options.authorization === undefined ? {} : { Authorization: options.authorization }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (status >= 200 && status < 300) return text;
    const said = readableReason(saidBy(text), secrets);
    if (status === 404 && ofNotebook) throw new NotebookAbsent(said);
    const retryable = retryableStatuses.has(status) || status >= 500;
    throw new UpstreamError({
      reason: readableReason(`it answered ${status}${said === '' ? '' : `: ${said}`}`),
      retryable,
      outage: status >= 500,
      misconfigured: status === 401 || status === 403,
      ...(retryable ? { retryAfterMs: retryAfterMs(retryAfter) } : {}),
    });
  };

  return {
    tell: async (request, call) => {
      await send(request, call);
    },
    ask: async (request, schema, call) => {
      const text = await send(request, call);
      let parsed: unknown;
      try {
        parsed = JSON.parse(text);
      } catch (cause) {
        throw new UpstreamError({ reason: 'its answer is not JSON', retryable: false, cause });
      }
      const { value, error } = schema.validate(parsed, { allowUnknown: true, convert: false });
      if (error) {
        const reason = readableReason(`its answer is not understood: ${error.message}`, secrets);
        throw new UpstreamError({ reason, retryable: false, cause: error });
      }
      return value;
    },
  };
}

interface Answer {
  status: number;
  text: string;
  retryAfter: string | null;
}

async function exchange(url: URL, { signal }: BackendCall, init: RequestInit): Promise<Answer> {
  try {
    // A redirect would take the token to another place.
    const response = await fetch(url, { ...init, signal, redirect: 'manual' });
    return {
      status: response.status,
      text: await readText(response),
      retryAfter: response.headers.get('Retry-After'),
    };
  } catch (error) {
    if (error instanceof UpstreamError) throw error;
    const reason = signal.aborted ? 'it gave no answer in time' : connectionFault(error);
    throw new UpstreamError({ reason, retryable: true, outage: true, cause: error });
  }
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxAnswerBytes) throw new UpstreamError({ reason: 'its answer is too large', retryable: false });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

const faultOfCode: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'it refuses connections',
  ECONNRESET: 'it reset the connection',
  EPIPE: 'it reset the connection',
  UND_ERR_SOCKET: 'it closed the connection',
  UND_ERR_CONNECT_TIMEOUT: 'it can not be reached',
  ETIMEDOUT: 'it can not be reached',
  EHOSTUNREACH: 'it can not be reached',
  ENETUNREACH: 'it can not be reached',
  ENOTFOUND: 'its host name is not known',
  EAI_AGAIN: 'its host name is not known at the moment',
};

/** In our own words: those of the system name addresses. */
function connectionFault(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const fault = faultOfCode[(cause as NodeJS.ErrnoException).code ?? ''];
    if (fault !== undefined) return fault;
  }
  return 'the connection failed';
}

/** `Retry-After` as it may be written: seconds, or a date. */
function retryAfterMs(header: string | null): number {
  if (header === null) return 0;
  const ms = /^\s*\d+\s*$/.test(header) ? Number(header) * second : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : 0;
}
