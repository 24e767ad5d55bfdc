import { expect } from 'chai';
import { ApiClient } from '../../../scripts/demo/api-client.ts';
import { DemoError } from '../../../scripts/demo/demo-error.ts';
import { findFreePort } from '../../../scripts/local-stack/free-port.ts';
import { replyingServer } from './replying-server.ts';

describe('requests of the demo', () => {
  const server = replyingServer();
  const never = new AbortController().signal;

  async function faultOf(work: Promise<unknown>): Promise<string> {
    const fault = await work.catch((error: unknown) => error);
    expect(fault).to.be.instanceOf(DemoError);
    return (fault as Error).message;
  }
  const limited = (seconds: number) => ({
    status: 429,
    headers: { 'retry-after': String(seconds) },
    body: { error: { code: 'RATE_LIMIT_EXCEEDED', message: 'Too many requests.' } },
  });

  it('are sent again, as they were, where they are limited', async () => {
    server.replies = [limited(0), limited(0), { status: 201, body: { id: 'one' } }];
    const waits: number[] = [];
    const answer = await new ApiClient(server.url, never).post('things', {
      body: { name: 'a thing' },
      onLimited: (milliseconds) => waits.push(milliseconds),
    });
    expect(answer.body).to.deep.equal({ id: 'one' });
    expect(server.received).to.deep.equal(Array(3).fill('POST /things {"name":"a thing"}'));
    expect(waits).to.deep.equal([0, 0]);
  });

  it('do not wait for longer than five minutes', async () => {
    server.replies = [limited(301)];
    expect(await faultOf(new ApiClient(server.url, never).get('things'))).to.equal(
      'GET /things was answered with 429, RATE_LIMIT_EXCEEDED: Too many requests.',
    );
    expect(server.received).to.have.length(1);
  });

  it('end a wait when they are interrupted', async () => {
    server.replies = [limited(200)];
    const interrupt = new AbortController();
    const asking = new ApiClient(server.url, interrupt.signal).get('things', {
      onLimited: () => setImmediate(() => interrupt.abort()),
    });
    expect(await asking.catch((error: Error) => error.name)).to.equal('AbortError');
  });

  it('show the message and the details of a refusal', async () => {
    const details = [{ field: '[3].message', error: 'is too long' }];
    const error = { code: 'VALIDATION_ERROR', message: 'Faults were found.', details };
    server.replies = [{ status: 400, body: { error } }];
    expect(await faultOf(new ApiClient(server.url, never).post('ingest', { body: '[1]' }))).to.equal(
      'POST /ingest was answered with 400, VALIDATION_ERROR: Faults were found. ([3].message: is too long)',
    );
  });

  it('ask for a key after a 401, and after nothing else', async () => {
    const hint = 'Give the demo a key by --api-key, or by METERBOOK_API_KEY in the environment.';
    const client = new ApiClient(server.url, never);
    server.replies = [{ status: 401 }, { status: 403 }];
    expect(await faultOf(client.get('things'))).to.contain(hint);
    expect(await faultOf(client.post('api/v1/auth/register'))).not.to.contain('key');
  });

  it('say how to start the service when nothing answers', async () => {
    const url = `http://127.0.0.1:${await findFreePort()}`;
    const sentence = await faultOf(new ApiClient(url, never).get('health'));
    expect(sentence).to.match(new RegExp(`^Nothing answers at ${url} .*: start the service with npm start`));
  });
});
