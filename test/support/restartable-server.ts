import { once } from 'node:events';
import type { Server, Socket } from 'node:net';
import { findFreePort } from '../../scripts/local-stack/free-port.ts';

/** A server on loopback that can be stopped, and started again on the same port. */
export interface RestartableServer {
  readonly port: number;
  /** Refuses new connections and closes open connections, like a crash. */
  stop: () => Promise<void>;
  /** Listens again. It has no effect while the server is listening. */
  start: () => Promise<void>;
}

/** @param create is called for every start, because a closed server cannot listen again. */
export async function startRestartableServer(create: () => Server): Promise<RestartableServer> {
  const sockets = new Set<Socket>();
  const port = await findFreePort();
  let server: Server | undefined;
  const start = async () => {
    if (server) return;
    server = create();
    server.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  const stop = async () => {
    const closed = server ? once(server, 'close') : undefined;
    server?.close();
    server = undefined;
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  await start();
  return { port, start, stop };
}
