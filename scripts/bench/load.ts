import autocannon, { type Options, type Result } from 'autocannon';

/** Concurrent clients, each with its own connection, that send prepared bodies to one address. */
interface Load {
  url: string;
  headers: Record<string, string>;
  /** Each is sent once. */
  bodies: readonly Buffer[];
  clients: number;
}

/**
 * Sends the load. @returns the latencies of all requests in milliseconds.
 * @throws Error if a response has another status than 200.
 */
export async function sendLoad({ url, headers, bodies, clients }: Load) {
  const latencies: number[] = [];
  let next = 0;
  const started = performance.now();
  const { errors, non2xx } = await new Promise<Result>((resolve, reject) => {
    const options: Options = {
      url,
      connections: clients,
      amount: bodies.length,
      timeout: 60,
      requests: [
        {
          method: 'POST',
          headers: { ...headers, 'Content-Type': 'application/json' },
          setupRequest: (request) => {
            const body = bodies[next % bodies.length];
            next += 1;
            return { ...request, ...(body && { body }) };
          },
        },
      ],
    };
    const running = autocannon(options, (error, result) => (error ? reject(error as Error) : resolve(result)));
    running.on('response', (_client, _status, _bytes, milliseconds) => latencies.push(milliseconds));
  });
  const seconds = (performance.now() - started) / 1000;
  if (errors + non2xx > 0) throw new Error(`${url}: ${non2xx} responses are not 2xx, and ${errors} requests failed.`);
  return { seconds, latencies };
}
