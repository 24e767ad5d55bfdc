import { once } from 'node:events';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Schema } from 'joi';
import { second } from '../../shared/durations.ts';
import type { JsonCodec } from './lossless-json.ts';
import type { BackendCall } from './notebook-backend.ts';
import { NotebookAbsent, UpstreamError } from './upstream-error.ts';
import { extractErrorMessage, sanitizeReason } from './upstream-reason.ts';

/** Bounds the memory for an answer. Notebooks with outputs are much smaller. */
const maxAnswerBytes = 64 * 1024 * 1024;
/** The timeout closes idle connections before the backend does. Node's servers close them after five seconds. */
const agentOptions = { keepAlive: true, timeout: 4 * second };
const httpAgent = new HttpAgent(agentOptions);
const httpsAgent = new HttpsAgent(agentOptions);
const retryableStatuses = new Set([408, 425, 429]);

export interface BackendClientOptions {
  /** The base URL. Paths of requests are relative to it. */
  url: string;
  authorization?: string;
  /** A secret to remove from the error messages of the backend. */
  secret?: string;
  /** Default: `JSON`. */
  json?: JsonCodec;
}

export interface BackendRequest {
  method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';
  /** Relative, without a leading slash. Dynamic parts are percent-encoded. */
  path: string;
  body?: unknown;
  /** True if the path identifies a notebook, so that a 404 means that the notebook does not exist. */
  isNotebookPath?: boolean;
}

/** Sends requests to a backend, with one attempt each, and classifies failures. */
export interface BackendClient {
  /**
   * @returns the body of the answer, validated by the schema.
   * @throws NotebookAbsent for the 404 of a notebook, UpstreamError for any other failure.
   */
  fetchJson<T>(request: BackendRequest, schema: Schema<T>, call: BackendCall): Promise<T>;
  /** Like `fetchJson`, but ignores the body of the answer. */
  send(request: BackendRequest, call: BackendCall): Promise<void>;
}

export function backendClient(options: BackendClientOptions): BackendClient {
  const base = options.url.endsWith('/') ? options.url : `${options.url}/`;
  const json = options.json ?? JSON;
  const secrets = options.secret === undefined ? [] : [options.secret];

  const sendRequest = async (
    { method, path, body, isNotebookPath }: BackendRequest,
    call: BackendCall,
  ): Promise<string> => {
    const content = body === undefined ? undefined : json.stringify(body);
    const { status, text, retryAfter } = await sendHttpRequest(new URL(path, base), call, {
      method,
      headers: {
        Accept: 'application/json',
        'X-Request-ID': call.requestId,
        ...(options.authorization === undefined ? {} : { Authorization: options.authorization }),
        ...(content === undefined
          ? {}
          : { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(content)) }),
      },
      ...(content === undefined ? {} : { body: content }),
    });
    if (status >= 200 && status < 300) return text;
    const message = sanitizeReason(extractErrorMessage(text), secrets);
    if (status === 404 && isNotebookPath) throw new NotebookAbsent(message);
    const retryable = retryableStatuses.has(status) || status >= 500;
    throw new UpstreamError({
      reason: sanitizeReason(`it answered ${status}${message === '' ? '' : `: ${message}`}`),
      retryable,
      outage: status >= 500,
      refused: !retryable,
      unauthorized: status === 401 || status === 403,
      ...(retryable ? { retryAfterMs: parseRetryAfter(retryAfter) } : {}),
    });
  };

  return {
    send: async (request, call) => {
      await sendRequest(request, call);
    },
    fetchJson: async (request, schema, call) => {
      const text = await sendRequest(request, call);
      let parsed: unknown;
      try {
        parsed = json.parse(text);
      } catch (cause) {
        throw new UpstreamError({ reason: 'its answer is not JSON', retryable: false, cause });
      }
      const { value, error } = schema.validate(parsed, { allowUnknown: true, convert: false });
      if (error) {
        const reason = sanitizeReason(`its answer is malformed: ${error.message}`, secrets);
        throw new UpstreamError({ reason, retryable: false, cause: error });
      }
      return value;
    },
  };
}

interface HttpResponse {
  status: number;
  text: string;
  retryAfter: string | undefined;
}

interface HttpRequest {
  method: string;
  headers: Record<string, string>;
  body?: string;
}

/**
 * Sends a request by Node's HTTP client, because `fetch` takes a millisecond longer. It does not follow redirects,
 * which would forward the token.
 */
async function sendHttpRequest(
  url: URL,
  { signal }: BackendCall,
  { body, ...options }: HttpRequest,
): Promise<HttpResponse> {
  try {
    const secure = url.protocol === 'https:';
    const outgoing = secure
      ? httpsRequest(url, { ...options, signal, agent: httpsAgent })
      : httpRequest(url, { ...options, signal, agent: httpAgent });
    const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>;
    outgoing.end(body);
    const [response] = await answered;
    // Later errors are reported while the body is read. Without a listener, they would end the process.
    outgoing.on('error', () => {});
    return {
      status: response.statusCode ?? 0,
      text: await readText(response),
      retryAfter: response.headers['retry-after'],
    };
  } catch (error) {
    if (error instanceof UpstreamError) throw error;
    const reason = signal.aborted ? 'it gave no answer in time' : describeConnectionError(error);
    throw new UpstreamError({ reason, retryable: true, outage: true, cause: error });
  }
}

async function readText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxAnswerBytes) throw new UpstreamError({ reason: 'its answer is too large', retryable: false });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

const reasonByCode: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'it refuses connections',
  ECONNRESET: 'it reset the connection',
  EPIPE: 'it reset the connection',
  ETIMEDOUT: 'it is unreachable',
  EHOSTUNREACH: 'it is unreachable',
  ENETUNREACH: 'it is unreachable',
  ENOTFOUND: 'its host name is unknown',
  EAI_AGAIN: 'the lookup of its host name failed',
};

/** Replaces the message of the system, because it contains addresses, which callers must not see. */
function describeConnectionError(error: unknown): string {
  return reasonByCode[(error as NodeJS.ErrnoException).code ?? ''] ?? 'the connection failed';
}

/** Converts a `Retry-After` header (seconds or a date) to milliseconds; 0 if it is missing or malformed. */
function parseRetryAfter(header: string | undefined): number {
  if (header === undefined) return 0;
  const ms = /^\s*\d+\s*$/.test(header) ? Number(header) * second : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : 0;
}
