// A proxy in front of a real server, in which a test causes faults: it cuts all connections and
// refuses new ones, drops or replaces replies, leaves requests without one, and resets connections
// before or after the server has done its work.
import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import { BSON, type Document, MongoClient } from 'mongodb';
import { ConnectionString } from 'mongodb-connection-string-url';
import { findFreePort } from '../../scripts/local-stack/free-port.ts';

export interface RunningProxy {
  url: string;
  /** Refuses new connections and closes open connections, like a crash. */
  stop: () => Promise<void>;
  /** Listens again, on the same port. It has no effect while the proxy is listening. */
  start: () => Promise<void>;
}

/** @param create is called for every start, because a closed server cannot listen again. */
async function startServer(create: () => Server): Promise<Omit<RunningProxy, 'url'> & { port: number }> {
  const sockets = new Set<Socket>();
  const port = await findFreePort();
  let server: Server | undefined;
  const start = async () => {
    if (server) return;
    server = create();
    server.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  const stop = async () => {
    const closed = server ? once(server, 'close') : undefined;
    server?.close();
    server = undefined;
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  await start();
  return { port, start, stop };
}

function closeTogether(one: Socket, other: Socket): void {
  // `close` follows every error.
  for (const socket of [one, other]) socket.on('error', () => {});
  one.once('close', () => other.destroy());
  other.once('close', () => one.destroy());
}

export interface TcpProxy extends Omit<RunningProxy, 'url'> {
  readonly port: number;
  /** Whether clients get no replies. */
  dropsReplies: boolean;
}

/** @param onConnection receives every new connection, for tests that read what clients send. */
export async function startTcpProxy(
  target: { host: string; port: number },
  onConnection = (_client: Socket) => {},
): Promise<TcpProxy> {
  const server = await startServer(() =>
    createServer({ noDelay: true }, (client) => {
      onConnection(client);
      const upstream = connect({ ...target, noDelay: true });
      client.pipe(upstream);
      upstream.on('data', (chunk) => {
        if (!proxy.dropsReplies) client.write(chunk);
      });
      upstream.once('end', () => client.end());
      closeTogether(client, upstream);
    }),
  );
  const proxy: TcpProxy = { ...server, dropsReplies: false };
  return proxy;
}

export async function startRedisProxy(
  redisUrl: string,
  onConnection?: (client: Socket) => void,
): Promise<RunningProxy> {
  const url = new URL(redisUrl);
  const target = { host: url.hostname, port: Number(url.port || 6379) };
  const { port, ...proxy } = await startTcpProxy(target, onConnection);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  return { ...proxy, url: url.href };
}

/** A command that a client has sent. */
export interface MongoCommand {
  name: string;
  /** Empty for commands without a collection. */
  collection: string;
  body: Document;
  /** The server's reply, once it has arrived. */
  reply?: Buffer;
}

/**
 * `drop reply` closes the connection after the server has executed the command, `ignore` neither
 * forwards nor responds to it, and a `reply` is sent in place of the server's: a document, or an
 * earlier message.
 */
export type Interception = 'drop reply' | 'ignore' | { reply: Document | Buffer };

export interface MongoProxy extends RunningProxy {
  /** All commands so far, in order, without those by which a driver monitors its server. */
  readonly commands: MongoCommand[];
  /** Called with every command; undefined forwards it. */
  intercept: (command: MongoCommand) => Interception | undefined;
}

export const writeCommands: ReadonlySet<string> = new Set(['insert', 'update', 'delete', 'findAndModify']);
const monitoringCommands = new Set(['hello', 'ismaster', 'endSessions']);
const opMsg = 2013;
const headerSize = 16;

/** Proxies the primary of a replica set, whose members the driver must not discover. */
export async function startMongoProxy(mongodbUrl: string): Promise<MongoProxy> {
  const { target, parameters } = await resolveMongo(mongodbUrl);
  const { port, start, stop } = await startServer(() =>
    createServer((client) => {
      const server = connect(target);
      const sent = new Map<number, { command: MongoCommand; isDropped: boolean }>();
      onMessages(client, (message) => {
        const command = readCommand(message);
        const interception = command && proxy.intercept(command);
        if (command) proxy.commands.push(command);
        if (command) sent.set(message.readInt32LE(4), { command, isDropped: interception === 'drop reply' });
        if (typeof interception === 'object') client.write(replyTo(message, interception.reply));
        else if (interception !== 'ignore') server.write(message);
      });
      onMessages(server, (message) => {
        const { command, isDropped = false } = sent.get(message.readInt32LE(8)) ?? {};
        if (command) command.reply = message;
        if (isDropped) client.resetAndDestroy();
        else client.write(message);
      });
      closeTogether(client, server);
    }),
  );
  const url = new ConnectionString(mongodbUrl);
  url.protocol = 'mongodb:';
  url.hosts = [`127.0.0.1:${port}`];
  const options = url.typedSearchParams<Record<string, string>>();
  options.delete('replicaSet');
  for (const [name, value] of Object.entries(parameters)) options.set(name, value);
  const proxy: MongoProxy = { url: url.toString(), start, stop, commands: [], intercept: () => undefined };
  return proxy;
}

/** The address of the server, and the parameters for connecting under another host name. */
async function resolveMongo(url: string) {
  const client = new MongoClient(url);
  try {
    const { primary } = (await client.db().command({ hello: 1 })) as { primary?: string };
    const { hosts, tls, credentials } = client.options;
    const [, host = '', port] = /^\[?(.+?)\]?:(\d+)$/.exec(primary ?? String(hosts[0])) ?? [];
    const parameters = {
      directConnection: 'true',
      // After an error, the driver checks a server no sooner. Its own value is 500.
      minHeartbeatFrequencyMS: '50',
      ...(tls ? { tls: 'true', tlsAllowInvalidHostnames: 'true' } : {}),
      ...(credentials ? { authSource: credentials.source } : {}),
    };
    return { target: { host, port: Number(port) }, parameters };
  } finally {
    await client.close();
  }
}

/** Calls `take` with every message of the wire protocol: its length is in its first four bytes. */
function onMessages(socket: Socket, take: (message: Buffer) => void): void {
  let rest: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 4 && rest.length >= rest.readInt32LE(0)) {
      const length = rest.readInt32LE(0);
      take(rest.subarray(0, length));
      rest = rest.subarray(length);
    }
  });
}

