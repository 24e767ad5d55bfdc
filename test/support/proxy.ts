// A proxy in front of a real server, in which a test causes faults. It cuts connections, drops or
// replaces replies, and resets requests before or after the server has done its work.
import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { MessageBuffer } from '@meterbook/document-store/message-buffer';
import { encodeReply, type Message, parseMessageBytes, type Reply } from '@meterbook/document-store/wire-message';
import { BSON, type Document } from 'mongodb';

export interface RunningProxy {
  readonly port: number;
  readonly url: string;
  /** Refuses new connections and closes open connections, like a crash. */
  stop: () => Promise<void>;
  /** Listens again, on the same port. It has no effect while the proxy is listening. */
  start: () => Promise<void>;
}

/** Serves on a free port of loopback. */
export async function listen(server: Server): Promise<RunningProxy> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  let port = 0;
  const start = async () => {
    if (server.listening) return;
    await once(server.listen(port, '127.0.0.1'), 'listening');
    ({ port } = server.address() as AddressInfo);
  };
  const stop = async () => {
    if (!server.listening) return;
    const closed = once(server.close(), 'close');
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  await start();
  return { port, url: `http://127.0.0.1:${port}`, start, stop };
}

/** Listens in place of the server of a URL, for every connection to which `relay` gets another one. */
async function listenFor(serverUrl: string, relay: (client: Socket, upstream: Socket) => void): Promise<RunningProxy> {
  const url = new URL(serverUrl);
  const target = { host: url.hostname, port: Number(url.port), noDelay: true };
  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect(target);
    relay(client, upstream);
    // `close` follows every error.
    for (const socket of [client, upstream]) socket.on('error', () => {});
    client.once('close', () => upstream.destroy());
    upstream.once('close', () => client.destroy());
  });
  const proxy = await listen(server);
  url.host = `127.0.0.1:${proxy.port}`;
  // The driver must not discover the members of a replica set.
  if (url.protocol === 'mongodb:') url.searchParams.set('directConnection', 'true');
  return { ...proxy, url: url.href };
}

/** `dropsReplies`: whether clients get no replies. */
export type TcpProxy = RunningProxy & { dropsReplies: boolean };

/** @param onConnection receives every new connection, for tests that read what clients send. */
export async function startTcpProxy(serverUrl: string, onConnection = (_client: Socket) => {}): Promise<TcpProxy> {
  const proxy = { dropsReplies: false };
  const opened = await listenFor(serverUrl, (client, upstream) => {
    onConnection(client);
    client.pipe(upstream);
    upstream.on('data', (chunk) => {
      if (!proxy.dropsReplies) client.write(chunk);
    });
    upstream.once('end', () => client.end());
  });
  return Object.assign(proxy, opened);
}

interface MongoCommand {
  name: string;
  /** Empty for commands without a collection. */
  collection: string;
  body: Document;
}

export interface Interceptor {
  /** All commands so far, in order, without those by which a driver monitors its server. */
  readonly commands: MongoCommand[];
  /**
   * Called with every command. `drop reply` closes the connection after the server has executed
   * it, `ignore` neither forwards nor responds to it, a `reply` is sent in place of the server's,
   * and undefined forwards it.
   */
  intercept: (command: MongoCommand) => 'drop reply' | 'ignore' | { reply: Reply } | undefined;
}

export type MongoProxy = RunningProxy & Interceptor;

export const writeCommands: ReadonlySet<string> = new Set(['insert', 'update', 'delete', 'findAndModify']);
const monitoringCommands = new Set(['hello', 'ismaster', 'endSessions']);

export async function startMongoProxy(
  mongodbUrl: string,
  proxy: Interceptor = { commands: [], intercept: () => undefined },
): Promise<MongoProxy> {
  const opened = await listenFor(mongodbUrl, (client, upstream) => {
    const dropped = new Set<number>();
    onMessages(client, (bytes) => {
      const message = parseMessageBytes(bytes);
      const command = readCommand(message);
      const isMonitoring = monitoringCommands.has(command.name);
      const interception = isMonitoring ? undefined : proxy.intercept(command);
      if (!isMonitoring) proxy.commands.push(command);
      if (interception === 'drop reply') dropped.add(message.requestId);
      if (typeof interception === 'object') client.write(Buffer.concat(encodeReply(message, interception.reply, 0)));
      else if (interception !== 'ignore') upstream.write(bytes);
    });
    onMessages(upstream, (bytes) => {
      if (dropped.has(bytes.readInt32LE(8))) client.resetAndDestroy();
      else client.write(bytes);
    });
  });
  // After an error, the driver checks a server no sooner. Its own value is 500.
  return Object.assign(proxy, opened, { url: `${opened.url}&minHeartbeatFrequencyMS=50` });
}

function onMessages(socket: Socket, take: (bytes: Buffer) => void): void {
  const messages = new MessageBuffer();
  socket.on('data', (chunk: Buffer) => {
    for (const bytes of messages.add(chunk)) take(bytes);
  });
}

function readCommand({ body: bytes, sequences }: Message): MongoCommand {
  const body: Document = BSON.deserialize(bytes);
  const [name = ''] = Object.keys(body);
  for (const [list, documents] of sequences) body[list] = documents.map((document) => BSON.deserialize(document));
  return { name, collection: String(body['collection'] ?? body[name]), body };
}

/**
 * A fault of one HTTP request: the connection is reset, or the proxy responds in place of the
 * server, which gets the request only with `afterWork`.
 */
export type Fault =
  | 'reset'
  | 'reset after work'
  | { status: number; headers?: Record<string, string>; body?: string; afterWork?: true };

export interface HttpProxy extends RunningProxy {
  /** The received requests, including those with a fault. `at` is in epoch milliseconds. */
  readonly received: { at: number; method: string; path: string; headers: IncomingMessage['headers'] }[];
  /** Returns the fault of a request; undefined forwards the request unchanged. */
  faultFor: (method: string, path: string) => Fault | undefined;
}

/** @param prefix a prefix of all paths, which the target does not know. Others are not found. */
export async function startHttpProxy(target: string, prefix = ''): Promise<HttpProxy> {
  const proxy: Omit<HttpProxy, keyof RunningProxy> = { received: [], faultFor: () => undefined };
  const server = createHttpServer((incoming, outgoing) => {
    const { method = '', url: path = '' } = incoming;
    if (!path.startsWith(`${prefix}/`)) return void outgoing.writeHead(404).end('Nothing is here.');
    proxy.received.push({ at: Date.now(), method, path, headers: incoming.headers });
    const fault = proxy.faultFor(method, path);
    if (fault === 'reset' || (typeof fault === 'object' && !fault.afterWork)) return fail(fault, outgoing);
    const { connection: _connection, ...headers } = incoming.headers;
    const onward = request(target + path.slice(prefix.length), { method, headers }, (response) => {
      if (fault === undefined) response.pipe(outgoing.writeHead(response.statusCode ?? 502, response.headers));
      else response.resume().on('end', () => fail(fault, outgoing));
    });
    onward.on('error', () => incoming.socket.destroy());
    incoming.pipe(onward);
  });
  const opened = await listen(server);
  return Object.assign(proxy, opened, { url: opened.url + prefix });
}

function fail(fault: Fault, outgoing: ServerResponse): void {
  if (typeof fault === 'string') outgoing.req.socket.resetAndDestroy();
  else outgoing.writeHead(fault.status, fault.headers).end(fault.body);
}
