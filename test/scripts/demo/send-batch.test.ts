import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { ApiClient } from '../../../scripts/demo/api-client.ts';
import { DemoError } from '../../../scripts/demo/demo-error.ts';
import { sendBatch } from '../../../scripts/demo/send-batch.ts';
import { findFreePort } from '../../../scripts/local-stack/free-port.ts';

interface Reply {
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
}

describe('sending a batch', () => {
  let server: Server;
  let replies: Reply[] = [];
  let received: string[] = [];
  const never = new AbortController().signal;

  beforeEach(async () => {
    replies = [];
    received = [];
    server = createServer((request, response) => void answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    received.push(`${request.method} ${request.url} ${await text(request)}`.trim());
    const { status, headers = {}, body = {} } = replies.shift() ?? { status: 418 };
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  }
  function client(signal = never): ApiClient {
    return new ApiClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, signal);
  }
  async function faultOf(work: Promise<unknown>): Promise<string> {
    const fault = await work.catch((error: unknown) => error);
    expect(fault).to.be.instanceOf(DemoError);
    return (fault as Error).message;
  }
  const send = () => sendBatch(client(), 'scenario-1', '[1]', { signal: never, onBusy: () => {} });

  it('is done with a 200', async () => {
    replies = [{ status: 200 }];
    await send();
    expect(received).to.deep.equal(['POST /ingest [1]']);
  });

  it('sends the same body again when the service is busy', async () => {
    const busy = { status: 503, headers: { 'retry-after': '0' }, body: { error: { message: 'busy' } } };
    replies = [busy, busy, { status: 200 }];
    let heard = 0;
    await sendBatch(client(), 'scenario-1', '[1]', { signal: never, onBusy: () => (heard += 1) });
    expect(received).to.deep.equal(['POST /ingest [1]', 'POST /ingest [1]', 'POST /ingest [1]']);
    expect(heard).to.equal(2);
  });

  it('follows a 202 until the job is done', async () => {
    const url = '/api/v1/ingest-jobs/job-1';
    replies = [
      { status: 202, body: { job_id: 'job-1', status: 'waiting', status_url: url } },
      { status: 200, body: { status: 'active' } },
      { status: 429, headers: { 'retry-after': '0' } },
      { status: 200, body: { status: 'completed' } },
    ];
    await send();
    expect(received).to.deep.equal(['POST /ingest [1]', `GET ${url}`, `GET ${url}`, `GET ${url}`]);
  });

  it('says why a job has failed', async () => {
    replies = [
      { status: 202, body: { status_url: '/jobs/1' } },
      { status: 200, body: { status: 'failed', error: { message: 'the spool has expired' } } },
    ];
    expect(await faultOf(send())).to.equal('The worker gave up on a batch: the spool has expired');
  });

  it('shows the message and the details of a refusal', async () => {
    const details = [{ field: '[3].message', error: 'is too long' }];
    replies = [{ status: 400, body: { error: { code: 'VALIDATION_ERROR', message: 'Faults were found.', details } } }];
    expect(await faultOf(send())).to.equal(
      'POST /ingest was answered with 400, VALIDATION_ERROR: Faults were found. ([3].message: is too long)',
    );
  });

  it('says how to start the service when nothing answers', async () => {
    const url = `http://127.0.0.1:${await findFreePort()}`;
    const sentence = await faultOf(new ApiClient(url, never).get('health'));
    expect(sentence).to.match(new RegExp(`^Nothing answers at ${url} .*: start the service with npm start`));
  });

  it('ends a wait when it is interrupted', async () => {
    replies = [{ status: 503, headers: { 'retry-after': '3600' } }];
    const interrupt = new AbortController();
    const sending = sendBatch(client(interrupt.signal), 'scenario-1', '[1]', {
      signal: interrupt.signal,
      onBusy: () => setImmediate(() => interrupt.abort()),
    });
    expect(await sending.catch((error: Error) => error.name)).to.equal('AbortError');
  });
});
