import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Reply {
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
}

/** A server that sends prepared replies one after the other, and records the requests. */
export interface ReplyingServer {
  readonly url: string;
  replies: Reply[];
  received: string[];
}

/** Starts a server for each test of the enclosing `describe`. */
export function createReplyingServer(): ReplyingServer {
  let server: Server;
  const replying = {
    replies: [] as Reply[],
    received: [] as string[],
    get url() {
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    },
  };

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    replying.received.push(`${request.method} ${request.url} ${await text(request)}`.trim());
    const { status, headers = {}, body = {} } = replying.replies.shift() ?? { status: 418 };
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  }

  beforeEach(async () => {
    replying.replies = [];
    replying.received = [];
    server = createServer((request, response) => void handle(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return replying;
}
