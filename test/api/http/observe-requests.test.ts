import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import { createApp } from '../../../api/app.ts';
import { stopListening } from '../../../api/http/http-server.ts';
import { captureLog } from '../../support/capture-log.ts';
import { createRunningScenario } from '../../support/requests.ts';
import { listenOnFreePort, startTestService } from '../../support/test-service.ts';
import { waitUntil } from '../../support/wait-until.ts';

describe('the request log', () => {
  const service = startTestService({ workers: false });

  it('has a line with the request id for a request that the client aborts', async () => {
    const { log, lines } = captureLog();
    const { queue } = service.app.queues['ingest-entries'];
    const { id } = await createRunningScenario(service);
    const body = '{"message":"x"}';
    const requestId = '0b7f4a8e-8d0b-4a86-9c0e-0d6f1f6f3c11';
    const { server, url } = await listenOnFreePort(createApp({ ...service.app, log }));
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    try {
      await once(socket, 'connect');
      socket.write(
        `POST /ingest HTTP/1.1\r\nHost: x\r\nX-Scenario-ID: ${id}\r\nX-Request-ID: ${requestId}\r\n` +
          `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
      await waitUntil('the entry to be accepted', async () => (await queue.getWaitingCount()) === 1);
      socket.resetAndDestroy();
      const line = await waitUntil('the log line', () => lines.find((text) => text.includes('ECONNRESET')));
      expect(JSON.parse(line)).to.deep.include({
        level: 'info',
        request_id: requestId,
        method: 'POST',
        path: '/ingest',
      });
    } finally {
      socket.destroy();
      await stopListening(server, 0);
    }
  });
});
