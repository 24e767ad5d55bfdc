import { createServer } from 'node:net';

// Below the range from which the kernel takes ports for outgoing connections (32768 and up on Linux, 49152 on macOS): a
// client that keeps reconnecting to a server that is down could otherwise be given that very port, and keep it.
const lowest = 20_000;
const count = 12_000;
const tries = 100;

// Processes that look for a port at the same moment must not find the same one: each walks through the range from a place
// of its own, and no port comes twice. The factor spreads neighbouring process ids.
let next = (process.pid * 101) % count;

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
    const port = lowest + next;
    next = (next + 1) % count;
    if (await isPortFree(port)) return port;
  }
  throw new Error(`No free port between ${lowest} and ${lowest + count}.`);
}
