import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { startInterruptibleServer } from './interruptible-server.ts';

/**
 * What goes wrong with one request: `reset` cuts the connection before the server behind has heard of it, `reset after`
 * once it has done the work; `no json` and `endless` answer 200 with a body that is none, or that never ends. A status is
 * answered in the server's place or, `afterWork`, once it has done the work.
 */
export type Fault =
  | 'reset'
  | 'reset after'
  | 'no json'
  | 'endless'
  | { status: number; headers?: Record<string, string>; body?: string; afterWork?: true };

/** A proxy before a real server, by which a test makes the connection to it fail. */
export interface FaultyProxy {
  readonly url: string;
  /** How many requests have come, faults included. */
  requests: number;
  /** When each request came, in epoch milliseconds, and what was asked. */
  readonly seen: { at: number; method: string; path: string; headers: IncomingMessage['headers'] }[];
  /** Asked for every request; undefined lets it pass. */
  fault: (method: string, path: string) => Fault | undefined;
  /** Refuses connections, as a killed server does, and cuts those that are open. */
  down(): Promise<void>;
  up(): Promise<void>;
  close(): Promise<void>;
}

/** These faults, one a request, then none. */
export function inTurn(...faults: Fault[]): () => Fault | undefined {
  return () => faults.shift();
}

export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  const { port, up, down } = await startInterruptibleServer(() =>
    createServer((incoming, outgoing) => {
      const { method = '', url = '', headers } = incoming;
      proxy.requests += 1;
      proxy.seen.push({ at: Date.now(), method, path: url, headers });
      handle(target, incoming, outgoing, proxy.fault(method, url));
    }),
  );
  const proxy: FaultyProxy = {
    url: `http://127.0.0.1:${port}`,
    requests: 0,
    seen: [],
    fault: () => undefined,
    up,
    down,
    close: down,
  };
  return proxy;
}

function handle(target: string, incoming: IncomingMessage, outgoing: ServerResponse, fault: Fault | undefined): void {
  if (fault === 'reset') incoming.socket.resetAndDestroy();
  else if (fault === 'no json') outgoing.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>It works!</p>');
  else if (fault === 'endless') outgoing.writeHead(200, { 'Content-Type': 'application/json' }).write('{"never": ');
  else if (typeof fault === 'object' && !fault.afterWork) answerWith(fault, outgoing);
  else forward(target, incoming, outgoing, fault);
}

function answerWith({ status, headers, body }: Extract<Fault, object>, outgoing: ServerResponse): void {
  outgoing.writeHead(status, headers).end(body ?? '');
}

/** Lets the request through; a fault takes the place of its answer. */
function forward(target: string, incoming: IncomingMessage, outgoing: ServerResponse, fault: Fault | undefined): void {
  const { host: _host, connection: _connection, ...headers } = incoming.headers;
  const options = { method: incoming.method ?? 'GET', headers };
  const onward = request(target + (incoming.url ?? ''), options, (answer) => {
    if (fault === undefined) {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
      return;
    }
    answer.resume().on('end', () => {
      if (typeof fault === 'object') answerWith(fault, outgoing);
      else incoming.socket.resetAndDestroy();
    });
  });
  onward.on('error', () => incoming.socket.destroy());
  incoming.pipe(onward);
}
