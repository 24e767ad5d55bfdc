import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Config } from '../../shared/config.ts';
import { StartError } from '../../shared/start.ts';

/** @throws StartError when the port can not be had. */
export async function listen(server: Server, { port, host }: Pick<Config, 'port' | 'host'>): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    const why = code === 'EADDRINUSE' ? 'is taken by another process' : `can not be opened (${code})`;
    throw new StartError(`PORT: port ${port} ${why}; choose another, such as PORT=${port + 1}.`);
  }
}

/** Takes no new connections, lets requests under way be answered for up to `graceMs`, then cuts what is left. */
export async function stopListening(server: Server, graceMs: number): Promise<void> {
  const closed = once(server, 'close');
  // Since Node 19 this closes idle keep-alive connections too; busy ones close after their answer.
  server.close();
  const grace = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(grace);
}