/** The command of a message; undefined for a monitoring command. */
function readCommand(message: Buffer): MongoCommand | undefined {
  if (message.readInt32LE(12) !== opMsg) return undefined;
  let body: Document = {};
  const lists: Document = {};
  for (let at = headerSize + 4; at < message.length; ) {
    const section = message.subarray(at + 1, at + 1 + message.readInt32LE(at + 1));
    if (message[at] === 0) body = BSON.deserialize(section);
    else {
      const nameEnd = section.indexOf(0, 4);
      const documents: Document[] = [];
      for (let from = nameEnd + 1; from < section.length; from += section.readInt32LE(from))
        documents.push(BSON.deserialize(section.subarray(from, from + section.readInt32LE(from))));
      lists[section.toString('utf8', 4, nameEnd)] = documents;
    }
    at += 1 + section.length;
  }
  const [name = ''] = Object.keys(body);
  if (monitoringCommands.has(name)) return undefined;
  return { name, collection: String(body['collection'] ?? body[name]), body: { ...body, ...lists } };
}

function replyTo(message: Buffer, reply: Document | Buffer): Buffer {
  const body = reply instanceof Buffer ? reply.subarray(headerSize) : BSON.serialize(reply);
  const prefix = Buffer.alloc(reply instanceof Buffer ? headerSize : headerSize + 5);
  prefix.writeInt32LE(prefix.length + body.length, 0);
  prefix.writeInt32LE(message.readInt32LE(4), 8);
  prefix.writeInt32LE(opMsg, 12);
  return Buffer.concat([prefix, body]);
}

/**
 * A fault of one HTTP request. `reset`: the connection is reset, and the server does not receive
 * the request; with `afterWork`, the server has processed it. Otherwise the proxy's response in
 * place of the server's.
 */
export type Fault =
  | 'reset'
  | 'reset after work'
  | { status: number; headers?: Record<string, string>; body?: string | (() => Readable); afterWork?: true };

const json = { 'Content-Type': 'application/json' };

/** A response whose body begins, and never goes on. */
export const endless: Fault = { status: 200, headers: json, body: () => beginning('{"never": ') };

function beginning(text: string): Readable {
  const stream = new Readable({ read: () => {} });
  stream.push(text);
  return stream;
}

/** Returns one fault per request, in this order, and then no further faults. */
export function faultsInOrder(...faults: Fault[]): () => Fault | undefined {
  return () => faults.shift();
}

export interface HttpProxy extends RunningProxy {
  /** The received requests, including those with a fault. `at` is in epoch milliseconds. */
  readonly received: { at: number; method: string; path: string; headers: IncomingMessage['headers'] }[];
  /** Returns the fault of a request; undefined forwards the request unchanged. */
  faultFor: (method: string, path: string) => Fault | undefined;
}

export async function startHttpProxy(target: string): Promise<HttpProxy> {
  const { port, start, stop } = await startServer(() =>
    createHttpServer((incoming, outgoing) => {
      const { method = '', url = '', headers } = incoming;
      proxy.received.push({ at: Date.now(), method, path: url, headers });
      const fault = proxy.faultFor(method, url);
      if (fault === undefined || fault === 'reset after work' || (fault !== 'reset' && fault.afterWork))
        forward(target, incoming, outgoing, fault);
      else fail(fault, outgoing);
    }),
  );
  const proxy: HttpProxy = { url: `http://127.0.0.1:${port}`, start, stop, received: [], faultFor: () => undefined };
  return proxy;
}

function fail(fault: Fault, outgoing: ServerResponse): void {
  if (typeof fault === 'string') {
    outgoing.req.socket.resetAndDestroy();
    return;
  }
  outgoing.writeHead(fault.status, fault.headers);
  if (typeof fault.body === 'function') pipeline(fault.body(), outgoing, () => {});
  else outgoing.end(fault.body ?? '');
}

/** Forwards the request. A fault replaces the response. */
function forward(target: string, incoming: IncomingMessage, outgoing: ServerResponse, fault: Fault | undefined): void {
  const { host: _host, connection: _connection, ...headers } = incoming.headers;
  const options = { method: incoming.method ?? 'GET', headers };
  const onward = request(target + (incoming.url ?? ''), options, (response) => {
    if (fault !== undefined) {
      response.resume().on('end', () => fail(fault, outgoing));
      return;
    }
    outgoing.writeHead(response.statusCode ?? 502, response.headers);
    response.pipe(outgoing);
  });
  onward.on('error', () => incoming.socket.destroy());
  incoming.pipe(onward);
}
