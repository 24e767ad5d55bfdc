import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import { startRestartableServer } from './restartable-server.ts';

/**
 * A fault that is injected into one request. `reset`: the connection is reset, and the server does
 * not receive the request. `reset after work`: the connection is reset after the server has
 * processed the request. `not JSON`, `endless`: 200 with a body that is not JSON, or that never
 * ends. `too large`: 200 with a body that is sent until the connection is closed. A status: the
 * proxy's response instead of the server's; with `afterWork`, after the server has processed the
 * request.
 */
export type Fault =
  | 'reset'
  | 'reset after work'
  | 'not JSON'
  | 'endless'
  | 'too large'
  | { status: number; headers?: Record<string, string>; body?: string; afterWork?: true };

/** A proxy in front of a real server. It injects faults into the connection. */
export interface FaultyProxy {
  readonly url: string;
  /** The number of requests received, including those with a fault. */
  requests: number;
  /** The received requests. `at` is in epoch milliseconds. */
  readonly received: { at: number; method: string; path: string; headers: IncomingMessage['headers'] }[];
  /** Returns the fault of a request; undefined forwards the request unchanged. */
  faultFor: (method: string, path: string) => Fault | undefined;
  /** Refuses new connections and closes open connections, like a crash. */
  stop(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

/** Returns one fault per request, in this order, and then no further faults. */
export function faultsInOrder(...faults: Fault[]): () => Fault | undefined {
  return () => faults.shift();
}

export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  const { port, start, stop } = await startRestartableServer(() =>
    createServer((incoming, outgoing) => {
      const { method = '', url = '', headers } = incoming;
      proxy.requests += 1;
      proxy.received.push({ at: Date.now(), method, path: url, headers });
      handle(target, incoming, outgoing, proxy.faultFor(method, url));
    }),
  );
  const proxy: FaultyProxy = {
    url: `http://127.0.0.1:${port}`,
    requests: 0,
    received: [],
    faultFor: () => undefined,
    start,
    stop,
    close: stop,
  };
  return proxy;
}

function handle(target: string, incoming: IncomingMessage, outgoing: ServerResponse, fault: Fault | undefined): void {
  if (fault === 'reset') incoming.socket.resetAndDestroy();
  else if (fault === 'not JSON') outgoing.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>It works!</p>');
  else if (fault === 'endless') outgoing.writeHead(200, { 'Content-Type': 'application/json' }).write('{"never": ');
  else if (fault === 'too large') sendUntilClosed(outgoing);
  else if (typeof fault === 'object' && !fault.afterWork) respondWith(fault, outgoing);
  else forward(target, incoming, outgoing, fault);
}

function sendUntilClosed(outgoing: ServerResponse): void {
  const chunk = Buffer.alloc(64 * 1024, 'a');
  const chunks = function* () {
    yield '{"content": {"cells": "';
    for (;;) yield chunk;
  };
  pipeline(Readable.from(chunks()), outgoing.writeHead(200, { 'Content-Type': 'application/json' }), () => {});
}

function respondWith({ status, headers, body }: Extract<Fault, object>, outgoing: ServerResponse): void {
  outgoing.writeHead(status, headers).end(body ?? '');
}

/** Forwards the request. A fault replaces the response. */
function forward(target: string, incoming: IncomingMessage, outgoing: ServerResponse, fault: Fault | undefined): void {
  const { host: _host, connection: _connection, ...headers } = incoming.headers;
  const options = { method: incoming.method ?? 'GET', headers };
  const onward = request(target + (incoming.url ?? ''), options, (response) => {
    if (fault === undefined) {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
      return;
    }
    response.resume().on('end', () => {
      if (typeof fault === 'object') respondWith(fault, outgoing);
      else incoming.socket.resetAndDestroy();
    });
  });
  onward.on('error', () => incoming.socket.destroy());
  incoming.pipe(onward);
}
