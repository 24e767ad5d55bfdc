import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

/**
 * The response of a server to the first requests: a status, or nothing although it has taken the
 * lines.
 */
export type FaultyResponse = number | 'none';

export interface FaultyServer {
  readonly port: number;
  /** All requests with their `Idempotency-Key`, and the response that was sent. */
  readonly requests: { body: string; key: string | undefined; response: FaultyResponse }[];
  close(): void;
}

/** Responds to the first requests with a fault, and all others with 200. */
export async function startFaultyServer(fault: FaultyResponse, times: number): Promise<FaultyServer> {
  const requests: FaultyServer['requests'] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const given = requests.length < times ? fault : 200;
      const body = Buffer.concat(chunks);
      const isPacked = request.headers['content-encoding'] === 'gzip';
      requests.push({ body: (isPacked ? gunzipSync(body) : body).toString(), key: keyOf(request), response: given });
      if (given === 'none') request.socket.destroy();
      else {
        const isTemporary = given === 429 || given === 503;
        response.writeHead(given, {
          'Content-Type': 'application/json',
          ...(isTemporary ? { 'Retry-After': '1' } : {}),
        });
        response.end('{}');
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function keyOf({ headers }: IncomingMessage): string | undefined {
  const { 'idempotency-key': key } = headers;
  return typeof key === 'string' ? key : undefined;
}
