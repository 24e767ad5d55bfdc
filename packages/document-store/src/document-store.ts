// The embedded document store: a server on loopback that speaks MongoDB's wire protocol, for the
// local stack and the tests.
import { createServer, type Socket } from 'node:net';
import { Catalogue } from './catalogue.ts';
import type { Store } from './commands/command.ts';
import { serveConnection } from './connection.ts';
import { Cursors } from './cursors.ts';
import { openStorage } from './storage.ts';
import { defaultTtlIntervalMs, startTtlMonitor } from './ttl-monitor.ts';

interface DocumentStoreOptions {
  /** 0 (the default) takes a free port. */
  port?: number;
  /** A loopback address; the default is 127.0.0.1. */
  host?: string;
  /** The folder of the data, created if it is missing. Only one process may use it at a time. */
  directory: string;
  /**
   * If false, data survives the end of the process, but not a crash of the machine; the default is
   * true.
   */
  sync?: boolean;
  /** Milliseconds between two removals of expired documents; the default is MongoDB's minute. */
  ttlIntervalMs?: number;
}

export interface DocumentStore {
  port: number;
  /** `mongodb://127.0.0.1:<port>` */
  url: string;
  /** Closes all connections, then the files. */
  close(): Promise<void>;
}

const loopback = /^(127\.\d+\.\d+\.\d+|::1|localhost)$/;

/**
 * Starts the store. Rejects if the port is in use (`EADDRINUSE`) or the host is not a loopback
 * address.
 */
export async function startDocumentStore({
  port = 0,
  host = '127.0.0.1',
  directory,
  sync = true,
  ttlIntervalMs = defaultTtlIntervalMs,
}: DocumentStoreOptions): Promise<DocumentStore> {
  if (!loopback.test(host))
    throw new Error(`the document store has no authentication and listens on loopback only, not on ${host}`);
  const sockets = new Set<Socket>();
  let store: Store | undefined;
  let connections = 0;
  const server = createServer((socket) => {
    if (!store) {
      socket.destroy();
      return;
    }
    connections += 1;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    serveConnection(socket, store, connections);
  });
  // First the port: a second process on the same port must not open the files of the first.
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  try {
    const storage = openStorage(directory, sync);
    store = { storage, catalogue: new Catalogue(storage), cursors: new Cursors(storage) };
  } catch (error) {
    server.close();
    throw error;
  }
  const { storage, catalogue, cursors } = store;
  const stopTtlMonitor = startTtlMonitor(catalogue, storage, ttlIntervalMs);
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the document store has no TCP port');
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
    for (const socket of sockets) socket.destroy();
    await closed;
    cursors.close();
    await stopTtlMonitor();
    await storage.close();
  };
  return {
    port: address.port,
    url: `mongodb://${host.includes(':') ? `[${host}]` : host}:${address.port}`,
    close() {
      closing ??= close();
      return closing;
    },
  };
}
