import { once } from 'node:events';
import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Schema } from 'joi';
import type { Config } from '../../../shared/config/config.ts';
import { second } from '../../../shared/durations.ts';
import { parseJson } from '../../../shared/json/parse-json.ts';
import type { BackendCall } from './notebook-backend.ts';
import { extractErrorMessage, NotebookAbsent, sanitizeReason, UpstreamError } from './upstream-error.ts';

const mebibyte = 1024 * 1024;
/** Bounds the memory of all concurrent calls. */
const defaultMaxResponseBytes = 1 * mebibyte;
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

export type BackendSettings = Pick<Config['notebooks'], 'backendUrl' | 'backendToken'>;

interface BackendRequest {
  method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';
  /** Relative, without a leading slash. Dynamic parts are percent-encoded. */
  path: string;
  /** An object, or JSON text. */
  body?: object | string;
  /** True if a 404 means that the notebook does not exist. */
  isNotebookPath?: boolean;
  /** A longer response is a failure. */
  maxResponseBytes?: number;
}

export type BackendClient = ReturnType<typeof backendClient>;

/**
 * Sends requests to a backend, with one attempt each, and classifies failures. Their paths are
 * relative to its URL.
 */
export function backendClient({ backendUrl, backendToken }: BackendSettings, scheme: 'Bearer' | 'token') {
  const base = backendUrl.endsWith('/') ? backendUrl : `${backendUrl}/`;
  const secrets = backendToken === undefined ? [] : [backendToken];
  const authorization = backendToken === undefined ? {} : { Authorization: `${scheme} ${backendToken}` };

  /**
   * @returns the body of the response.
   * @throws NotebookAbsent for the 404 of a notebook, UpstreamError for any other failure.
   */
  const send = async (request: BackendRequest, call: BackendCall): Promise<string> => {
    const { method, path, body, isNotebookPath, maxResponseBytes = defaultMaxResponseBytes } = request;
    const json = body === undefined ? undefined : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
    const headers = {
      Accept: 'application/json',
      'X-Request-ID': call.requestId,
      ...authorization,
      ...(json && { 'Content-Type': 'application/json', 'Content-Length': json.length }),
    };
    const options = { method, headers, signal: call.signal };
    const target = new URL(path, base);
    const outgoing =
      target.protocol === 'https:'
        ? httpsRequest(target, { ...options, agent: httpsAgent })
        : httpRequest(target, { ...options, agent: httpAgent });
    try {
      const response = await responseTo(outgoing, json);
      const status = response.statusCode ?? 0;
      if (status >= 200 && status < 300) {
        const { text, isWhole } = await readBody(response, maxResponseBytes);
        if (isWhole) return text;
        throw new UpstreamError(`its response is larger than ${maxResponseBytes / mebibyte} MiB`);
      }
      const { text } = await readBody(response, maxErrorBytes);
      const message = sanitizeReason(extractErrorMessage(text), secrets);
      if (status === 404 && isNotebookPath) throw new NotebookAbsent(message);
      throw failureOf(response, message);
    } catch (error) {
      if (error instanceof UpstreamError || error instanceof NotebookAbsent) throw error;
      const reason = call.signal.aborted ? describeTimeout(outgoing) : describeConnectionError(error);
      throw new UpstreamError(reason, { retryable: true, outage: true, cause: error });
    }
  };

  /** @throws UpstreamError when the response does not match. */
  const validate = <T>(response: unknown, schema: Schema<T>): T => {
    const { value, error } = schema.validate(response, { allowUnknown: true, convert: false });
    if (!error) return value;
    throw new UpstreamError(sanitizeReason(`its response is malformed: ${error.message}`, secrets), { cause: error });
  };

  return {
    send,
    validate,
    /** Like `send`, and parses the body and validates it by the schema. */
    fetchJson: async <T>(request: BackendRequest, schema: Schema<T>, call: BackendCall): Promise<T> => {
      const response = parseJson(await send(request, call));
      if (response === undefined) throw new UpstreamError('its response is not JSON');
      return validate(response, schema);
    },
  };
}

/**
 * Sends a request by Node's HTTP client, because `fetch` takes a millisecond longer. It does not
 * follow redirects, which would forward the token.
 */
async function responseTo(outgoing: ClientRequest, body: Buffer | undefined): Promise<IncomingMessage> {
  const responded = once(outgoing, 'response') as Promise<[IncomingMessage]>;
  outgoing.end(body);
  const [response] = await responded;
  // Later errors are reported while the body is read. Without a listener, they would end the
  // process.
  outgoing.on('error', () => {});
  return response;
}

/** A server that hangs still accepts connections, because the system does. */
function describeTimeout(outgoing: ClientRequest): string {
  const wasConnected = outgoing.socket?.connecting === false;
  return wasConnected ? 'it accepted the connection, but gave no response in time' : 'it gave no response in time';
}

/** Reads a body, or a little more than `maxBytes` of it. The connection ends with the rest. */
async function readBody(response: IncomingMessage, maxBytes: number): Promise<{ text: string; isWhole: boolean }> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > maxBytes) break;
  }
  return { text: Buffer.concat(chunks).toString('utf8'), isWhole: bytes <= maxBytes };
}

function failureOf(response: IncomingMessage, message: string): UpstreamError {
  const { statusCode: status = 0, headers } = response;
  const isLogin = status >= 300 && status < 400 && loginPattern.test(headers.location ?? '');
  // JupyterHub responds like this itself, while the user's server is not running.
  const isStopped = status === 424 || isLogin;
  const retryable = retryableStatuses.has(status) || status >= 500 || isStopped;
  const unauthorized = status === 401 || status === 403;
  const said = [
    `it responded with ${status}${isLogin ? ' and a redirect to a hub or login page' : ''}`,
    isStopped ? ', as JupyterHub does while the server of this user is not running' : '',
    message === '' || isLogin ? '' : `: ${message}`,
  ].join('');
  return new UpstreamError(sanitizeReason(said) + adviceFor({ unauthorized, isLogin, message }), {
    retryable,
    outage: status >= 500 || isStopped,
    refused: !retryable,
    unauthorized,
    retryAfterMs: retryable ? parseRetryAfter(headers['retry-after']) : 0,
  });
}

/** Advice to the operator, if the response can be due to the configuration. */
function adviceFor(failure: { unauthorized: boolean; isLogin: boolean; message: string }): string {
  if (failure.isLogin) return '; if it is running, check NOTEBOOK_BACKEND_TOKEN';
  if (!failure.unauthorized) return '';
  return crossSitePattern.test(failure.message)
    ? '; its protection against cross-site requests refuses changes without its token: start Jupyter Server with a token, and set NOTEBOOK_BACKEND_TOKEN to it'
    : '; check NOTEBOOK_BACKEND_TOKEN';
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
