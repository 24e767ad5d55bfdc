import { once } from 'node:events';
import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../../shared/config/config.ts';
import { StartError } from '../../shared/process/start-error.ts';

/**
 * Connections that wait to be accepted; the system may allow fewer. With Node's 511, a caller that
 * opens 1,000 at once makes the system drop the connections of others, which their systems repeat
 * after 1, 3, 7 and 15 seconds.
 */
const backlog = 4096;

/** @throws StartError if the port is not available. */
export async function listen(server: Server, { port, host }: Pick<Config, 'port' | 'host'>): Promise<void> {
  server.listen({ port, host, backlog });
  try {
    await once(server, 'listening');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    const why = code === 'EADDRINUSE' ? 'is in use by another process' : `cannot be opened (${code})`;
    throw new StartError(`PORT: port ${port} ${why}; choose another, such as PORT=${port + 1}.`);
  }
}

const idleCheckMs = 50;
const defaultDrainMs = 500;

/**
 * Accepts no new connections, waits up to `graceMs` for requests in flight, then closes the
 * remaining connections. A proxy may be sending a request on a connection that is idle here, so
 * idle connections are served for another `drainMs`; each response then closes its connection.
 */
export async function stopListening(server: Server, graceMs: number, drainMs = defaultDrainMs): Promise<void> {
  const closed = once(server, 'close');
  // The method of the HTTP server would close idle connections at once.
  NetServer.prototype.close.call(server);
  await Promise.race([closed, delay(Math.min(drainMs, graceMs), undefined, { ref: false })]);
  server.close();
  // `close` does not close a keep-alive connection that is busy at this moment, not even after its
  // response.
  const idle = setInterval(() => server.closeIdleConnections(), idleCheckMs);
  const grace = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(idle);
  clearTimeout(grace);
}
