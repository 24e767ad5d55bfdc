import { once } from 'node:events';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Schema } from 'joi';
import { second } from '../../shared/durations.ts';
import type { JsonText } from './exact-json.ts';
import type { BackendCall } from './notebook-backend.ts';
import { NotebookAbsent, UpstreamError } from './upstream-error.ts';
import { readableReason, saidBy } from './upstream-reason.ts';

/** Larger answers are not taken into memory: a notebook with its outputs fits many times over. */
const maxAnswerBytes = 64 * 1024 * 1024;
/** An idle connection is given up before the other side does so: Node's own servers wait five seconds. */
const idle = { keepAlive: true, timeout: 4 * second };
const httpAgent = new HttpAgent(idle);
const httpsAgent = new HttpsAgent(idle);
const retryableStatuses = new Set([408, 425, 429]);

export interface BackendClientOptions {
  /** Paths of requests are taken below it. */
  url: string;
  authorization?: string;
  /** Removed from whatever the backend says. */
  secret?: string;
  /** How bodies are read and written, where not simply as JSON. */
  json?: JsonText;
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
  const json = options.json ?? JSON;
  const secrets = options.secret === undefined ? [] : [options.secret];

  const send = async ({ method, path, body, ofNotebook }: BackendRequest, call: BackendCall): Promise<string> => {
    const sent = body === undefined ? undefined : json.stringify(body);
    const { status, text, retryAfter } = await exchange(new URL(path, base), call, {
      method,
      headers: {
        Accept: 'application/json',
        'X-Request-ID': call.requestId,
        ...(options.authorization === undefined ? {} : { Authorization: options.authorization }),
        ...(sent === undefined
          ? {}
          : { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(sent)) }),
      },
      ...(sent === undefined ? {} : { body: sent }),
    });
    if (status >= 200 && status < 300) return text;
    const said = readableReason(saidBy(text), secrets);
    if (status === 404 && ofNotebook) throw new NotebookAbsent(said);
    const retryable = retryableStatuses.has(status) || status >= 500;
    throw new UpstreamError({
      reason: readableReason(`it answered ${status}${said === '' ? '' : `: ${said}`}`),
      retryable,
      outage: status >= 500,
      refused: !retryable,
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
        parsed = json.parse(text);
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
  retryAfter: string | undefined;
}

interface Exchange {
  method: string;
  headers: Record<string, string>;
  body?: string;
}

/** By Node's own client: fetch takes a millisecond longer for it. Redirects are not followed, they would take the token along. */
async function exchange(url: URL, { signal }: BackendCall, { body, ...options }: Exchange): Promise<Answer> {
  try {
    const secure = url.protocol === 'https:';
    const outgoing = secure
      ? httpsRequest(url, { ...options, signal, agent: httpsAgent })
      : httpRequest(url, { ...options, signal, agent: httpAgent });
    const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>;
    outgoing.end(body);
    const [response] = await answered;
    // What goes wrong from here on shows in reading; unheard, it would end the process.
    outgoing.on('error', () => {});
    return {
      status: response.statusCode ?? 0,
      text: await readText(response),
      retryAfter: response.headers['retry-after'],
    };
  } catch (error) {
    if (error instanceof UpstreamError) throw error;
    const reason = signal.aborted ? 'it gave no answer in time' : connectionFault(error);
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

const faultOfCode: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'it refuses connections',
  ECONNRESET: 'it reset the connection',
  EPIPE: 'it reset the connection',
  ETIMEDOUT: 'it can not be reached',
  EHOSTUNREACH: 'it can not be reached',
  ENETUNREACH: 'it can not be reached',
  ENOTFOUND: 'its host name is not known',
  EAI_AGAIN: 'its host name is not known at the moment',
};

/** In our own words: those of the system name addresses. */
function connectionFault(error: unknown): string {
  return faultOfCode[(error as NodeJS.ErrnoException).code ?? ''] ?? 'the connection failed';
}

/** `Retry-After` as it may be written: seconds, or a date. */
function retryAfterMs(header: string | undefined): number {
  if (header === undefined) return 0;
  const ms = /^\s*\d+\s*$/.test(header) ? Number(header) * second : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : 0;
}
