import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort } from '../local-stack/free-port.ts';

/** A way for bytes from clients to a server, which can be disturbed. */
export interface Link {
  readonly port: number;
  /** Closes the open connections, and refuses new ones for so long. */
  cut(milliseconds: number): Promise<void>;
  /** Requests arrive, but their replies do not for so long; then the connections are closed. */
  dropReplies(milliseconds: number): Promise<void>;
  close(): Promise<void>;
}

export async function openLink(target: { host: string; port: number }): Promise<Link> {
  const port = await findFreePort();
  const sockets = new Set<Socket>();
  let dropsReplies = false;
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
      client.pipe(upstream);
      upstream.on('data', (chunk) => {
        if (!dropsReplies) client.write(chunk);
      });
      upstream.once('end', () => client.end());
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
    dropReplies: async (milliseconds) => {
      dropsReplies = true;
      await delay(milliseconds);
      dropsReplies = false;
      closeConnections();
    },
    close,
  };
}
