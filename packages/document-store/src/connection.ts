// The connection of one client. Its commands run one after the other.
import type { Socket } from 'node:net';
import type { Store } from './commands/command.ts';
import { runCommand } from './commands/command-table.ts';
import { toCommandError } from './errors.ts';
import {
  encodeReply,
  headerBytes,
  type Message,
  maxMessageBytes,
  ProtocolError,
  parseMessageBytes,
  readRequest,
} from './wire-message.ts';

/**
 * `maxMessageBytes` is for the documents of a message; this adds the header and the other fields.
 */
const longestMessage = maxMessageBytes + 16 * 1024;

/** Serves a socket until it closes. A malformed message closes the connection. */
export function serveConnection(socket: Socket, store: Store, connectionId: number): void {
  let chunks: Buffer[] = [];
  let buffered = 0;
  let replyId = 0;
  let busy = false;
  const waiting: Buffer[] = [];
  socket.setNoDelay(true);

  const peekLength = (): number => {
    const [first] = chunks;
    if (first && first.length >= 4) return first.readInt32LE(0);
    const joined = Buffer.concat(chunks);
    chunks = [joined];
    return joined.readInt32LE(0);
  };

  const take = (length: number): Buffer => {
    const [first] = chunks;
    if (first && first.length === length && chunks.length === 1) {
      chunks = [];
      buffered = 0;
      return first;
    }
    const joined = chunks.length === 1 && first ? first : Buffer.concat(chunks, buffered);
    const rest = joined.subarray(length);
    chunks = rest.length > 0 ? [rest] : [];
    buffered = rest.length;
    return joined.subarray(0, length);
  };

  async function respond(message: Message): Promise<void> {
    replyId = (replyId + 1) % 0x7fffffff;
    let reply: Buffer[];
    try {
      const result = await runCommand(store, readRequest(message), connectionId);
      reply = encodeReply(message, result, replyId);
    } catch (error) {
      const { code, codeName, message: errmsg, details } = toCommandError(error);
      if (code === 1) console.error('document store: a command failed:', error);
      reply = encodeReply(message, { ok: 0, errmsg, code, codeName, ...details }, replyId);
    }
    if (message.silent || socket.destroyed) return;
    socket.cork();
    for (const piece of reply) socket.write(piece);
    socket.uncork();
  }

  async function work(): Promise<void> {
    busy = true;
    try {
      for (let message = waiting.shift(); message; message = waiting.shift()) {
        await respond(parseMessageBytes(message));
        if (socket.writableNeedDrain && !socket.destroyed) {
          await new Promise<void>((resolve) => {
            const done = (): void => {
              socket.off('drain', done);
              socket.off('close', done);
              resolve();
            };
            socket.on('drain', done);
            socket.on('close', done);
          });
        }
      }
    } catch (error) {
      if (!(error instanceof ProtocolError)) console.error('document store: connection closed:', error);
      socket.destroy();
    } finally {
      busy = false;
    }
  }

  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    buffered += chunk.length;
    for (;;) {
      if (buffered < 4) return;
      const length = peekLength();
      if (length < headerBytes || length > longestMessage) {
        socket.destroy();
        return;
      }
      if (buffered < length) return;
      waiting.push(take(length));
      if (!busy) void work();
    }
  });
  socket.on('error', () => socket.destroy());
}
