import { setTimeout as delay } from 'node:timers/promises';
import { minute, second } from '../../shared/durations.ts';

/** Maximum total wait of a request for a busy service. */
const maxBusyWait = 5 * minute;

/** An error of the demo that the user can fix. The message is printed without a stack trace. */
export class DemoError extends Error {
  override readonly name = 'DemoError';
}

/** A response with a 2xx status or a status that the caller accepts. */
interface ApiResponse<Body> {
  status: number;
  body: Body;
}

interface RequestOptions {
  headers?: Record<string, string>;
  /** Sent as JSON. Bytes are sent unchanged. */
  body?: unknown;
  /** Statuses other than 2xx that are not errors. */
  accept?: readonly number[];
  /** Called before each wait that the service requests. Default: prints a line. */
  onBusy?: (milliseconds: number) => void;
}

/**
 * Sends requests to a running service. After a 429 or 503, it waits for the time in Retry-After and
 * sends the request again.
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

  async download(path: string): Promise<Buffer> {
    return (await this.#request('GET', path, {})).body;
  }

  /** Waits; rejects when the signal aborts. */
  async pause(milliseconds: number): Promise<void> {
    await delay(milliseconds, undefined, { signal: this.#signal });
  }

  async #request(method: string, path: string, options: RequestOptions): Promise<ApiResponse<Buffer>> {
    const { accept = [], onBusy = printWait } = options;
    const deadline = Date.now() + maxBusyWait;
    for (;;) {
      const { response, body } = await this.#send(method, path, options);
      const { ok, status, headers } = response;
      if (ok || accept.includes(status)) return { status, body };
      const wait = retryAfter(headers);
      if (![429, 503].includes(status) || Date.now() + wait > deadline)
        throw requestError(`${method} ${new URL(response.url).pathname}`, status, parse(body));
      onBusy(wait);
      await this.pause(wait);
    }
  }

  async #send(method: string, path: string, { headers, body }: RequestOptions) {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    try {
      const response = await fetch(new URL(path, `${this.url}/`), {
        method,
        headers: { ...this.#credentials, ...type, ...headers },
        signal: this.#signal,
        ...(body === undefined ? {} : { body: Buffer.isBuffer(body) ? body : JSON.stringify(body) }),
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
function retryAfter(headers: Headers): number {
  const seconds = Number(headers.get('retry-after') ?? 1);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * second : second;
}

function printWait(milliseconds: number): void {
  console.error(`The service is busy: retrying in ${Math.ceil(milliseconds / second)} s.`);
}

const parsed = <Body>({ status, body }: ApiResponse<Buffer>): ApiResponse<Body> => ({
  status,
  body: parse(body) as Body,
});

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

function requestError(request: string, status: number, body: unknown): DemoError {
  const { error } = (body ?? {}) as { error?: { code: string; message: string } };
  const reason = error ? `${error.code}: ${error.message}` : 'without an error message; is this Meterbook?';
  const hint = status === 401 ? ' Set an API key with --api-key or METERBOOK_API_KEY.' : '';
  return new DemoError(`${request} failed with ${status}, ${reason}${hint}`);
}

function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error && cause.message !== '' ? cause.message : message;
}
