import { connect, createServer, type Socket } from 'node:net';
import { MongoClient } from 'mongodb';
import { type InterruptibleServer, startInterruptibleServer } from './interruptible-server.ts';

/** A proxy before Redis or MongoDB, by which a test makes the server unreachable for those who use its URL. */
export interface ServerProxy extends InterruptibleServer {
  url: string;
}

/** @param onConnection sees every connection as it opens, to read along what clients send. */
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

/** Of a replica set the primary is proxied. The driver must not look for the other members: it would pass by the proxy. */
export async function startMongoProxy(mongodbUrl: string): Promise<ServerProxy> {
  const { target, parameters } = await resolveMongo(mongodbUrl);
  const proxy = await startProxy(target);
  const [, credentials = '', path = '', query = ''] =
    /^mongodb(?:\+srv)?:\/\/([^@/?]*@)?[^/?]*(\/[^?]*)?(?:\?(.*))?$/.exec(mongodbUrl) ?? [];
  const options = new URLSearchParams(query);
  options.delete('replicaSet');
  for (const [name, value] of Object.entries(parameters)) options.set(name, value);
  return { ...proxy, url: `mongodb://${credentials}127.0.0.1:${proxy.port}${path}?${options.toString()}` };
}

/** Where the server is, and the parameters that a connection to it by another name and without DNS records needs. */
async function resolveMongo(url: string) {
  const client = new MongoClient(url);
  try {
    const { primary } = (await client.db().command({ hello: 1 })) as { primary?: string };
    const { hosts, tls, credentials } = client.options;
    const [, host = '', port] = /^\[?(.+?)\]?:(\d+)$/.exec(primary ?? String(hosts[0])) ?? [];
    const parameters = {
      directConnection: 'true',
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
): Promise<InterruptibleServer> {
  return startInterruptibleServer(() =>
    createServer((incoming) => {
      onConnection(incoming);
      const outgoing = connect(target);
      join(incoming, outgoing);
      join(outgoing, incoming);
    }),
  );
}

function join(from: Socket, to: Socket): void {
  from.pipe(to);
  // A broken connection is broken for both sides; `close` follows.
  from.on('error', () => {});
  from.once('close', () => to.destroy());
}
