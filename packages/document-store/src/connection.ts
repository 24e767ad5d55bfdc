// The connection of one client. Its commands run one after the other.
import type { Socket } from 'node:net';
import type { Store } from './commands/command.ts';
import { runCommand } from './commands/command-table.ts';
import { toCommandError } from './errors.ts';
import { MessageBuffer } from './message-buffer.ts';
import { encodeReply, type Message, ProtocolError, parseMessageBytes, readRequest } from './wire-message.ts';

/** Serves a socket until it closes. A malformed message closes the connection. */
export function serveConnection(socket: Socket, store: Store, connectionId: number): void {
  const messages = new MessageBuffer();
  let replyId = 0;
  let busy = false;
  const waiting: Buffer[] = [];
  socket.setNoDelay(true);

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
        if (socket.writableNeedDrain && !socket.destroyed) await drained(socket);
      }
    } catch (error) {
      if (!(error instanceof ProtocolError)) console.error('document store: connection closed:', error);
      socket.destroy();
    } finally {
      busy = false;
    }
  }

  socket.on('data', (chunk: Buffer) => {
    try {
      for (const message of messages.add(chunk)) {
        waiting.push(message);
        if (!busy) void work();
      }
    } catch {
      socket.destroy();
    }
  });
  socket.on('error', () => socket.destroy());
}

/** Resolves when the socket can be written to again, or is closed. */
function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      socket.off('drain', done);
      socket.off('close', done);
      resolve();
    };
    socket.on('drain', done);
    socket.on('close', done);
  });
}
