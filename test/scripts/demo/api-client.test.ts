import { expect } from 'chai';
import { ApiClient } from '../../../scripts/demo/api-client.ts';
import { DemoError } from '../../../scripts/demo/demo-error.ts';
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

  it('are sent again, unchanged, after a 429', async () => {
    server.replies = [limited(0), limited(0), { status: 201, body: { id: 'one' } }];
    const waits: number[] = [];
    const response = await new ApiClient(server.url, never).post('things', {
      body: { name: 'a thing' },
      onRateLimited: (milliseconds) => waits.push(milliseconds),
    });
    expect(response.body).to.deep.equal({ id: 'one' });
    expect(server.received).to.deep.equal(Array(3).fill('POST /things {"name":"a thing"}'));
    expect(waits).to.deep.equal([0, 0]);
  });

  it('do not wait longer than five minutes', async () => {
    server.replies = [limited(301)];
    expect(await errorOf(new ApiClient(server.url, never).get('things'))).to.equal(
      'GET /things failed with 429, RATE_LIMIT_EXCEEDED: Too many requests.',
    );
    expect(server.received).to.have.length(1);
  });

  it('end a wait when they are aborted', async () => {
    server.replies = [limited(200)];
    const interrupt = new AbortController();
    const request = new ApiClient(server.url, interrupt.signal).get('things', {
      onRateLimited: () => setImmediate(() => interrupt.abort()),
    });
    expect(await request.catch((error: Error) => error.name)).to.equal('AbortError');
  });

  it('report the message and the details of an error', async () => {
    const details = [{ field: '[3].message', error: 'is too long' }];
    const error = { code: 'VALIDATION_ERROR', message: 'The request is not valid.', details };
    server.replies = [{ status: 400, body: { error } }];
    expect(await errorOf(new ApiClient(server.url, never).post('ingest', { body: '[1]' }))).to.equal(
      'POST /ingest failed with 400, VALIDATION_ERROR: The request is not valid. ([3].message: is too long)',
    );
  });

  it('mention the API key after a 401 only', async () => {
    const hint = 'Set an API key with --api-key or METERBOOK_API_KEY.';
    const client = new ApiClient(server.url, never);
    server.replies = [{ status: 401 }, { status: 403 }];
    expect(await errorOf(client.get('things'))).to.contain(hint);
    expect(await errorOf(client.post('api/v1/auth/register'))).not.to.contain('key');
  });

  it('report how to start the service if it is unreachable', async () => {
    const url = `http://127.0.0.1:${await findFreePort()}`;
    const sentence = await errorOf(new ApiClient(url, never).get('health'));
    expect(sentence).to.match(new RegExp(`^The service is unreachable at ${url} .*: start it with npm start`));
  });
});
