import { once } from 'node:events';
import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { pipeline } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Schema } from 'joi';
import { second } from '../../../shared/durations.ts';
import type { BackendCall } from './notebook-backend.ts';
import { extractErrorMessage, NotebookAbsent, sanitizeReason, UpstreamError } from './upstream-error.ts';

/**
 * Bounds the memory for a response. All concurrent jobs of the queue can be in memory at the same
 * time.
 */
const defaultMaxResponseBytes = 1024 * 1024;
/** Bounds the body of an error, of which only the message is used. */
const maxErrorBytes = 16 * 1024;
/**
 * The timeout closes idle connections before the backend does. Node's servers close them after five
 * seconds.
 */
const agentOptions = { keepAlive: true, timeout: 4 * second };
const httpAgent = new HttpAgent(agentOptions);
const httpsAgent = new HttpsAgent(agentOptions);
const retryableStatuses = new Set([408, 425, 429]);
/** Pages of JupyterHub, or of another proxy with a login. */
const loginPattern = /\/hub\/|login/i;
/** Tornado's protection against cross-site requests, which only requests with a token pass. */
const crossSitePattern = /_xsrf/i;

export interface BackendClientOptions {
  /** The base URL. Paths of requests are relative to it. */
  url: string;
  authorization?: string;
  /** A secret to remove from the error messages of the backend. */
  secret?: string;
}

interface BackendRequest {
  method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';
  /** Relative, without a leading slash. Dynamic parts are percent-encoded. */
  path: string;
  /** Sent as JSON. */
  body?: unknown;
  /** JSON to send instead of a `body`, in parts. */
  rawBody?: readonly Uint8Array[];
  /**
   * True if the path identifies a notebook, so that a 404 means that the notebook does not exist.
   */
  isNotebookPath?: boolean;
  /** A longer response is a failure. Counts unpacked bytes. Default: 1 MiB. */
  maxResponseBytes?: number;
}

/** Sends requests to a backend, with one attempt each, and classifies failures. */
export interface BackendClient {
  /**
   * @returns the body of the response, validated by the schema.
   * @throws NotebookAbsent for the 404 of a notebook, UpstreamError for any other failure.
   */
  fetchJson<T>(request: BackendRequest, schema: Schema<T>, call: BackendCall): Promise<T>;
  /** Like `fetchJson`, but ignores the body of the response. */
  send(request: BackendRequest, call: BackendCall): Promise<void>;
  /** Like `fetchJson`, but passes the body of the response to a reader as it arrives. */
  stream<T>(request: BackendRequest, read: BodyReader<T>, call: BackendCall): Promise<T>;
}

export function backendClient(options: BackendClientOptions): BackendClient {
  const base = options.url.endsWith('/') ? options.url : `${options.url}/`;
  const secrets = options.secret === undefined ? [] : [options.secret];

  const stream = async <T>(request: BackendRequest, read: BodyReader<T>, call: BackendCall): Promise<T> => {
    const { method, path, body, isNotebookPath, maxResponseBytes = defaultMaxResponseBytes } = request;
    const parts = request.rawBody ?? (body === undefined ? [] : [Buffer.from(JSON.stringify(body))]);
    const length = parts.reduce((bytes, part) => bytes + part.length, 0);
    const headers = {
      Accept: 'application/json',
      'X-Request-ID': call.requestId,
      ...(options.authorization === undefined ? {} : { Authorization: options.authorization }),
      ...(parts.length === 0 ? {} : { 'Content-Type': 'application/json', 'Content-Length': String(length) }),
    };
    return sendHttpRequest(new URL(path, base), call, { method, headers, parts }, async (response) => {
      const status = response.statusCode ?? 0;
      if (status >= 200 && status < 300) return readBody(response, maxResponseBytes, read);
      const text = await readBody(response, Number.POSITIVE_INFINITY, readBeginning(maxErrorBytes));
      const message = sanitizeReason(extractErrorMessage(text), secrets);
      if (status === 404 && isNotebookPath) throw new NotebookAbsent(message);
      const isLogin = status >= 300 && status < 400 && loginPattern.test(response.headers.location ?? '');
      // JupyterHub responds like this itself, while the user's server is not running.
      const isStopped = status === 424 || isLogin;
      const retryable = retryableStatuses.has(status) || status >= 500 || isStopped;
      const unauthorized = status === 401 || status === 403;
      const said = [
        `it responded with ${status}${isLogin ? ' and a redirect to a hub or login page' : ''}`,
        isStopped ? ', as JupyterHub does while the server of this user is not running' : '',
        message === '' || isLogin ? '' : `: ${message}`,
      ].join('');
      throw new UpstreamError({
        reason: sanitizeReason(said) + adviceFor({ unauthorized, isLogin, message }),
        retryable,
        outage: status >= 500 || isStopped,
        refused: !retryable,
        unauthorized,
        ...(retryable ? { retryAfterMs: parseRetryAfter(response.headers['retry-after']) } : {}),
      });
    });
  };

  return {
    stream,
    send: async (request, call) => {
      await stream(request, readText, call);
    },
    fetchJson: async (request, schema, call) => {
      const text = await stream(request, readText, call);
      let parsed: unknown;
      try {
        parsed = JSON.parse(text);
      } catch (cause) {
        throw notJson(cause);
      }
      return validateResponse(parsed, schema, secrets);
    },
  };
}

