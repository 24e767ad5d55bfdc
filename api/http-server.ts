import { randomUUID } from 'node:crypto';
import { createServer, type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type Koa from 'koa';
import { AppError } from '../shared/errors.ts';
import type { AppState } from './context.ts';
import { errorBody } from './middleware/error-envelope.ts';

/** The server of an app. What can not be read as a request never reaches the app, and is answered in the envelope too. */
export function createHttpServer(app: Koa<AppState>): Server {
  const handle = app.callback();
  const server = createServer((request, response) => void handle(request, response));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    else refuse(socket, unreadable(error.code));
  });
  return server;
}

function unreadable(code: string | undefined): AppError {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new AppError('VALIDATION_ERROR', 'The address and the headers are longer than is taken.', { status: 431 });
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new AppError('VALIDATION_ERROR', 'The request did not arrive in time.', { status: 408 });
  }
  return new AppError('VALIDATION_ERROR', 'This is not a valid HTTP request.');
}

function refuse(socket: Duplex, error: AppError): void {
  const requestId = randomUUID();
  const body = JSON.stringify(errorBody(error, requestId));
  const head = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
    `X-Request-ID: ${requestId}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}
