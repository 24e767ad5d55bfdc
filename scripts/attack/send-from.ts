import { Agent, request } from 'node:http';

export interface Outgoing {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
  /**
   * Sends the body without the end of the request, and waits for a response or for the end of the
   * connection.
   */
  readonly isUnfinished?: boolean;
}

/** Connections are reused per local address. */
const agent = new Agent({ keepAlive: true });

interface Received {
  readonly status: number;
  readonly text: string;
}

/** Sends a request from an address of loopback. @throws Error if the connection is lost. */
export function sendFrom(from: string, url: string, outgoing: Outgoing = {}): Promise<Received> {
  const { method = 'GET', headers = {}, body, isUnfinished = false } = outgoing;
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, localAddress: from, agent: isUnfinished ? false : agent });
    sent.on('error', reject);
    sent.on('response', (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('error', reject);
      response.on('end', () => {
        if (isUnfinished) sent.destroy();
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(pieces).toString() });
      });
    });
    if (isUnfinished) sent.write(body ?? '');
    else sent.end(body);
  });
}

/** @returns the status of the response, or the code of the error. */
export async function outcomeOf(response: Promise<Received>): Promise<string> {
  try {
    return String((await response).status);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'lost';
  }
}
