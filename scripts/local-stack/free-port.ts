import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

// Below the range from which the kernel takes ports for outgoing connections (32768 and up on Linux, 49152 on macOS): a
// client that keeps reconnecting to a server that is down could otherwise be given that very port, and keep it.
const lowest = 20_000;
const highest = 32_000;
const tries = 100;

/** Can a server listen on this port now? False when it is taken; other faults (no right to) are thrown. */
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

/** A port on loopback on which nothing listens, for a server that must come back on the same one after a crash. */
export async function findFreePort(): Promise<number> {
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const port = randomInt(lowest, highest);
    if (await isPortFree(port)) return port;
  }
  throw new Error(`No free port between ${lowest} and ${highest}.`);
}
