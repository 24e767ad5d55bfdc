import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Destroys a connection if its client reads nothing of an answer for `readMs`, because the answer occupies memory.
 * Connections without an unread answer are not affected.
 */
export function endStalledConnections(server: Server, limits: { readMs: number; checkMs: number }): void {
  /** By open connection: the number of bytes sent, and when the number last increased. */
  const progress = new Map<Socket, { sent: number; at: number }>();
  server.on('connection', (socket: Socket) => {
    progress.set(socket, { sent: 0, at: performance.now() });
    socket.once('close', () => progress.delete(socket));
  });
  const timer = setInterval(() => {
    const now = performance.now();
    for (const [socket, last] of progress) {
      const waiting = unsentBytes(socket);
      const sent = socket.bytesWritten - waiting;
      if (waiting === 0 || sent !== last.sent) progress.set(socket, { sent, at: now });
      else if (now - last.at >= limits.readMs) socket.destroy();
    }
  }, limits.checkMs);
  timer.unref();
  server.once('close', () => clearInterval(timer));
}

/**
 * Bytes that the operating system has not taken yet. `writableLength` counts a write until all of it is sent, so a large
 * answer would seem to make no progress; Node's own timeout of sockets reads the queue of the handle too.
 */
export function unsentBytes(socket: Socket): number {
  const { _handle: handle } = socket as { _handle?: { writeQueueSize?: number } | null };
  return handle?.writeQueueSize ?? socket.writableLength;
}
