import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

export interface StallLimits {
  /** Time in which a client must read at least a part of a response that is ready. */
  readMs: number;
  /** Time in which a client must send at least a part of the rest of a request. */
  sendMs: number;
  /** Interval of the checks. */
  checkMs: number;
}

/** Bytes that a client has sent or read, and when their number last increased. */
interface Progress {
  bytes: number;
  at: number;
}

/**
 * Ends connections whose clients make no progress, because their requests and responses occupy
 * memory. A client that stops reading its response loses the connection. One that stops sending its
 * body is passed to `refuse`.
 */
export function endStalledConnections(server: Server, limits: StallLimits, refuse: (socket: Socket) => void): void {
  const progress = new Map<Socket, { read: Progress; sent: Progress; request?: IncomingMessage }>();
  server.on('connection', (socket: Socket) => {
    const none = { bytes: 0, at: performance.now() };
    progress.set(socket, { read: none, sent: none });
    socket.once('close', () => progress.delete(socket));
  });
  server.on('request', (request: IncomingMessage) => {
    const own = progress.get(request.socket);
    if (own) Object.assign(own, { request, sent: { bytes: request.socket.bytesRead, at: performance.now() } });
  });
  const timer = setInterval(() => {
    const now = performance.now();
    for (const [socket, own] of progress) {
      const unread = unsentBytes(socket);
      const read = socket.bytesWritten - unread;
      if (unread === 0 || read !== own.read.bytes) own.read = { bytes: read, at: now };
      else if (now - own.read.at >= limits.readMs) socket.destroy();
      const sent = socket.bytesRead;
      if (!isAwaited(own.request) || sent !== own.sent.bytes) own.sent = { bytes: sent, at: now };
      else if (now - own.sent.at >= limits.sendMs) refuse(socket);
    }
  }, limits.checkMs);
  timer.unref();
  server.once('close', () => clearInterval(timer));
}

/**
 * Whether more of a body is expected from the client. With a full buffer, the service does not read
 * from the connection.
 */
const isAwaited = (request: IncomingMessage | undefined) =>
  request !== undefined && !request.complete && request.readableLength < request.readableHighWaterMark;

/**
 * Bytes that the operating system has not taken yet. `writableLength` counts a write until all of
 * it is sent, so a large response would seem to make no progress; Node's own timeout of sockets
 * reads the queue of the handle too.
 */
export function unsentBytes(socket: Socket): number {
  const { _handle: handle } = socket as { _handle?: { writeQueueSize?: number } | null };
  return handle?.writeQueueSize ?? socket.writableLength;
}
