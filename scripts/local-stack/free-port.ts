import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

// Below the ports that the kernel assigns to outgoing connections (from 32768 on Linux, 49152 on macOS). A client that
// reconnects to a stopped server could otherwise be assigned the port of that server.
const minPort = 20_000;
const maxPort = 32_000;
const maxAttempts = 100;

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
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const port = randomInt(minPort, maxPort);
    if (await isPortFree(port)) return port;
  }
  throw new Error(`No free port between ${minPort} and ${maxPort}.`);
}
