import { setTimeout as delay } from 'node:timers/promises';
import { minute, second } from '../../shared/durations.ts';
import { DemoError } from './demo-error.ts';

/** How long one request waits in all where it is limited. */
const limitPatience = 5 * minute;

/** An answer with a status that the caller knows what to do with. */
export interface Answer<Body> {
  status: number;
  headers: Headers;
  body: Body;
}

interface RequestOptions {
  headers?: Record<string, string>;
  /** Sent as JSON; a string is JSON already. */
  body?: unknown;
  /** Statuses besides 2xx that are no fault. */
  accept?: readonly number[];
  /** Hears of each wait that a 429 asks for; without it, a line says so. */
  onLimited?: (milliseconds: number) => void;
}

interface ErrorBody {
  error?: { code?: string; message?: string; details?: unknown };
}

/**
 * Requests to one running service; every fault becomes a sentence. A 429 is waited out as Retry-After says and the request
 * sent again: nothing of it was done.
 */
export class ApiClient {
  readonly url: string;
  readonly #signal: AbortSignal;
  readonly #credentials: Record<string, string>;

  /** `signal` ends whatever request or wait is under way. */
  constructor(url: string, signal: AbortSignal, apiKey?: string) {
    this.url = url;
    this.#signal = signal;
    this.#credentials = apiKey === undefined ? {} : { 'x-api-key': apiKey };
  }

  async get<Body>(path: string, options: RequestOptions = {}): Promise<Answer<Body>> {
    return this.#request('GET', path, options);
  }

  async post<Body>(path: string, options: RequestOptions = {}): Promise<Answer<Body>> {
    return this.#request('POST', path, options);
  }

  async #request<Body>(method: string, path: string, options: RequestOptions): Promise<Answer<Body>> {
    const { accept = [], onLimited = tellOfWait } = options;
    const giveUpAt = Date.now() + limitPatience;
    for (;;) {
      const { response, body } = await this.#send(method, path, options);
      const { status, headers } = response;
      if (response.ok || accept.includes(status)) return { status, headers, body: body as Body };
      const wait = retryAfter(headers);
      if (status !== 429 || Date.now() + wait > giveUpAt)
        throw refused(`${method} ${new URL(response.url).pathname}`, status, body);
      onLimited(wait);
      await delay(wait, undefined, { signal: this.#signal });
    }
  }

  async #send(method: string, path: string, options: RequestOptions): Promise<{ response: Response; body: unknown }> {
    const { body } = options;
    const headers = {
      ...this.#credentials,
      ...options.headers,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    try {
      const response = await fetch(new URL(path, `${this.url}/`), {
        method,
        headers,
        signal: this.#signal,
        ...(body === undefined ? {} : { body: text }),
      });
      return { response, body: parse(await response.text()) };
    } catch (error) {
      this.#signal.throwIfAborted();
      throw new DemoError(
        `Nothing answers at ${this.url} (${reasonOf(error)}): start the service with npm start, or name another one with --url.`,
      );
    }
  }
}

/** Milliseconds that a 429 or 503 asks to wait; one second when it does not say. */
export function retryAfter(headers: Headers): number {
  const seconds = Number(headers.get('retry-after') ?? 1);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * second : second;
}

function tellOfWait(milliseconds: number): void {
  console.error(`The service limits requests: going on in ${Math.ceil(milliseconds / second)} s.`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refused(request: string, status: number, body: unknown): DemoError {
  const { code, message, details } = (body as ErrorBody | undefined)?.error ?? {};
  const said = message === undefined ? 'no explanation; is this Meterbook?' : `${code}: ${message}`;
  const more = detailsText(details, message ?? '');
  const hint = status === 401 ? ' Give the demo a key by --api-key, or by METERBOOK_API_KEY in the environment.' : '';
  return new DemoError(`${request} was answered with ${status}, ${said}${more === '' ? '' : ` (${more})`}${hint}`);
}

/** Details as `field: error; field: error`, without those that the message has named already. */
function detailsText(details: unknown, message: string): string {
  if (details === undefined || details === null) return '';
  if (!Array.isArray(details)) return JSON.stringify(details);
  return details
    .filter((detail: { field?: string; error?: string }) => !message.includes(`${detail.field} ${detail.error}`))
    .map((detail: { field?: string; error?: string }) =>
      detail.field === undefined ? JSON.stringify(detail) : `${detail.field}: ${detail.error}`,
    )
    .join('; ');
}

function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error && cause.message !== '' ? cause.message : message;
}
