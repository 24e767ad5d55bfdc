import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort } from '../local-stack/free-port.ts';

/** A way for bytes from clients to a server, which can be disturbed. */
export interface Link {
  readonly port: number;
  /** Closes the open connections, and refuses new ones for so long. */
  cut(milliseconds: number): Promise<void>;
  /** Delivers all bytes so much later for so long. */
  slow(lateMs: number, milliseconds: number): Promise<void>;
  /** Requests arrive, but their replies do not for so long; then the connections are closed. */
  dropReplies(milliseconds: number): Promise<void>;
  close(): Promise<void>;
}

export async function openLink(target: { host: string; port: number }): Promise<Link> {
  const port = await findFreePort();
  const sockets = new Set<Socket>();
  const disturbance = { lateMs: 0, dropsReplies: false };
  let server: Server | undefined;

  const track = (socket: Socket, opposite: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    // `close` follows every error and every end.
    socket.once('close', () => {
      sockets.delete(socket);
      opposite.destroy();
    });
  };
  const listen = async () => {
    server = createServer({ noDelay: true }, (client) => {
      const upstream = connect({ ...target, noDelay: true });
      track(client, upstream);
      track(upstream, client);
      forward(client, upstream, disturbance, false);
      forward(upstream, client, disturbance, true);
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  const closeConnections = () => {
    for (const socket of sockets) socket.destroy();
  };
  const close = async () => {
    const closed = server?.listening ? once(server, 'close') : undefined;
    server?.close();
    closeConnections();
    await closed;
  };

  await listen();
  return {
    port,
    cut: async (milliseconds) => {
      await close();
      await delay(milliseconds);
      await listen();
    },
    slow: async (lateMs, milliseconds) => {
      disturbance.lateMs = lateMs;
      await delay(milliseconds);
      disturbance.lateMs = 0;
    },
    dropReplies: async (milliseconds) => {
      disturbance.dropsReplies = true;
      await delay(milliseconds);
      disturbance.dropsReplies = false;
      closeConnections();
    },
    close,
  };
}

/** Forwards in order: a piece that comes without a delay waits for a delayed one before it. */
function forward(
  from: Socket,
  to: Socket,
  disturbance: Readonly<{ lateMs: number; dropsReplies: boolean }>,
  isReply: boolean,
): void {
  let waiting = 0;
  let last = Promise.resolve();
  from.on('data', (chunk) => {
    if (isReply && disturbance.dropsReplies) return;
    if (waiting === 0 && disturbance.lateMs === 0) {
      if (!to.write(chunk)) {
        from.pause();
        to.once('drain', () => from.resume());
      }
      return;
    }
    waiting += 1;
    const [before, due] = [last, delay(disturbance.lateMs)];
    const deliver = async () => {
      await Promise.all([before, due]);
      waiting -= 1;
      if (to.writable) to.write(chunk);
    };
    last = deliver();
  });
  from.once('end', () => void last.then(() => to.end()));
}
