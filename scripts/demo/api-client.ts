import { setTimeout as delay } from 'node:timers/promises';
import { minute, second } from '../../shared/durations.ts';
import { DemoError } from './demo-error.ts';

/** Maximum total wait of a request because of rate limits. */
const maxRateLimitWait = 5 * minute;

/** An respond with a 2xx status or a status that the caller accepts. */
interface ApiResponse<Body> {
  status: number;
  headers: Headers;
  body: Body;
}

interface RequestOptions {
  headers?: Record<string, string>;
  /** The body, sent as JSON unless the headers say otherwise. A string is sent unchanged. */
  body?: unknown;
  /** Statuses other than 2xx that are not errors. */
  accept?: readonly number[];
  /** Called before each wait after a 429. Default: prints a line. */
  onRateLimited?: (milliseconds: number) => void;
}

interface ErrorBody {
  error?: { code?: string; message?: string; details?: unknown };
}

/**
 * Sends requests to a running service. After a 429, it waits for the time in Retry-After and sends
 * the request again.
 * @throws DemoError with one sentence for every other error.
 */
export class ApiClient {
  readonly url: string;
  readonly #signal: AbortSignal;
  readonly #credentials: Record<string, string>;

  /** `signal` aborts requests and waits in progress. */
  constructor(url: string, signal: AbortSignal, apiKey?: string) {
    this.url = url;
    this.#signal = signal;
    this.#credentials = apiKey === undefined ? {} : { 'x-api-key': apiKey };
  }

  async get<Body>(path: string, options: RequestOptions = {}): Promise<ApiResponse<Body>> {
    return parsed(await this.#request('GET', path, options));
  }

  async post<Body>(path: string, options: RequestOptions = {}): Promise<ApiResponse<Body>> {
    return parsed(await this.#request('POST', path, options));
  }

  async download(path: string): Promise<Uint8Array> {
    return (await this.#request('GET', path, {})).body;
  }

  /** Waits; rejects when the signal aborts. */
  async pause(milliseconds: number): Promise<void> {
    await delay(milliseconds, undefined, { signal: this.#signal });
  }

  async #request(method: string, path: string, options: RequestOptions): Promise<ApiResponse<Buffer>> {
    const { accept = [], onRateLimited = printWait } = options;
    const deadline = Date.now() + maxRateLimitWait;
    for (;;) {
      const { response, body } = await this.#send(method, path, options);
      const { status, headers } = response;
      if (response.ok || accept.includes(status)) return { status, headers, body };
      const wait = retryAfter(headers);
      if (status !== 429 || Date.now() + wait > deadline)
        throw requestError(`${method} ${new URL(response.url).pathname}`, status, parse(body));
      onRateLimited(wait);
      await this.pause(wait);
    }
  }

  async #send(method: string, path: string, options: RequestOptions): Promise<{ response: Response; body: Buffer }> {
    const { body } = options;
    const headers = {
      ...this.#credentials,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...options.headers,
    };
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    try {
      const response = await fetch(new URL(path, `${this.url}/`), {
        method,
        headers,
        signal: this.#signal,
        ...(body === undefined ? {} : { body: text }),
      });
      return { response, body: Buffer.from(await response.arrayBuffer()) };
    } catch (error) {
      this.#signal.throwIfAborted();
      throw new DemoError(
        `The service is unreachable at ${this.url} (${reasonOf(error)}): start it with npm start, or set another address with --url.`,
      );
    }
  }
}

/** The wait that a 429 or 503 requests, in milliseconds; one second without `Retry-After`. */
export function retryAfter(headers: Headers): number {
  const seconds = Number(headers.get('retry-after') ?? 1);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * second : second;
}

function printWait(milliseconds: number): void {
  console.error(`Rate limit reached: retrying in ${Math.ceil(milliseconds / second)} s.`);
}

const parsed = <Body>(response: ApiResponse<Buffer>): ApiResponse<Body> => ({
  ...response,
  body: parse(response.body) as Body,
});

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

function requestError(request: string, status: number, body: unknown): DemoError {
  const { code, message, details } = (body as ErrorBody | undefined)?.error ?? {};
  const reason = message === undefined ? 'without an error message; is this Meterbook?' : `${code}: ${message}`;
  const extra = detailsText(details, message ?? '');
  const hint = status === 401 ? ' Set an API key with --api-key or METERBOOK_API_KEY.' : '';
  return new DemoError(`${request} failed with ${status}, ${reason}${extra === '' ? '' : ` (${extra})`}${hint}`);
}

/**
 * Formats details as `field: error; field: error`, without the details that the message contains.
 */
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