/** Advice to the operator, if the response can be due to the configuration. */
function adviceFor(failure: { unauthorized: boolean; isLogin: boolean; message: string }): string {
  if (failure.isLogin) return '; if it is running, check NOTEBOOK_BACKEND_TOKEN';
  if (!failure.unauthorized) return '';
  return crossSitePattern.test(failure.message)
    ? '; its protection against cross-site requests refuses changes without its token: start Jupyter Server with a token, and set NOTEBOOK_BACKEND_TOKEN to it'
    : '; check NOTEBOOK_BACKEND_TOKEN';
}

export function notJson(cause?: unknown): UpstreamError {
  return new UpstreamError({ reason: 'its response is not JSON', retryable: false, cause });
}

/** @throws UpstreamError when the response does not match. */
export function validateResponse<T>(response: unknown, schema: Schema<T>, secrets: readonly string[] = []): T {
  const { value, error } = schema.validate(response, { allowUnknown: true, convert: false });
  if (!error) return value;
  const reason = sanitizeReason(`its response is malformed: ${error.message}`, secrets);
  throw new UpstreamError({ reason, retryable: false, cause: error });
}

interface HttpRequest {
  method: string;
  headers: Record<string, string>;
  /** The body. */
  parts: readonly Uint8Array[];
}

/**
 * Sends a request by Node's HTTP client, because `fetch` takes a millisecond longer. It does not
 * follow redirects, which would forward the token.
 */
async function sendHttpRequest<T>(
  url: URL,
  { signal }: BackendCall,
  { parts, ...options }: HttpRequest,
  receive: (response: IncomingMessage) => Promise<T>,
): Promise<T> {
  let outgoing: ClientRequest | undefined;
  try {
    const secure = url.protocol === 'https:';
    outgoing = secure
      ? httpsRequest(url, { ...options, signal, agent: httpsAgent })
      : httpRequest(url, { ...options, signal, agent: httpAgent });
    const responded = once(outgoing, 'response') as Promise<[IncomingMessage]>;
    for (const part of parts) outgoing.write(part);
    outgoing.end();
    const [response] = await responded;
    // Later errors are reported while the body is read. Without a listener, they would end the
    // process.
    outgoing.on('error', () => {});
    return await receive(response);
  } catch (error) {
    if (error instanceof UpstreamError || error instanceof NotebookAbsent) throw error;
    const reason = signal.aborted ? describeTimeout(outgoing) : describeConnectionError(error);
    throw new UpstreamError({ reason, retryable: true, outage: true, cause: error });
  }
}

