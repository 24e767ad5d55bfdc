import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import mongoose from 'mongoose';

interface DriverConnection {
  readonly socket: Socket;
  writeCommand: (this: DriverConnection, ...command: unknown[]) => Promise<void>;
}

const require = createRequire(import.meta.url);
const driverOfMongoose = createRequire(require.resolve('mongoose'));
const { Connection } = driverOfMongoose('mongodb/lib/cmap/connection.js') as {
  Connection: { prototype: DriverConnection };
};

/**
 * Fails writes to sockets that close. The driver (7.9 too) waits for the `drain` of a socket, which
 * one that was just destroyed never emits, and no timeout ends that wait. If the write is a check
 * of the server, no other check follows, and the process never finds the database again.
 */
export function failWritesToClosedSockets(): void {
  const { writeCommand } = Connection.prototype;
  if (writeCommand.name === writeUntilClosed.name) return;
  Connection.prototype.writeCommand = writeUntilClosed;

  async function writeUntilClosed(this: DriverConnection, ...command: unknown[]): Promise<void> {
    let onClose = () => {};
    const closed = new Promise<never>((_, reject) => {
      onClose = () => reject(new mongoose.mongo.MongoNetworkError('The connection was closed before a write.'));
      if (this.socket.closed) onClose();
      else this.socket.once('close', onClose);
    });
    try {
      await Promise.race([writeCommand.apply(this, command), closed]);
    } finally {
      this.socket.off('close', onClose);
    }
  }
}
