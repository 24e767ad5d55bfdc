import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect, type Server as NetServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import Koa from 'koa';
import type { AppState } from '../../../api/http/context.ts';
import { securityHeaders } from '../../../api/http/default-headers.ts';
import { createHttpServer, type ServerLimits, stopListening } from '../../../api/http/http-server.ts';
import { minute } from '../../../shared/durations.ts';
import { createLog } from '../../../shared/process/log.ts';
import { waitUntil } from '../../support/wait-until.ts';

const log = createLog({ level: 'error', process: 'web', silent: true });
const megabyte = 1024 * 1024;

/** Starts a server with an app that responds to every request after its body has arrived. */
async function startServer(limits: Partial<ServerLimits>, respond: () => Promise<string>): Promise<Server> {
  const app = new Koa<AppState>();
  app.use(async (ctx) => {
    await text(ctx.req).catch(() => '');
    ctx.body = await respond();
  });
  const server = createHttpServer(app, log, limits).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function open(server: NetServer): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

describe('the HTTP server', () => {
  const limits = { headersMs: 200, requestMs: 400, readMs: 300, checkMs: 50 };
  /** A server with limits that a test can reach. */
  let strictServer: Server;
  let responseOf: () => Promise<string> = async () => 'ok';
  let server: Server;

  before(async () => {
    server = await startServer({}, () => responseOf());
    strictServer = await startServer(limits, () => responseOf());
  });
  beforeEach(() => {
    responseOf = async () => 'ok';
  });
  after(() => Promise.all([server, strictServer].map((each) => stopListening(each, 0))));

  const exchange = async (bytes: string, to = server) => {
    const socket = await open(to);
    socket.write(bytes);
    return text(socket);
  };
  const expectEnvelope = (response: string, status: number, code: string) => {
    const [head = '', body = ''] = response.split('\r\n\r\n');
    expect(head).to.match(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(JSON.parse(body)).to.have.nested.include({ 'error.code': code, success: false });
    for (const name of Object.keys(securityHeaders)) expect(head.toLowerCase()).to.contain(name.toLowerCase());
  };

  it('responds to a request without Host in the envelope', async () => {
    expectEnvelope(await exchange('GET / HTTP/1.1\r\n\r\n'), 400, 'VALIDATION_ERROR');
    expect(await exchange('GET / HTTP/1.0\r\n\r\n')).to.match(/^HTTP\/1\.1 200 /);
  });

  it('responds to an unknown Expect in the envelope', async () => {
    const request = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: nothing\r\n\r\n';
    expectEnvelope(await exchange(request), 417, 'VALIDATION_ERROR');
  });

  it('responds to CONNECT in the envelope', async () => {
    const request = 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n';
    expectEnvelope(await exchange(request), 405, 'METHOD_NOT_ALLOWED');
  });

  it('survives a CONNECT whose client resets the connection', async () => {
    for (let round = 0; round < 300; round += 1) {
      const socket = await open(server);
      socket.write('CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n');
      socket.resetAndDestroy();
    }
    expect(await exchange('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')).to.match(/^HTTP\/1\.1 200 /);
  });

  it('completes a response before malformed HTTP after the request closes the connection', async () => {
    let complete: ((text: string) => void) | undefined;
    responseOf = () => new Promise((resolve) => (complete = resolve));
    const socket = await open(server);
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\nthis is not HTTP\r\n\r\n');
    const received = text(socket);
    await waitUntil('the request', () => complete !== undefined);
    complete?.('the response');
    expect(await received).to.match(/^HTTP\/1\.1 200 OK[^]*the response$/);
  });

  it('serves its connections once more after it has stopped listening', async () => {
    let complete: ((text: string) => void) | undefined;
    responseOf = async () => 'ok';
    const stopped = await startServer({}, () => responseOf());
    const get = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
    const [idle, busy] = [await open(stopped), await open(stopped)];
    idle.write(get);
    await once(idle, 'data');
    responseOf = () => new Promise((resolve) => (complete = resolve));
    busy.write(get);
    await waitUntil('the request', () => complete !== undefined);
    // It ends before the long drain time, because every connection is closed by its response.
    const ended = stopListening(stopped, 2 * minute, minute);
    responseOf = async () => 'once more';
    idle.write(get);
    expect(await text(idle)).to.match(/^HTTP\/1\.1 200 OK[^]*Connection: close[^]*once more$/);
    complete?.('in flight');
    expect(await text(busy)).to.match(/^HTTP\/1\.1 200 OK[^]*Connection: close[^]*in flight$/);
    await ended;
  });

  it('responds with 408 when the headers or the body take too long', async () => {
    expectEnvelope(await exchange('GET / HTTP/1.1\r\nHost: a\r\nX-Slow:', strictServer), 408, 'VALIDATION_ERROR');
    const started = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nabc';
    expectEnvelope(await exchange(started, strictServer), 408, 'VALIDATION_ERROR');
  });

  it('closes the connection only of a client that does not read its response', async () => {
    // On a busy machine, the request itself can take longer than the limits of the strict server.
    const { readMs, checkMs } = limits;
    const patient = await startServer({ readMs, checkMs }, () => responseOf());
    responseOf = async () => 'x'.repeat(64 * megabyte);
    const socket = await open(patient);
    socket.pause();
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await waitUntil('a connection', async () => (await connections(patient)) === 1);
    await waitUntil('the end of the connection', async () => (await connections(patient)) === 0);
    socket.destroy();

    responseOf = () => new Promise((resolve) => setTimeout(resolve, 3 * readMs, 'late'));
    expect(await exchange('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', patient)).to.match(/late$/);
    await stopListening(patient, 0);
  });
});

const connections = (server: Server) =>
  new Promise<number>((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });
