import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type Koa from 'koa';
import { second } from '../../shared/durations.ts';
import { AppError } from '../../shared/errors.ts';
import type { Log } from '../../shared/process/log.ts';
import type { AppState } from './context.ts';
import { securityHeaders } from './default-headers.ts';
import { presentError } from './error-body.ts';
import { endStalledConnections, type StallLimits } from './stalled-connections.ts';

export interface ServerLimits extends StallLimits {
  /** Time for the headers of a request to arrive, in milliseconds. */
  headersMs: number;
  /** Time for a whole request to arrive. */
  requestMs: number;
  /** Time for which an idle connection stays open. */
  idleMs: number;
}

const defaultLimits: ServerLimits = {
  headersMs: 10 * second,
  requestMs: 30 * second,
  readMs: 30 * second,
  sendMs: 5 * second,
  // Proxies keep idle connections for a minute. They would lose requests that they send while one
  // is closed here.
  idleMs: 75 * second,
  checkMs: 1 * second,
};

/**
 * Creates the HTTP server of an app. It also responds to the requests that never reach the app, in
 * the error envelope: malformed HTTP, too slow or too long requests, and unsupported methods and
 * headers.
 */
export function createHttpServer(app: Koa<AppState>, log: Log, limits: Partial<ServerLimits> = {}): Server {
  const { headersMs, requestMs, readMs, sendMs, idleMs, checkMs } = { ...defaultLimits, ...limits };
  const handle = app.callback();
  const responses = new WeakMap<Duplex, ServerResponse>();
  const refuse = (socket: Duplex, error: AppError, code: string | undefined) => {
    const requestId = randomUUID();
    log.info('malformed request', { request_id: requestId, status: error.status, code });
    sendError(socket, error, requestId);
  };

  /**
   * Once the server accepts no connections, every response closes its connection, so that no client
   * uses it again.
   */
  class ClosingResponse extends ServerResponse {
    override writeHead(status: number, ...rest: [never?, never?]): this {
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
      else respondInEnvelope(response, new AppError('VALIDATION_ERROR', error), log);
    },
  );
  endStalledConnections(server, { readMs, sendMs, checkMs }, (socket) => {
    // A client would take a second response for that of its next request.
    if (responses.get(socket)?.headersSent || !socket.writable) socket.destroy();
    else refuse(socket, stalledError(sendMs), 'BODY_STALLED');
  });

  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    responses.set(request.socket, response);
    const error = new AppError('VALIDATION_ERROR', 'The header Expect has an unsupported value.', { status: 417 });
    respondInEnvelope(response, error, log);
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

function stalledError(sendMs: number): AppError {
  const message = `The body stopped arriving: nothing was received for ${sendMs} ms. Send the request again.`;
  return new AppError('VALIDATION_ERROR', message, { status: 408 });
}

function respondInEnvelope(response: ServerResponse, error: AppError, log: Log): void {
  const requestId = randomUUID();
  log.info('malformed request', { request_id: requestId, status: error.status });
  const body = JSON.stringify(presentError(error, requestId));
  response.writeHead(error.status, { ...headersOf(body, requestId) }).end(body);
}

/** Writes a response to a connection without a request. */
function sendError(socket: Duplex, error: AppError, requestId: string): void {
  const body = JSON.stringify(presentError(error, requestId));
  const lines = Object.entries(headersOf(body, requestId)).map(([name, value]) => `${name}: ${value}`);
  const head = [`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`, ...lines];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}

const headersOf = (body: string, requestId: string) => ({
  'X-Request-ID': requestId,
  ...securityHeaders,
  'Content-Type': 'application/json; charset=utf-8',
  'Content-Length': Buffer.byteLength(body),
  Connection: 'close',
});
