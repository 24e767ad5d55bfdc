import { Agent, request } from 'node:http';

/** Concurrent clients, each with its own connection, that send prepared bodies to one address. */
interface Load {
  url: string;
  headers: Record<string, string>;
  /** The clients take them in turn, and begin again after the last one. */
  bodies: readonly Buffer[];
  clients: number;
  requests: number;
  /** The expected status of every response. */
  status: number;
}

interface LoadResult {
  seconds: number;
  /** Latency of each request in milliseconds. */
  latencies: number[];
}

/** Sends the load. @throws Error if a response does not have the expected status. */
export async function sendLoad({ url, headers, bodies, clients, requests, status }: Load): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const latencies: number[] = [];
  let next = 0;
  const client = async () => {
    while (next < requests) {
      const body = bodies[next % bodies.length] as Buffer;
      next += 1;
      const sentAt = performance.now();
      await send(url, agent, headers, body, status);
      latencies.push(performance.now() - sentAt);
    }
  };
  const started = performance.now();
  try {
    await Promise.all(Array.from({ length: clients }, client));
  } finally {
    agent.destroy();
  }
  return { seconds: (performance.now() - started) / 1000, latencies };
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
