import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Action, EndedLine, History } from '../history.ts';

/** The result of a read. */
type Seen = Pick<EndedLine, 'seen' | 'pending'>;

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

interface Answer {
  readonly status: number;
  /** The parsed body; undefined if it is not JSON. */
  readonly body: unknown;
}

/** How often and when an unanswered or failed request is sent again. */
export interface Repeats {
  readonly isKeyed: boolean;
  readonly max: number;
}

export interface Client {
  /**
   * Carries out an operation: sends its request, and repeats it if it got no response, 503, or 409
   * while an earlier attempt is in progress.
   * @param seenIn finds what a read has read.
   * @returns the last response; undefined without one.
   */
  operate(
    action: Action,
    request: Request,
    repeats: Repeats,
    seenIn?: (body: never) => Seen,
  ): Promise<Answer | undefined>;
  /** Sends a request that is no part of the history. */
  send(request: Request): Promise<Answer | undefined>;
}

/** Longer than any response of a service takes that can respond. */
const responseLimitMs = 12_000;

interface ClientOptions {
  history: History;
  /** The addresses of both `web`; each attempt goes to one of them. */
  urls: readonly string[];
  random: () => number;
  token: () => string;
}

let operations = 0;

export function createClient({ history, urls, random, token }: ClientOptions): Client {
  const call = async ({ method, path, headers, body }: Request, id: string, key?: string) => {
    const url = urls[Math.floor(random() * urls.length)] ?? '';
    const response = await fetch(url + path, {
      method,
      headers: {
        Authorization: `Bearer ${token()}`,
        'X-Request-ID': id,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(key === undefined ? {} : { 'Idempotency-Key': key }),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
      signal: AbortSignal.timeout(responseLimitMs),
    });
    const text = await response.text();
    return { status: response.status, body: parse(text), hasRetryAfter: response.headers.has('Retry-After') };
  };

  return {
    operate: async (action, request, { isKeyed, max }, seenIn) => {
      operations += 1;
      const [operation, key] = [operations, isKeyed ? randomUUID() : undefined];
      for (let attempt = 1; ; attempt += 1) {
        const id = randomUUID();
        history.add({ type: 'sent', at: history.now(), operation, request: id, isKeyed, action });
        const answer = await call(request, id, key).catch(() => undefined);
        const code = codeOf(answer?.body);
        const isRead = seenIn && answer?.status === 200;
        history.add({
          type: 'ended',
          at: history.now(),
          request: id,
          status: answer?.status ?? null,
          ...(code === undefined ? {} : { code }),
          ...(answer?.hasRetryAfter ? { hasRetryAfter: true } : {}),
          ...(isRead ? seenIn(answer.body as never) : {}),
        });
        const isOver = answer && answer.status < 500 && !(isKeyed && answer.status === 409);
        if (isOver || attempt === max) return answer;
        await delay(200 + random() * 800);
      }
    },
    send: (request) => call(request, randomUUID()).catch(() => undefined),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const codeOf = (body: unknown) => (body as { error?: { code?: string } } | undefined)?.error?.code;
