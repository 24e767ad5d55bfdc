import { connect, createServer, type Socket } from 'node:net';
import { BSON, type Document } from 'mongodb';
import { startRestartableServer } from './restartable-server.ts';
import { resolveMongo, type ServerProxy, urlOfProxy } from './server-proxies.ts';

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
 * The action of the proxy on a command: `drop reply` closes the connection after the server has
 * executed it, `ignore` neither forwards nor responds to it, and a `reply` is sent in place of the
 * server's: a document, or an earlier message.
 */
export type Interception = 'drop reply' | 'ignore' | { reply: Document | Buffer };

/** A proxy in front of MongoDB that records commands and can intercept them. */
export interface MongoCommandProxy extends ServerProxy {
  /** All commands so far, in order, without those by which a driver monitors its server. */
  readonly commands: MongoCommand[];
  /** Called with every command; undefined forwards it. */
  intercept: (command: MongoCommand) => Interception | undefined;
}

const opMsg = 2013;
const headerSize = 16;
const monitoringCommands = new Set(['hello', 'ismaster', 'isMaster', 'endSessions']);

export async function startMongoCommandProxy(mongodbUrl: string): Promise<MongoCommandProxy> {
  const { target, parameters } = await resolveMongo(mongodbUrl);
  const { port, start, stop } = await startRestartableServer(() =>
    createServer((client) => {
      const server = connect(target);
      const dropped = new Set<number>();
      const sent = new Map<number, MongoCommand>();
      onMessages(client, (message) => {
        const command = readCommand(message);
        if (command) proxy.commands.push(command);
        const interception = command && proxy.intercept(command);
        if (interception === 'ignore') return;
        if (typeof interception === 'object') {
          client.write(replyTo(message, interception.reply));
          return;
        }
        const id = message.readInt32LE(4);
        if (interception === 'drop reply') dropped.add(id);
        if (command) sent.set(id, command);
        server.write(message);
      });
      onMessages(server, (message) => {
        const id = message.readInt32LE(8);
        const command = sent.get(id);
        if (command) command.reply = message;
        sent.delete(id);
        if (dropped.has(id)) client.resetAndDestroy();
        else client.write(message);
      });
      closeTogether(client, server);
    }),
  );
  const proxy: MongoCommandProxy = {
    url: urlOfProxy(mongodbUrl, port, parameters),
    port,
    start,
    stop,
    commands: [],
    intercept: () => undefined,
  };
  return proxy;
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
    const kind = message[at];
    const size = message.readInt32LE(at + 1);
    const section = message.subarray(at + 1, at + 1 + size);
    if (kind === 0) body = BSON.deserialize(section);
    else Object.assign(lists, readList(section));
    at += 1 + size;
  }
  const [name = ''] = Object.keys(body);
  if (monitoringCommands.has(name)) return undefined;
  return { name, collection: String(body['collection'] ?? body[name]), body: { ...body, ...lists } };
}

/** A section of documents: its size, the name of the field, the documents. */
function readList(section: Buffer): Document {
  const nameEnd = section.indexOf(0, 4);
  const documents: Document[] = [];
  for (let at = nameEnd + 1; at < section.length; ) {
    const size = section.readInt32LE(at);
    documents.push(BSON.deserialize(section.subarray(at, at + size)));
    at += size;
  }
  return { [section.toString('utf8', 4, nameEnd)]: documents };
}

function replyTo(message: Buffer, reply: Document | Buffer): Buffer {
  if (reply instanceof Buffer) {
    const copy = Buffer.from(reply);
    message.copy(copy, 8, 4, 8);
    return copy;
  }
  const body = BSON.serialize(reply);
  const header = Buffer.alloc(headerSize + 5);
  header.writeInt32LE(header.length + body.length, 0);
  header.writeInt32LE(message.readInt32LE(4), 8);
  header.writeInt32LE(opMsg, 12);
  return Buffer.concat([header, body]);
}

function closeTogether(one: Socket, other: Socket): void {
  for (const [socket, opposite] of [
    [one, other],
    [other, one],
  ] as const) {
    // `close` follows every error, and closes the other side.
    socket.on('error', () => {});
    socket.once('close', () => opposite.destroy());
  }
}
