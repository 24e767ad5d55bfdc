import { once } from 'node:events';
import type { Server, Socket } from 'node:net';
import { findFreePort } from '../../scripts/local-stack/free-port.ts';

/** A server on loopback that goes down and comes back on the same port. */
export interface InterruptibleServer {
  readonly port: number;
  /** Refuses connections, as a killed server does, and cuts those that are open. */
  down: () => Promise<void>;
  /** Listens again; nothing happens when it does already. */
  up: () => Promise<void>;
}

/** Starts the server that `create` makes; it is made anew every time it comes up. */
export async function startInterruptibleServer(create: () => Server): Promise<InterruptibleServer> {
  const sockets = new Set<Socket>();
  const port = await findFreePort();
  let server: Server | undefined;
  const up = async () => {
    if (server) return;
    server = create();
    server.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  const down = async () => {
    const closed = server ? once(server, 'close') : undefined;
    server?.close();
    server = undefined;
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  await up();
  return { port, up, down };
}
