import { Agent, request } from 'node:http';

/**
 * A load of concurrent clients that send prepared bodies to one address, each over its own
 * connection.
 */
interface Load {
  url: string;
  headers: Record<string, string>;
  /** Bodies of the requests. They are sent one after the other, repeatedly. */
  bodies: readonly Buffer[];
  clients: number;
  requests: number;
  /** The expected status of every response. */
  status: number;
}

interface LoadResult {
  seconds: number;
  /** Latency of each request in milliseconds, ascending. */
  latencies: number[];
}

/** Sends the load. @throws Error if a response has another status. */
export async function sendLoad({ url, headers, bodies, clients, requests, status }: Load): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const latencies: number[] = [];
  let next = 0;
  const client = async () => {
    while (next < requests) {
      const body = bodies[next % bodies.length] as Buffer;
      next += 1;
      const started = performance.now();
      await send(url, agent, headers, body, status);
      latencies.push(performance.now() - started);
    }
  };
  const started = performance.now();
  try {
    await Promise.all(Array.from({ length: clients }, client));
  } finally {
    agent.destroy();
  }
  return { seconds: (performance.now() - started) / 1000, latencies: latencies.sort((a, b) => a - b) };
}

/** The value with the given share of the values below it. */
export function percentile(ascending: readonly number[], share: number): number {
  return ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * share))] ?? Number.NaN;
}

export function median(values: number[]): number {
  return percentile(
    values.sort((a, b) => a - b),
    0.5,
  );
}

function send(url: string, agent: Agent, headers: Record<string, string>, body: Buffer, status: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      method: 'POST',
      agent,
      headers: { ...headers, 'Content-Type': 'application/json', 'Content-Length': body.length },
    });
    outgoing.on('error', reject);
    outgoing.on('response', (response) => {
      response.resume();
      response.on('end', () => {
        if (response.statusCode === status) resolve();
        else reject(new Error(`${url} responded with ${response.statusCode}`));
      });
      response.on('error', reject);
    });
    outgoing.end(body);
  });
}
