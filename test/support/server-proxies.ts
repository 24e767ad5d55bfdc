import { connect, createServer, type Socket } from 'node:net';
import { MongoClient } from 'mongodb';
import { ConnectionString } from 'mongodb-connection-string-url';
import { type RestartableServer, startRestartableServer } from './restartable-server.ts';

/** A proxy in front of Redis or MongoDB. A test stops it to make the server unreachable. */
export interface ServerProxy extends RestartableServer {
  url: string;
}

/** @param onConnection receives every new connection, for tests that read what clients send. */
export async function startRedisProxy(
  redisUrl: string,
  onConnection: (client: Socket) => void = () => {},
): Promise<ServerProxy> {
  const url = new URL(redisUrl);
  const proxy = await startProxy({ host: url.hostname, port: Number(url.port || 6379) }, onConnection);
  url.hostname = '127.0.0.1';
  url.port = String(proxy.port);
  return { ...proxy, url: url.href };
}

/**
 * Proxies the primary of a replica set. The driver must not discover the members, because it would
 * bypass the proxy.
 */
export async function startMongoProxy(mongodbUrl: string): Promise<ServerProxy> {
  const { target, parameters } = await resolveMongo(mongodbUrl);
  const proxy = await startProxy(target);
  return { ...proxy, url: urlOfProxy(mongodbUrl, proxy.port, parameters) };
}

/** The connection string for the same database behind a proxy on `port`. */
export function urlOfProxy(mongodbUrl: string, port: number, parameters: Record<string, string>): string {
  const url = new ConnectionString(mongodbUrl);
  url.protocol = 'mongodb:';
  url.hosts = [`127.0.0.1:${port}`];
  const options = url.typedSearchParams<Record<string, string>>();
  options.delete('replicaSet');
  for (const [name, value] of Object.entries(parameters)) options.set(name, value);
  return url.toString();
}

/**
 * The driver does not check a server again sooner after an error. Its own value is 500 ms, for
 * which tests behind a proxy would wait most of their time.
 */
const minHeartbeatFrequencyMs = 50;

/**
 * The address of the server, and the URL parameters for connecting under another host name and
 * without DNS records.
 */
export async function resolveMongo(url: string) {
  const client = new MongoClient(url);
  try {
    const { primary } = (await client.db().command({ hello: 1 })) as { primary?: string };
    const { hosts, tls, credentials } = client.options;
    const [, host = '', port] = /^\[?(.+?)\]?:(\d+)$/.exec(primary ?? String(hosts[0])) ?? [];
    const parameters = {
      directConnection: 'true',
      minHeartbeatFrequencyMS: String(minHeartbeatFrequencyMs),
      ...(tls ? { tls: 'true', tlsAllowInvalidHostnames: 'true' } : {}),
      ...(credentials ? { authSource: credentials.source } : {}),
    };
    return { target: { host, port: Number(port) }, parameters };
  } finally {
    await client.close();
  }
}

function startProxy(
  target: { host: string; port: number },
  onConnection: (client: Socket) => void = () => {},
): Promise<RestartableServer> {
  return startRestartableServer(() =>
    createServer((incoming) => {
      onConnection(incoming);
      const outgoing = connect(target);
      forward(incoming, outgoing);
      forward(outgoing, incoming);
    }),
  );
}

function forward(from: Socket, to: Socket): void {
  from.pipe(to);
  // `close` follows every error, and closes the other connection.
  from.on('error', () => {});
  from.once('close', () => to.destroy());
}
