import { connect, createServer, type Socket } from 'node:net';
import { startRestartableServer } from './restartable-server.ts';

/** A proxy for MongoDB. It forwards a write, and closes the connection instead of sending the reply. */
export interface ReplyDroppingProxy {
  url: string;
  /** Drops the reply of the write with this number, counted from now on. Undefined drops no reply. */
  dropReplyOf(number: number | undefined): void;
  /** Write commands since the last call of `dropReplyOf`, by name. */
  writes(): readonly string[];
  close(): Promise<void>;
}

const writeCommands = new Set(['insert', 'update', 'delete', 'findAndModify']);
const headerBytes = 16;
/**
 * Offset in an OP_MSG with the command in the first section, after flags, section kind, document length and field type.
 */
const firstNameOffset = headerBytes + 4 + 1 + 4 + 1;

export async function startReplyDroppingProxy(mongodbUrl: string): Promise<ReplyDroppingProxy> {
  const url = new URL(mongodbUrl);
  const target = { host: url.hostname, port: Number(url.port || 27017) };
  let dropped: number | undefined;
  let writes: string[] = [];

  const server = await startRestartableServer(() =>
    createServer((client) => {
      const store = connect(target);
      const awaited = new Set<number>();
      onMessages(client, (message) => {
        const name = commandOf(message);
        if (writeCommands.has(name)) {
          if (writes.length === dropped) awaited.add(message.readInt32LE(4));
          writes.push(name);
        }
        store.write(message);
      });
      onMessages(store, (message) => {
        if (awaited.has(message.readInt32LE(8))) client.resetAndDestroy();
        else client.write(message);
      });
      for (const [one, other] of [
        [client, store],
        [store, client],
      ] as const) {
        one.on('error', () => {});
        one.once('close', () => other.destroy());
      }
    }),
  );
  url.hostname = '127.0.0.1';
  url.port = String(server.port);
  return {
    url: url.href,
    dropReplyOf: (number) => {
      dropped = number;
      writes = [];
    },
    writes: () => writes,
    close: server.stop,
  };
}

function commandOf(message: Buffer): string {
  const end = message.indexOf(0, firstNameOffset);
  return message.toString('utf8', firstNameOffset, end);
}

/** Calls `handle` with every message of the wire protocol. The first four bytes of a message are its length. */
function onMessages(socket: Socket, handle: (message: Buffer) => void): void {
  let pending = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    pending = Buffer.concat([pending, chunk]);
    while (pending.length >= 4 && pending.length >= pending.readInt32LE(0)) {
      const length = pending.readInt32LE(0);
      handle(pending.subarray(0, length));
      pending = pending.subarray(length);
    }
  });
}
