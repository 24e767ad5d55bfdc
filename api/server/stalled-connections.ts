import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Ends connections whose client reads nothing of an answer for a while: every such answer occupies memory. Connections
 * that wait for an answer, or have none, are not affected.
 */
export function endStalledConnections(server: Server, limits: { readMs: number; checkMs: number }): void {
  /** Bytes that left the process, and when they last became more, of every open connection. */
  const progress = new Map<Socket, { sent: number; at: number }>();
  server.on('connection', (socket: Socket) => {
    progress.set(socket, { sent: 0, at: performance.now() });
    socket.once('close', () => progress.delete(socket));
  });
  const timer = setInterval(() => {
    const now = performance.now();
    for (const [socket, last] of progress) {
      const waiting = socket.writableLength;
      const sent = socket.bytesWritten - waiting;
      if (waiting === 0 || sent !== last.sent) progress.set(socket, { sent, at: now });
      else if (now - last.at >= limits.readMs) socket.destroy();
    }
  }, limits.checkMs);
  timer.unref();
  server.once('close', () => clearInterval(timer));
}
