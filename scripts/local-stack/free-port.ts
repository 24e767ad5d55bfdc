import { once } from 'node:events';
import { connect, createServer, type NetConnectOpts } from 'node:net';

// Below the ports that the kernel assigns to outgoing connections (from 32768 on Linux, 49152 on
// macOS). A client that reconnects to a stopped server could otherwise be assigned the port of that
// server.
const minPort = 20_000;
const portCount = 12_000;

// Processes that search for a port at the same moment must not find the same port, so each process
// begins at another place of the range. The factor spreads neighbouring process ids.
let next = (process.pid * 101) % portCount;

/** Whether a port is not in use. @throws other errors of listening, such as EACCES. */
export async function isPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false);
      else reject(error);
    });
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** A free port on loopback, for a server that must use the same port again after a crash. */
export async function findFreePort(): Promise<number> {
  for (let attempt = 0; attempt < portCount; attempt += 1) {
    const port = minPort + next;
    next = (next + 1) % portCount;
    if (await isPortFree(port)) return port;
  }
  throw new Error(`No free port between ${minPort} and ${minPort + portCount}.`);
}

/** Whether a server accepts connections at a port or a local socket. */
export async function isListening(address: NetConnectOpts): Promise<boolean> {
  const socket = connect(address);
  const isOpen = await once(socket, 'connect').catch(() => undefined);
  socket.destroy();
  return isOpen !== undefined;
}
