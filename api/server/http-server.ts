import { randomUUID } from 'node:crypto';
import { createServer, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type Koa from 'koa';
import { AppError } from '../../shared/errors.ts';
import type { Log } from '../../shared/runtime/log.ts';
import type { AppState } from '../request/context.ts';
import { presentError } from '../request/error-body.ts';

/** The HTTP server of an app. Malformed HTTP never reaches the app; it is answered in the error envelope here. */
export function createHttpServer(app: Koa<AppState>, log: Log): Server {
  const handle = app.callback();
  const answers = new WeakMap<Duplex, ServerResponse>();
  const server = createServer((request, response) => {
    answers.set(request.socket, response);
    void handle(request, response);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const answer = answers.get(socket);
    const isAnswering = answer?.headersSent === true && !answer.writableFinished;
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswering) {
      socket.destroy();
      return;
    }
    const requestId = randomUUID();
    const answerError = protocolError(error.code);
    log.info('malformed request', { request_id: requestId, status: answerError.status, code: error.code });
    sendError(socket, answerError, requestId);
  });
  return server;
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

function sendError(socket: Duplex, error: AppError, requestId: string): void {
  const body = JSON.stringify(presentError(error, requestId));
  const head = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
    `X-Request-ID: ${requestId}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}
