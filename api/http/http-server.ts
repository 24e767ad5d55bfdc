import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, ServerResponse, STATUS_CODES } from 'node:http';
import { Server as NetServer } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type Koa from 'koa';
import type { Config } from '../../shared/config/config.ts';
import { second } from '../../shared/durations.ts';
import { AppError, StartError } from '../../shared/errors.ts';
import type { Log } from '../../shared/process/log.ts';
import type { AppState } from './context.ts';
import { securityHeaders } from './default-headers.ts';
import { presentError } from './error-envelope.ts';

const defaultLimits = {
  /** Time for the headers of a request to arrive, in milliseconds. */
  headersMs: 10 * second,
  /** Time for a whole request to arrive. */
  requestMs: 30 * second,
  /** Time in which a client must read at least a part of a response that has begun. */
  readMs: 30 * second,
  /**
   * Time for which an idle connection stays open. Proxies keep theirs for a minute, and would lose
   * requests that they send while one is closed here.
   */
  idleMs: 75 * second,
  /** Interval of the checks of requests that arrive. */
  checkMs: 1 * second,
};

export type ServerLimits = typeof defaultLimits;

/**
 * Creates the HTTP server of an app. It also responds to the requests that never reach the app, in
 * the error envelope: malformed HTTP, too slow or too long requests, and unsupported methods and
 * headers.
 */
export function createHttpServer(app: Koa<AppState>, log: Log, limits: Partial<ServerLimits> = {}): Server {
  const { headersMs, requestMs, readMs, idleMs, checkMs } = { ...defaultLimits, ...limits };
  const handle = app.callback();
  const responses = new WeakMap<Duplex, ServerResponse>();
  /** Writes a response to a connection without a request. */
  const refuse = (socket: Duplex, error: AppError, code: string | undefined) => {
    const { headers, body } = envelopeOf(error, log, code);
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    const head = [`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`, ...lines];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
  };
  const respond = (response: ServerResponse, error: AppError) => {
    const { headers, body } = envelopeOf(error, log);
    response.writeHead(error.status, headers).end(body);
  };

  /**
   * Once the server accepts no connections, every response closes its connection, so that no client
   * uses it again. A client that stops reading its response, which occupies memory, loses the
   * connection.
   */
  class ClosingResponse extends ServerResponse {
    override writeHead(status: number, ...rest: [never?, never?]): this {
      this.setTimeout(readMs);
      if (!server.listening) this.setHeader('Connection', 'close');
      return super.writeHead(status, ...rest);
    }
  }

  const server = createServer(
    {
      ServerResponse: ClosingResponse,
      keepAliveTimeout: idleMs,
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      connectionsCheckingInterval: checkMs,
      // Node's own response to a request without `Host` has no body.
      requireHostHeader: false,
    },
    (request, response) => {
      responses.set(request.socket, response);
      const error = findHostError(request);
      if (error === undefined) void handle(request, response);
      else respond(response, new AppError('VALIDATION_ERROR', error));
    },
  );

  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    responses.set(request.socket, response);
    const error = new AppError('VALIDATION_ERROR', 'The header Expect has an unsupported value.', { status: 417 });
    respond(response, error);
  });
  server.on('connect', (_request, socket) => {
    // Node has removed its own listener. Without one, a reset of the connection would end the
    // process.
    socket.on('error', () => socket.destroy());
    refuse(socket, new AppError('METHOD_NOT_ALLOWED', 'The method CONNECT is not supported.'), 'CONNECT');
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const response = responses.get(socket);
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    // A response in progress is completed first: malformed data after a request must not prevent
    // the response to the request.
    else if (response && !response.writableFinished && response.req.complete) {
      response.once('close', () => socket.end(() => socket.destroy()));
    } else refuse(socket, protocolError(error.code), error.code);
  });
  return server;
}

/**
 * Requests with an ambiguous host could be routed by a proxy to one host and be handled here as
 * those of another.
 */
function findHostError({ headers: { host }, httpVersion, rawHeaders }: IncomingMessage): string | undefined {
  if (host === undefined) return httpVersion === '1.0' ? undefined : 'The header Host is required.';
  const count = rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === 'host').length;
  if (count > 1) return 'The header Host must be sent once.';
  const isHost = /^[!-~]+$/.test(host) && !/[/?#@\\]/.test(host) && URL.canParse(`http://${host}`);
  return isHost ? undefined : 'The header Host must be a host name or an address, with or without a port.';
}

function protocolError(code: string | undefined): AppError {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new AppError('VALIDATION_ERROR', 'The address and headers are too long.', { status: 431 });
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new AppError('VALIDATION_ERROR', 'The request did not arrive in time.', { status: 408 });
  }
  return new AppError('VALIDATION_ERROR', 'The request is malformed HTTP.');
}

/** The response to a request that never reaches the app, which is logged. */
function envelopeOf(error: AppError, log: Log, code?: string) {
  const requestId = randomUUID();
  log.info('malformed request', { request_id: requestId, status: error.status, code });
  const body = JSON.stringify(presentError(error, requestId));
  const headers = {
    'X-Request-ID': requestId,
    ...securityHeaders,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  };
  return { headers, body };
}

/**
 * Connections that wait to be accepted; the system may allow fewer. With Node's 511, a caller that
 * opens 1,000 at once makes the system drop the connections of others, which their systems repeat
 * after 1, 3, 7 and 15 seconds.
 */
const backlog = 4096;

/** @throws StartError if the port is not available. */
export async function listen(server: Server, { port, host }: Config): Promise<void> {
  server.listen({ port, host, backlog });
  try {
    await once(server, 'listening');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    const why = code === 'EADDRINUSE' ? 'is in use by another process' : `cannot be opened (${code})`;
    throw new StartError(`PORT: port ${port} ${why}; choose another, such as PORT=${port + 1}.`);
  }
}

const idleCheckMs = 50;
const defaultDrainMs = 500;

/**
 * Accepts no new connections, waits up to `graceMs` for requests in flight, then closes the
 * remaining connections. A proxy may be sending a request on a connection that is idle here, so
 * idle connections are served for another `drainMs`; each response then closes its connection.
 */
export async function stopListening(server: Server, graceMs: number, drainMs = defaultDrainMs): Promise<void> {
  const closed = once(server, 'close');
  // The method of the HTTP server would close idle connections at once.
  NetServer.prototype.close.call(server);
  await Promise.race([closed, delay(Math.min(drainMs, graceMs), undefined, { ref: false })]);
  server.close();
  // `close` does not close a keep-alive connection that is busy at this moment, not even after its
  // response.
  const idle = setInterval(() => server.closeIdleConnections(), idleCheckMs);
  const grace = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(idle);
  clearTimeout(grace);
}
