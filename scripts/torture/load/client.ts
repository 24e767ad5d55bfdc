import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Action, AttemptLine, History } from '../history.ts';

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** `body`: undefined if it is not JSON. */
type Answer = { readonly status: number; readonly body: unknown };

/** How often and when an unanswered or failed request is sent again. */
export interface Repeats {
  readonly isKeyed: boolean;
  readonly max: number;
}

/** Longer than any response of a service takes that can respond. */
const responseLimitMs = 12_000;
/** Access tokens are valid for 15 minutes. */
const renewalMs = 8 * 60_000;

const admin = 'admin@example.com';
const credentials = JSON.stringify({ email: admin, password: 'a password for the torture' });
/** The access token of the admin, and when it was issued. */
let access = { token: '', issuedAt: 0 };
const useToken = (body: unknown) => {
  access = { token: (body as { access_token: string }).access_token, issuedAt: performance.now() };
};

let operations = 0;

/** Sends requests of the admin, each attempt to one of both `web`. */
export class Client {
  readonly #history: History;
  readonly #urls: readonly string[];
  readonly #random: () => number;

  constructor(history: History, urls: readonly string[], random: () => number) {
    this.#history = history;
    this.#urls = urls;
    this.#random = random;
  }

  /** Registers, as an operation of the history: its audit record is the first one. */
  async register(): Promise<void> {
    const request = { method: 'POST', path: '/api/v1/auth/register', body: credentials };
    const action = { kind: 'create', collection: 'users', name: admin } as const;
    const answer = await this.operate(action, request, { isKeyed: true, max: 3 });
    if (answer?.status !== 201) throw new Error(`The admin could not register: ${answer?.status ?? 'no response'}.`);
    useToken(answer.body);
  }

  /** Logs in again if the token is old; during a fault, the old one is still used. */
  async renewToken(): Promise<void> {
    if (performance.now() - access.issuedAt < renewalMs) return;
    const answer = await this.send({ method: 'POST', path: '/api/v1/auth/login', body: credentials });
    if (answer?.status === 200) useToken(answer.body);
  }

  /** Sends a request that is no part of the history. */
  async send(request: Request): Promise<Answer | undefined> {
    return this.#call(request, randomUUID()).catch(() => undefined);
  }

  /**
   * Carries out an operation: sends its request, and repeats it if it got no response, 503, or 409
   * while an earlier attempt is in progress.
   * @param seenIn finds what a read has read.
   * @returns the last response; undefined without one.
   */
  async operate(
    action: Action,
    sent: Request,
    { isKeyed, max }: Repeats,
    seenIn?: (body: never) => Pick<AttemptLine, 'seen' | 'pending'>,
  ): Promise<Answer | undefined> {
    const history = this.#history;
    operations += 1;
    const [operation, key] = [operations, isKeyed ? randomUUID() : undefined];
    for (let attempt = 1; ; attempt += 1) {
      const [request, sentAt] = [randomUUID(), history.now()];
      const answer = await this.#call(sent, request, key).catch(() => undefined);
      const { code } = (answer?.body as { error?: { code?: string } } | undefined)?.error ?? {};
      history.add({
        type: 'attempt',
        operation,
        request,
        isKeyed,
        action,
        sentAt,
        endedAt: history.now(),
        status: answer?.status ?? null,
        ...(code === undefined ? {} : { code }),
        ...(answer?.hasRetryAfter ? { hasRetryAfter: true } : {}),
        ...(seenIn && answer?.status === 200 ? seenIn(answer.body as never) : {}),
      });
      const isOver = answer && answer.status < 500 && !(isKeyed && answer.status === 409);
      if (isOver || attempt === max) return answer;
      await delay(200 + this.#random() * 800);
    }
  }

  async #call({ method, path, headers, body }: Request, id: string, key?: string) {
    const url = this.#urls[Math.floor(this.#random() * this.#urls.length)] ?? '';
    const response = await fetch(url + path, {
      method,
      headers: {
        Authorization: `Bearer ${access.token}`,
        'X-Request-ID': id,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(key === undefined ? {} : { 'Idempotency-Key': key }),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
      signal: AbortSignal.timeout(responseLimitMs),
    });
    const isJson = response.headers.get('Content-Type')?.includes('json');
    const answered: unknown = isJson ? await response.json() : await response.text().then(() => undefined);
    return { status: response.status, body: answered, hasRetryAfter: response.headers.has('Retry-After') };
  }
}
