import { expect } from 'chai';
import { ApiClient, DemoError } from '../../../scripts/demo/api-client.ts';
import { findFreePort } from '../../../scripts/local-stack/free-port.ts';
import { createReplyingServer } from './replying-server.ts';

describe('requests of the demo', () => {
  const server = createReplyingServer();
  const never = new AbortController().signal;

  async function errorOf(work: Promise<unknown>): Promise<string> {
    const error = await work.catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(DemoError);
    return (error as Error).message;
  }
  const limited = (seconds: number) => ({
    status: 429,
    headers: { 'retry-after': String(seconds) },
    body: { error: { code: 'RATE_LIMIT_EXCEEDED', message: 'Too many requests.' } },
  });

  it('requests are sent again, unchanged, after a 429 and a 503', async () => {
    const busy = { ...limited(0), status: 503 };
    server.replies = [limited(0), busy, { status: 201, body: { id: 'one' } }];
    const waits: number[] = [];
    const response = await new ApiClient(server.url, never).post('things', {
      body: { name: 'a thing' },
      onBusy: (milliseconds) => waits.push(milliseconds),
    });
    expect(response.body).to.deep.equal({ id: 'one' });
    expect(server.received).to.deep.equal(Array(3).fill('POST /things {"name":"a thing"}'));
    expect(waits).to.deep.equal([0, 0]);
  });

  it('requests do not wait longer than five minutes', async () => {
    server.replies = [limited(301)];
    expect(await errorOf(new ApiClient(server.url, never).get('things'))).to.equal(
      'GET /things failed with 429, RATE_LIMIT_EXCEEDED: Too many requests.',
    );
    expect(server.received).to.have.length(1);
  });

  it('an aborted request ends its wait', async () => {
    server.replies = [limited(200)];
    const interrupt = new AbortController();
    const request = new ApiClient(server.url, interrupt.signal).get('things', {
      onBusy: () => setImmediate(() => interrupt.abort()),
    });
    expect(await request.catch((error: Error) => error.name)).to.equal('AbortError');
  });

  it('a failed request reports the message of the error', async () => {
    const error = { code: 'VALIDATION_ERROR', message: 'The request is not valid.' };
    server.replies = [{ status: 400, body: { error } }];
    expect(await errorOf(new ApiClient(server.url, never).post('ingest', { body: Buffer.from('[1]') }))).to.equal(
      'POST /ingest failed with 400, VALIDATION_ERROR: The request is not valid.',
    );
    expect(server.received).to.deep.equal(['POST /ingest [1]']);
  });

  it('a failed request mentions the API key after a 401 only', async () => {
    const hint = 'Set an API key with --api-key or METERBOOK_API_KEY.';
    const client = new ApiClient(server.url, never);
    server.replies = [{ status: 401 }, { status: 403 }];
    expect(await errorOf(client.get('things'))).to.contain(hint);
    expect(await errorOf(client.post('api/v1/auth/register'))).not.to.contain('key');
  });

  it('a failed request reports how to start the service if it is unreachable', async () => {
    const url = `http://127.0.0.1:${await findFreePort()}`;
    const sentence = await errorOf(new ApiClient(url, never).get('health'));
    expect(sentence).to.match(new RegExp(`^The service is unreachable at ${url} .*: start it with npm start`));
  });
});
