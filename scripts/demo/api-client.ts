import { DemoError } from './demo-error.ts';

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
}

interface ErrorBody {
  error?: { code?: string; message?: string; details?: unknown };
}

/** Requests to one running service; every fault becomes a sentence. */
export class ApiClient {
  readonly url: string;
  readonly #signal: AbortSignal;
  readonly #credentials: Record<string, string>;

  /** `signal` ends whatever request is under way. */
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
    const { body, accept = [] } = options;
    const headers = {
      ...this.#credentials,
      ...options.headers,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    let response: Response;
    let received: string;
    try {
      response = await fetch(new URL(path, `${this.url}/`), {
        method,
        headers,
        signal: this.#signal,
        ...(body === undefined ? {} : { body: text }),
      });
      received = await response.text();
    } catch (error) {
      this.#signal.throwIfAborted();
      throw new DemoError(
        `Nothing answers at ${this.url} (${reasonOf(error)}): start the service with npm start, or name another one with --url.`,
      );
    }
    const parsed = parse(received);
    if (!response.ok && !accept.includes(response.status))
      throw refused(`${method} ${new URL(response.url).pathname}`, response.status, parsed);
    return { status: response.status, headers: response.headers, body: parsed as Body };
  }
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
  const lacksKey = status === 401 || request.endsWith('/api/v1/auth/register');
  const hint = lacksKey ? ' Give the demo a key by --api-key, or by API_KEY in the environment.' : '';
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
