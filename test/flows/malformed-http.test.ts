import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { startTestService } from '../support/test-service.ts';

describe('malformed HTTP', () => {
  const service = startTestService({ workers: false });

  /** Sends bytes unchanged. @returns everything received until the connection closes. */
  async function responseTo(bytes: string, address = service.url): Promise<string> {
    const { hostname, port } = new URL(address);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.write(bytes);
    return text(socket);
  }

  const withHost = (...hosts: string[]) =>
    `GET /health HTTP/1.1\r\n${hosts.map((host) => `Host: ${host}\r\n`).join('')}\r\n`;

  const cases: [string, string, number][] = [
    ['two Host headers', withHost('a', 'a'), 400],
    ['two Host headers of different case', withHost('a').replace('\r\n\r\n', '\r\nHOST: b\r\n\r\n'), 400],
    ['an empty Host', withHost(''), 400],
    ...['a b', 'a/b', 'user@a', 'http://a', 'a:port', 'a:99999', '[::1', 'a?b', 'a#b', 'a\\b', '\u00ff'].map(
      (host): [string, string, number] => [`a Host that is none: ${host}`, withHost(host), 400],
    ),
    ['text', 'hello?\r\n\r\n', 400],
    ['an unknown method', 'BREW /api/v1/scenarios HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    ['a header that is too long', `GET /health HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['a path that is too long', `GET /health?${'x'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 431],
    [
      'a body in broken chunks',
      'POST /api/v1/scenarios HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
      400,
    ],
  ];
  for (const [name, bytes, status] of cases) {
    it(`malformed HTTP gets its response in the envelope: ${name}`, async () => {
      const response = await responseTo(bytes);
      const [head = '', body = ''] = response.split('\r\n\r\n');
      expect(head).to.match(new RegExp(`^HTTP/1\\.1 ${status} `));
      const { success, error, meta } = JSON.parse(body) as Record<string, Record<string, unknown>>;
      expect(success).to.equal(false);
      expect(error).to.include({ code: 'VALIDATION_ERROR', details: null });
      expect(head).to.contain(`X-Request-ID: ${meta?.['request_id'] as string}`);
      expect(head).to.contain(`Content-Length: ${Buffer.byteLength(body)}`);
      expect(head).to.contain('Connection: close');
    });
  }

  it('does not include the hosts that clients send', async () => {
    const { port } = new URL(service.url);
    for (const host of ['a', 'a.example', `127.0.0.1:${port}`, '[::1]', `[::1]:${port}`, 'my_service.local', 'A:80']) {
      const response = await responseTo(withHost(host).replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
      expect(response, host).to.match(/^HTTP\/1\.1 200 /);
    }
    expect(await responseTo('GET /health HTTP/1.0\r\n\r\n')).to.match(/^HTTP\/1\.1 200 /);
  });
});
