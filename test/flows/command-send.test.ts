import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import { useBuiltCommand } from '../support/built-command.ts';
import { createRunningScenario, getMetrics } from '../support/requests.ts';
import { startTestService } from '../support/test-service.ts';

describe('meterbook send', () => {
  const service = startTestService();
  const command = useBuiltCommand();
  const lines = Array.from(
    { length: 100_000 },
    (_, at) => `2026-05-01T10:00:00Z INFO line ${at} of a log that is sent`,
  );

  it('sends a log once, however often the command runs, and goes on after an interruption', async () => {
    const { id } = await createRunningScenario(service);
    const path = join(command.folder, 'sent.log');
    await writeFile(path, lines.join('\n'));
    // A proxy that breaks the third connection, and says once that it is busy.
    let requests = 0;
    const forward = async (request: IncomingMessage, response: ServerResponse) => {
      requests += 1;
      const [isBusy, isBroken] = [requests === 2, requests === 3];
      const body = await buffer(request);
      if (isBusy) {
        response.writeHead(503, { 'Retry-After': '1' }).end('{}');
        return;
      }
      const { host: _, connection: __, ...headers } = request.headers as Record<string, string>;
      const sent = await fetch(service.url + request.url, { method: 'POST', headers, body });
      const text = await sent.text();
      if (isBroken) {
        request.socket.destroy();
        return;
      }
      const replayed = sent.headers.get('Idempotent-Replayed');
      response.writeHead(sent.status, replayed ? { 'Idempotent-Replayed': replayed } : {}).end(text);
    };
    const proxy = createServer((request, response) => void forward(request, response));
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    try {
      const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
      const first = await command.run(['send', path, '--to', url, '--scenario', id]);
      expect(first.stderr).to.equal('');
      expect(first.stdout).to.match(/^100,000 entries are accepted, 1 of \d+ requests had arrived before\.\n$/);
      const again = await command.run(['send', path, '--to', service.url, '--scenario', id]);
      expect(again.stdout).to.match(/^100,000 entries are accepted, (\d+) of \1 requests had arrived before\.\n$/);
    } finally {
      proxy.close();
    }
    await service.request('POST', '/flush', { headers: { 'X-Scenario-ID': id } });
    expect((await getMetrics(service, id)).totals.logs).to.equal(lines.length);
  });

  it('says why a service refuses a log, or is not reachable', async () => {
    const path = join(command.folder, 'refused.log');
    await writeFile(path, 'one line');
    const unknown = '6f6fb4b1-5c0e-4d3c-9a53-3f2b8a6f1c11';
    const refused = await command.run(['send', path, '--to', service.url, '--scenario', unknown]);
    expect([refused.code, refused.stderr]).to.deep.equal([
      2,
      `meterbook: ${service.url} responds with 404: Scenario ${unknown} does not exist.\n`,
    ]);
    const address = await command.run(['send', path, '--to', 'nowhere', '--scenario', unknown]);
    expect(address.stderr).to.include('is not an address');
  });
});