/** A server that hangs still accepts connections, because the system does. */
function describeTimeout(outgoing: ClientRequest | undefined): string {
  const wasConnected = outgoing?.socket?.connecting === false;
  return wasConnected ? 'it accepted the connection, but gave no response in time' : 'it gave no response in time';
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

/**
 * Replaces the message of the system, because it contains addresses, which callers must not see.
 */
function describeConnectionError(error: unknown): string {
  return reasonByCode[(error as NodeJS.ErrnoException).code ?? ''] ?? 'the connection failed';
}

/**
 * Converts a `Retry-After` header (seconds or a date) to milliseconds; 0 if it is missing or
 * malformed.
 */
function parseRetryAfter(header: string | undefined): number {
  if (header === undefined) return 0;
  const ms = /^\s*\d+\s*$/.test(header) ? Number(header) * second : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : 0;
}

// Reads the bodies of a backend's responses without ever holding more than their limit.

const mebibyte = 1024 * 1024;

/**
 * Reads the body of a response, chunk by chunk. The unread rest is discarded with the
 * connection.
 */
export type BodyReader<T> = (body: AsyncIterable<Buffer>) => Promise<T>;

const decompressors: Readonly<Record<string, () => ReturnType<typeof createGunzip>>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/**
 * Passes the unpacked body of a response to a reader. The connection is closed unless the body was
 * read to its end.
 * @param maxBytes counts unpacked bytes.
 * @throws UpstreamError when the body is longer or not of the encoding that it names, and whatever
 * the reader throws.
 */
async function readBody<T>(response: IncomingMessage, maxBytes: number, read: BodyReader<T>): Promise<T> {
  const encoding = response.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  const decompress = decompressors[encoding];
  try {
    if (!decompress && encoding !== 'identity') {
      throw new UpstreamError({ reason: 'its response has an unknown encoding', retryable: false });
    }
    // A packed body that is longer than the limit is longer still when it is unpacked.
    if (Number(response.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
    // The callback form: both streams end together, also when the reader stops before the end.
    const body = decompress ? pipeline(response, decompress(), () => {}) : response;
    return await read(limitBytes(body as AsyncIterable<Buffer>, maxBytes));
  } catch (error) {
    if (isDecompressionError(error)) {
      throw new UpstreamError({ reason: 'its response is not of its encoding', retryable: false, cause: error });
    }
    throw error;
  } finally {
    if (!response.complete) response.destroy();
  }
}

async function* limitBytes(body: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    yield chunk;
  }
}

/** Collects a body as text. */
const readText: BodyReader<string> = async (body) => {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
};

/** The beginning of a body as text, up to `maxBytes` and the rest of a chunk. */
const readBeginning =
  (maxBytes: number): BodyReader<string> =>
  async (body) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of body) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= maxBytes) break;
    }
    return Buffer.concat(chunks).toString('utf8');
  };

function tooLarge(maxBytes: number): UpstreamError {
  return new UpstreamError({ reason: `its response is larger than ${maxBytes / mebibyte} MiB`, retryable: false });
}

function isDecompressionError(error: unknown): boolean {
  return ['Z_', 'ERR__ERROR_'].some((prefix) => (error as NodeJS.ErrnoException | null)?.code?.startsWith(prefix));
}

/** Lets one holder at a time keep a large response in memory. */
interface LargeResponseSlot {
  /**
   * Waits until no other holder has the slot. @returns a function that frees it.
   * @throws UpstreamError when the signal aborts before.
   */
  acquire(signal: AbortSignal): Promise<() => void>;
}

export function createLargeResponseSlot(): LargeResponseSlot {
  let isTaken = false;
  const waiting = new Set<() => void>();
  const release = () => {
    const [next] = waiting;
    if (next) next();
    else isTaken = false;
  };
  return {
    acquire: async (signal) => {
      if (isTaken) {
        await new Promise<void>((resolve, reject) => {
          const end = (settle: () => void) => () => {
            waiting.delete(proceed);
            signal.removeEventListener('abort', abandon);
            settle();
          };
          const proceed = end(resolve);
          const abandon = end(() => reject(slotTaken()));
          waiting.add(proceed);
          if (signal.aborted) abandon();
          else signal.addEventListener('abort', abandon);
        });
      }
      isTaken = true;
      return release;
    },
  };
}

function slotTaken(): UpstreamError {
  return new UpstreamError({ reason: 'other large notebooks are being changed', retryable: true });
}
